import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { DynamoMessages } from '../../../adapters/dynamodb/messages.ts'
import { Table } from '../../../adapters/dynamodb/table.ts'
import { sampleMail, unique } from '../../contract/sample.ts'
import { pause, VirtualDynamoDb } from './virtual-dynamodb.ts'

/*
 * Runs the real adapters in virtual time: Lambda functions take batches from a queue, spend 100 ms
 * on each mail before they store it (parsing, S3), and store all mails of a batch concurrently, as
 * lambdas/ingest.ts does.
 */

const SECONDS = 4
const WORK_MS = 100
const BATCH = 5

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'performance', 'queueMicrotask'] }))
afterEach(() => void jest.useRealTimers())

interface Outcome {
  /** Mails stored per second while mails arrive. */
  perSecond: number
  p50: number
  p99: number
  sentBack: number
  conflictsPerMail: number
}

/** Stores mails that arrive at this rate with this number of functions. */
async function simulate(rate: number, functions: number, address: (n: number) => string): Promise<Outcome> {
  const dynamo = new VirtualDynamoDb()
  const queue: { address: string; at: number }[] = []
  const delays: number[] = []
  let [arrived, sentBack, stored] = [0, 0, 0]
  const total = rate * SECONDS
  const began = Date.now()
  const blobs = { remove: async () => {}, put: async () => {} }
  const work = async () => {
    const mail = new Table(dynamo.client, 'mail')
    const keys = new Table(dynamo.client, 'keys')
    const emails = new DynamoMessages({ mail, keys, blobs, clock: Date.now } as never)
    while (stored + sentBack < total) {
      const batch = queue.splice(0, BATCH)
      await Promise.all(
        batch.map(async ({ address: to, at }) => {
          await pause(WORK_MS * (0.75 + Math.random() / 2))
          await emails.store(sampleMail([to])).then(
            () => stored++,
            () => sentBack++,
          )
          delays.push(Date.now() - at)
        }),
      )
      if (batch.length === 0) await pause(2 + Math.random() * 4)
    }
  }
  const working = Array.from({ length: functions }, work)
  while (arrived < total) {
    const due = Math.min(total, Math.floor(((Date.now() - began) / 1000) * rate))
    for (; arrived < due; arrived++) queue.push({ address: address(arrived), at: Date.now() })
    await jest.advanceTimersByTimeAsync(2)
  }
  const perSecond = stored / ((Date.now() - began) / 1000)
  while (stored + sentBack < total) await jest.advanceTimersByTimeAsync(10)
  await jest.advanceTimersByTimeAsync(100)
  await Promise.all(working)
  delays.sort((a, b) => a - b)
  const quantile = (q: number) => delays[Math.floor(q * (delays.length - 1))] ?? 0
  const outcome = {
    perSecond,
    p50: quantile(0.5),
    p99: quantile(0.99),
    sentBack,
    conflictsPerMail: dynamo.conflicts / total,
  }
  process.stdout.write(`${rate} mails a second: ${JSON.stringify(outcome)}\n`)
  return outcome
}

test('one domain stores 1,500 mails a second with p99 below 1 s, and returns none to the queue', async () => {
  const domain = `${unique()}.example`
  const { perSecond, p99, sentBack } = await simulate(1500, 100, (n) => `user${n}@${domain}`)
  expect(perSecond).toBeGreaterThan(1350)
  expect(p99).toBeLessThan(1000)
  expect(sentBack).toBe(0)
})

test('one address stores 100 mails a second with p99 below 1 s, and returns none to the queue', async () => {
  const { perSecond, p99, sentBack } = await simulate(100, 10, () => 'one@throughput.example')
  expect(perSecond).toBeGreaterThan(85)
  expect(p99).toBeLessThan(1000)
  expect(sentBack).toBe(0)
})
