import { expect, test } from '@jest/globals'
import { OriginSecret } from '../../../adapters/cloudfront/origin-secret.ts'

/** The secret as it is stored, and what a program makes of it. */
async function opened(values = ['first']) {
  const stored = { values, now: 0, reads: 0, fault: undefined as unknown }
  const reported: unknown[] = []
  const secret = await OriginSecret.open({
    kept: {
      current: async () => stored.values[0]!,
      async values() {
        stored.reads++
        if (stored.fault !== undefined) throw stored.fault
        return stored.values
      },
    },
    clock: () => stored.now,
    report: (error) => reported.push(error),
  })
  return { stored, secret, reported }
}

test('a rotation refuses nobody: the value before stays right, and a newer one is looked for', async () => {
  const { stored, secret } = await opened()
  stored.values = ['second', 'first']
  expect(secret.isKnown('second')).toBe(false)
  expect(await Promise.all(['first', 'second', 'second'].map((value) => secret.accepts(value)))).toEqual([
    true,
    true,
    true,
  ])
  expect(secret.isKnown('second')).toBe(true)
  expect(stored.reads).toBe(1)
  stored.now = 60_000
  stored.values = ['third', 'second']
  expect(await secret.accepts('third')).toBe(true)
  expect(await secret.accepts('first')).toBe(false)
})

test('a program that starts within a rotation takes the value that CloudFront still sends', async () => {
  const { stored, secret } = await opened(['second', 'first'])
  expect([secret.isKnown('second'), secret.isKnown('first')]).toEqual([true, false])
  expect(await secret.accepts('first')).toBe(true)
  expect(stored.reads).toBe(1)
})

test('a stranger makes it read once a minute, however many values they try', async () => {
  const { stored, secret } = await opened()
  for (stored.now = 0; stored.now < 600_000; stored.now += 100)
    expect(await secret.accepts(`guess ${stored.now}`)).toBe(false)
  expect(stored.reads).toBe(10)
  expect(await secret.accepts(undefined)).toBe(false)
})

test.each([undefined, '', 'firs', 'first ', 'First', 'fírst'])('%j is wrong', async (sent) => {
  expect(await (await opened()).secret.accepts(sent)).toBe(false)
})

test('what was read stays right where it cannot be read again, which is reported', async () => {
  const { stored, secret, reported } = await opened()
  stored.fault = new Error('Secrets Manager is away')
  expect(await secret.accepts('second')).toBe(false)
  expect(await secret.accepts('first')).toBe(true)
  expect(reported).toEqual([stored.fault])
})

test('without a value there is no secret', async () => {
  const current = () => Promise.reject(new Error('not allowed'))
  const kept = { current, values: async () => [] }
  await expect(OriginSecret.open({ kept, clock: Date.now, report: () => {} })).rejects.toThrow('not allowed')
})
