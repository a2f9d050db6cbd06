import { beforeEach, expect, test } from '@jest/globals'
import { LagMeter } from '../../../adapters/dynamodb/reader-lag.ts'

let now: number
let meter: LagMeter

beforeEach(() => {
  now = 1000
  meter = new LagMeter(() => now)
})

test('the time of a read counts from the one before it, or from the begin of the shard', () => {
  meter.begin('a')
  now += 30
  meter.wasRead('a')
  now += 20
  meter.wasRead('a')
  expect(meter.take()).toEqual({ recordMs: 0, readMs: 30 })
  now += 5
  meter.wasRead('a')
  expect(meter.take()).toEqual({ recordMs: 0, readMs: 5 })
})

test('a shard that is not read counts until now, and one that has ended does not', () => {
  meter.begin('a')
  now += 10
  meter.begin('b')
  now += 30
  expect(meter.take().readMs).toBe(40)
  now += 1
  expect(meter.take().readMs).toBe(41)
  meter.end('a')
  expect(meter.take().readMs).toBe(31)
  meter.end('b')
  meter.wasRead('unknown')
  expect(meter.take().readMs).toBe(0)
})

test('the lag of emails is the highest since the call before', () => {
  for (const storedAt of [990, 950, 980]) meter.sawEmail(storedAt)
  expect(meter.take()).toEqual({ recordMs: 50, readMs: 0 })
  // The clock of the writer is ahead.
  meter.sawEmail(1010)
  expect(meter.take()).toEqual({ recordMs: 0, readMs: 0 })
})
