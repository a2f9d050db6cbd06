import { beforeEach, describe, expect, test } from '@jest/globals'
import { unavailable } from '../../../adapters/aws/errors.ts'
import { COPIES_PER_TRANSACTION, type Copy } from '../../../adapters/dynamodb/copy.ts'
import { HeadQueues } from '../../../adapters/dynamodb/head-queues.ts'
import type { Email } from '../../../core/inbox/email.ts'
import { sampleMail } from '../../contract/sample.ts'

/** One transaction, which the test ends. */
interface Transaction {
  copies: Copy[]
  /** Takes more copies from the queue, as after a conflict. */
  join: () => Copy[]
  end: (failure?: Error) => void
}

let transactions: Transaction[]
let queues: HeadQueues

beforeEach(() => {
  transactions = []
  queues = new HeadQueues(
    // The head is the domain.
    { of: (address) => address.slice(address.indexOf('@') + 1) },
    {
      store(copies, queue) {
        const { promise, resolve, reject } = Promise.withResolvers<Map<Copy, Email | undefined>>()
        const all = [...copies]
        transactions.push({
          copies: all,
          join() {
            const joining = queue?.join() ?? []
            all.push(...joining)
            return joining
          },
          end: (failure) =>
            failure === undefined
              ? resolve(new Map(all.map((copy) => [copy, { id: copy.address } as Email])))
              : reject(failure),
        })
        return promise
      },
    },
  )
})

function copyOf(address: string, mail = sampleMail([address])): Copy {
  const state = { mail, recipients: mail.recipients, known: undefined }
  return { state, address, minted: { id: 'minted', keyHash: undefined } }
}

/** Runs what waits for the end of a transaction. */
const settled = () => new Promise((resolve) => setImmediate(resolve))
const addresses = ({ copies }: Transaction) => copies.map(({ address }) => address)

test('a copy is stored at once with its id; copies that wait for its head are stored together with new ids', async () => {
  const first = queues.store(copyOf('1@a'))
  const waiting = [queues.store(copyOf('2@a')), queues.store(copyOf('3@a'))]
  expect(transactions.map(addresses)).toEqual([['1@a']])
  expect(transactions[0]!.copies[0]!.minted?.id).toBe('minted')
  transactions[0]!.end()
  expect((await first)?.id).toBe('1@a')
  await settled()
  expect(transactions.map(addresses)).toEqual([['1@a'], ['2@a', '3@a']])
  for (const copy of transactions[1]!.copies) expect(copy.minted).toBeUndefined()
  transactions[1]!.end()
  expect((await Promise.all(waiting)).map((email) => email?.id)).toEqual(['2@a', '3@a'])
  // Nothing waits any more.
  void queues.store(copyOf('4@a'))
  expect(addresses(transactions[2]!)).toEqual(['4@a'])
})

test('copies of other heads do not wait', () => {
  void queues.store(copyOf('1@a'))
  void queues.store(copyOf('1@b'))
  expect(transactions.map(addresses)).toEqual([['1@a'], ['1@b']])
})

test('a transaction stores at most 24 copies, and one of each message', async () => {
  void queues.store(copyOf('0@a'))
  const shared = sampleMail(['x@a', 'y@a'])
  for (const address of shared.recipients) void queues.store(copyOf(address, shared))
  for (let n = 1; n <= COPIES_PER_TRANSACTION; n++) void queues.store(copyOf(`${n}@a`))
  transactions[0]!.end()
  await settled()
  const numbers = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, i) => `${from + i}@a`)
  expect(addresses(transactions[1]!)).toEqual(['x@a', ...numbers(1, 23)])
  transactions[1]!.end()
  await settled()
  expect(addresses(transactions[2]!)).toEqual(['y@a', '24@a'])
})

test('after a conflict, copies that wait join the transaction up to the same limits', async () => {
  const mail = sampleMail(['1@a', '2@a'])
  const first = queues.store(copyOf('1@a', mail))
  const same = queues.store(copyOf('2@a', mail))
  const others = Array.from({ length: COPIES_PER_TRANSACTION }, (_, n) => queues.store(copyOf(`other${n}@a`)))
  expect(transactions[0]!.join()).toHaveLength(COPIES_PER_TRANSACTION - 1)
  expect(transactions[0]!.join()).toEqual([])
  transactions[0]!.end()
  expect((await Promise.all([first, ...others.slice(0, -1)])).every((email) => email !== undefined)).toBe(
    true,
  )
  await settled()
  expect(addresses(transactions[1]!)).toEqual(['2@a', `other${COPIES_PER_TRANSACTION - 1}@a`])
  transactions[1]!.end()
  expect((await same)?.id).toBe('2@a')
})

describe('when a transaction fails,', () => {
  let ends: Promise<PromiseSettledResult<Email | undefined>[]>

  beforeEach(async () => {
    void queues.store(copyOf('1@a'))
    ends = Promise.allSettled([queues.store(copyOf('2@a')), queues.store(copyOf('3@a'))])
    transactions[0]!.end()
    await settled()
  })

  test('its copies fail if the store is away', async () => {
    const away = unavailable(new Error('away'))
    transactions[1]!.end(away)
    expect(await ends).toMatchObject([{ reason: away }, { reason: away }])
    expect(transactions).toHaveLength(2)
  })

  test('each of its copies is tried alone otherwise, and only the one that can never be stored fails', async () => {
    const tooLarge = new Error('the item is too large')
    transactions[1]!.end(tooLarge)
    await settled()
    // No other copy joins these.
    void queues.store(copyOf('4@a'))
    expect(transactions[2]!.join()).toEqual([])
    transactions[2]!.end(tooLarge)
    await settled()
    transactions[3]!.end()
    expect(await ends).toMatchObject([{ reason: tooLarge }, { value: { id: '3@a' } }])
    await settled()
    expect(transactions.map(addresses)).toEqual([['1@a'], ['2@a', '3@a'], ['2@a'], ['3@a'], ['4@a']])
  })
})
