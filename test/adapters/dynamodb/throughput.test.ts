import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { domainItem } from '../../../adapters/dynamodb/domain-item.ts'
import { newDomain } from '../../../core/access/registration.ts'
import { FIRST_ID } from '../../contract/sample.ts'
import { failing } from './faults.ts'
import { ingest, type Load, type Outcome } from './ingest-load.ts'
import { VirtualDynamoDb } from './virtual-dynamodb.ts'

const SEED = 20_261_121

// With time and chance in the hands of the test, every run has the same course.
beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'performance', 'queueMicrotask'] })
  jest.spyOn(Math, 'random').mockImplementation(seededRandom(SEED))
})
afterEach(() => {
  jest.restoreAllMocks()
  jest.useRealTimers()
})

/** Returns a linear congruential generator of numbers from 0 to 1 (Numerical Recipes, 7.1). */
function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}

async function measure(load: Load, dynamo = new VirtualDynamoDb()): Promise<Outcome> {
  const outcome = await ingest(dynamo, load)
  process.stdout.write(`${load.rate} mails a second by ${load.functions}: ${JSON.stringify(outcome)}\n`)
  return outcome
}

test('one domain stores 1,500 mails a second with p99 below 1 s, and returns none to the queue', async () => {
  // The CRCs of these addresses have the same low bits more often than by chance.
  const address = (n: number) => `user${n}@d1500.example`
  const { perSecond, p99, sentBack } = await measure({ rate: 1500, seconds: 2, functions: 100, address })
  expect(perSecond).toBeGreaterThan(1450)
  expect(p99).toBeLessThan(1000)
  expect(sentBack).toBe(0)
}, 600_000)

test('one domain with 32 parts of its log stores 10,000 mails a second', async () => {
  const name = 'busy.example'
  const dynamo = new VirtualDynamoDb()
  const state = newDomain(name, 'verified', 1)
  dynamo.put(domainItem({ ...state, visibleAfter: FIRST_ID, revision: 'r', logParts: 32 }))
  const address = (n: number) => `user${n}@${name}`
  const load = { rate: 10_000, seconds: 0.5, functions: 600, address, visibleAfter: { [name]: FIRST_ID } }
  const { p99, sentBack } = await measure(load, dynamo)
  expect(p99).toBeLessThan(1000)
  expect({ sentBack, throttles: dynamo.throttles }).toEqual({ sentBack: 0, throttles: 0 })
}, 600_000)

test.each([5, 10, 50, 120])(
  'one address stores 100 mails a second with p99 below 1 s by %i functions, and returns none to the queue',
  async (functions) => {
    const address = () => 'one@throughput.example'
    const { perSecond, p99, sentBack } = await measure({ rate: 100, seconds: 6, functions, address })
    expect(perSecond).toBeGreaterThan(95)
    expect(p99).toBeLessThan(1000)
    expect(sentBack).toBe(0)
  },
  120_000,
)

describe('every mail is stored once, and ids grow in the order in which the emails of an address become visible,', () => {
  const addresses = ['busy@faults.example', 'other@faults.example']
  const address = (n: number) => addresses[n % 10 === 0 ? 1 : 0]!

  /** Runs the load, and checks what is in the table at its end. */
  async function survive(dynamo: VirtualDynamoDb, load: Omit<Load, 'address'>): Promise<Outcome> {
    const outcome = await ingest(dynamo, { ...load, address })
    const { emails } = dynamo
    expect(emails).toHaveLength(load.rate * load.seconds)
    expect(new Set(emails.map(({ messageId }) => messageId)).size).toBe(emails.length)
    for (const name of addresses) {
      const ids = emails.filter((email) => email.address === name).map(({ id }) => id)
      expect(ids).toEqual(ids.toSorted())
    }
    return outcome
  }

  test('in a storm of conflicts, which ends no attempt', async () => {
    const outcome = await survive(new VirtualDynamoDb(), { rate: 400, seconds: 2, functions: 120 })
    expect(outcome.conflictsPerMail).toBeGreaterThan(1)
    expect(outcome.sentBack).toBe(0)
  }, 120_000)

  test.each(['ThrottlingException', 'ProvisionedThroughputExceededException', 'InternalServerError'])(
    'while the tables answer %s to most requests',
    async (name) => {
      const dynamo = new VirtualDynamoDb()
      const until = Date.now() + 2000
      dynamo.fault = () => (Date.now() < until && Math.random() < 0.7 ? failing(name) : undefined)
      const outcome = await survive(dynamo, { rate: 100, seconds: 3, functions: 20 })
      expect(outcome.sentBack).toBeGreaterThan(0)
    },
    120_000,
  )

  test('while responses are lost after the transaction', async () => {
    const dynamo = new VirtualDynamoDb()
    dynamo.lostResponse = () => (Math.random() < 0.2 ? failing('TimeoutError') : undefined)
    const outcome = await survive(dynamo, { rate: 50, seconds: 3, functions: 10 })
    expect(outcome.sentBack).toBeGreaterThan(0)
  }, 120_000)
})
