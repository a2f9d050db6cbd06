import {
  type BatchGetItemCommand,
  type DynamoDBClient,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb'
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { type Item, number, s, text } from '../../../adapters/dynamodb/attributes.ts'
import { Table } from '../../../adapters/dynamodb/table.ts'

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] })
  jest.spyOn(Math, 'random').mockReturnValue(1)
})
afterEach(() => {
  jest.restoreAllMocks()
  jest.useRealTimers()
})

const keys = (count: number): Item[] => Array.from({ length: count }, (_, n) => ({ pk: s(`${n}`) }))

/**
 * A table that processes at most this many keys of each request, which DynamoDB Local does only
 * above 16 MB, and the numbers of keys that it was asked for.
 */
function answering(processed: number): { table: Table; asked: number[] } {
  const asked: number[] = []
  const send = async ({ input }: BatchGetItemCommand) => {
    const { Keys = [], ConsistentRead } = input.RequestItems!.any!
    expect(ConsistentRead).toBe(true)
    asked.push(Keys.length)
    const rest = Keys.slice(processed)
    return {
      Responses: { any: Keys.slice(0, processed) },
      UnprocessedKeys: rest.length === 0 ? {} : { any: { Keys: rest } },
    }
  }
  return { table: new Table({ send } as unknown as DynamoDBClient, 'any'), asked }
}

// DynamoDB Local is always consistent. DynamoDB refuses a consistent read of an index.
test('every read is strongly consistent, unless it is of an index', async () => {
  const asked: unknown[] = []
  const send = async ({ input }: { input: { ConsistentRead?: boolean } }) => {
    asked.push(input.ConsistentRead)
    return {}
  }
  const table = new Table({ send } as unknown as DynamoDBClient, 'any')
  await table.get({ pk: s('1') })
  for (const index of [undefined, 'by-domain']) await table.query({ key: 'pk = :pk', index })
  expect(asked).toEqual([true, true, false])
})

test('a batch has at most 100 keys', async () => {
  const { table, asked } = answering(100)
  expect(await table.getAll(keys(201))).toEqual(keys(201))
  expect(asked).toEqual([100, 100, 1])
  expect(await table.getAll([])).toEqual([])
  expect(asked).toHaveLength(3)
})

test('keys that were not processed are asked for again, each time after a longer wait', async () => {
  const { table, asked } = answering(30)
  const timer = jest.spyOn(globalThis, 'setTimeout')
  const items = table.getAll(keys(100))
  await jest.runAllTimersAsync()
  expect(await items).toEqual(keys(100))
  expect(asked).toEqual([100, 70, 40, 10])
  expect(timer.mock.calls.map(([, ms]) => ms)).toEqual([100, 200, 400])
})

test('the store is unavailable if keys stay unprocessed after eight attempts', async () => {
  const { table, asked } = answering(0)
  const refused = expect(table.getAll(keys(1))).rejects.toMatchObject({ code: 'unavailable' })
  await jest.runAllTimersAsync()
  await refused
  expect(asked).toEqual(Array(8).fill(1))
})

/** A table whose transactions are canceled for these reasons, one for each write. */
function canceling(codes: (string | undefined)[], item?: Item): { table: Table; error: Error } {
  const CancellationReasons = codes.map((Code) => ({ Code, Item: item }))
  const error = new TransactionCanceledException({ $metadata: {}, message: 'canceled', CancellationReasons })
  const send = () => Promise.reject(error)
  return { table: new Table({ send } as unknown as DynamoDBClient, 'any'), error }
}

test.each([
  ['TransactionConflict'],
  ['ThrottlingError'],
  ['ProvisionedThroughputExceeded'],
  ['None'],
  [undefined],
])('a transaction that is canceled because of %s may succeed later', async (code) => {
  const { table, error } = canceling([undefined, 'None', code])
  expect(await table.transact([])).toEqual({ done: false, refused: new Map(), conflict: error })
})

test.each([['ValidationError'], ['ItemCollectionSizeLimitExceeded'], ['AccessDenied'], ['DuplicateItem']])(
  'a transaction that is canceled because of %s is an error, also beside a conflict',
  async (code) => {
    const { table, error } = canceling(['TransactionConflict', code])
    await expect(table.transact([])).rejects.toBe(error)
  },
)

test('a transaction whose conditions are not met names these writes with their items', async () => {
  const item = { pk: s('a') }
  const { table } = canceling(['None', 'ConditionalCheckFailed', 'TransactionConflict'], item)
  expect(await table.transact([])).toEqual({ done: false, refused: new Map([[1, item]]) })
})

test('an item without an attribute that it must have is an error that names it', () => {
  expect(() => text({}, 'sender')).toThrow('"sender"')
  expect(() => text({ sender: { N: '1' } }, 'sender')).toThrow('"sender"')
  expect(() => number({ n: s('1') }, 'n')).toThrow('"n"')
})
