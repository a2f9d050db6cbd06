import {
  type DynamoDBClient,
  GetItemCommand,
  TransactionCanceledException,
  TransactionConflictException,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb'
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { type Item, s } from '../../../adapters/dynamodb/attributes.ts'
import { conflictPause } from '../../../adapters/dynamodb/conflicts.ts'
import { DynamoMessages } from '../../../adapters/dynamodb/messages.ts'
import { Table } from '../../../adapters/dynamodb/table.ts'
import { DynamoWebhooks } from '../../../adapters/dynamodb/webhooks.ts'
import { sampleMail, sampleWebhook, uniqueAddress } from '../../contract/sample.ts'

/** DynamoDB Local never rejects a write because of a conflict. */
const CONFLICTS = {
  write: new TransactionConflictException({ message: 'a conflict', $metadata: {} }),
  transaction: new TransactionCanceledException({
    message: 'a conflict',
    $metadata: {},
    CancellationReasons: [{ Code: 'None' }, { Code: 'TransactionConflict' }],
  }),
}
const UNAVAILABLE = { name: 'Problem', code: 'unavailable' }

describe('after a conflict,', () => {
  beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] }))
  afterEach(() => {
    jest.restoreAllMocks()
    jest.useRealTimers()
  })

  let sent: number
  const refusing = (conflict: Error) => {
    sent = 0
    return { send: () => Promise.reject(++sent && conflict) } as unknown as DynamoDBClient
  }

  test.each([
    [1, 0, 6.875],
    [1, 1, 27.5],
    [10, 1, 64.84],
    [15, 1, 100],
    [49, 0, 25],
    [49, 1, 100],
  ])('the wait after attempt %d, with the chance of %d, is %d ms', (tries, random, ms) => {
    jest.spyOn(Math, 'random').mockReturnValue(random)
    const timer = jest.spyOn(globalThis, 'setTimeout')
    void conflictPause(tries, CONFLICTS.write)
    expect(timer).toHaveBeenCalledTimes(1)
    expect(timer.mock.lastCall?.[1]).toBeCloseTo(ms, 1)
  })

  test.each(['put', 'update', 'delete'] as const)(
    'a %s is retried, and the store is unavailable after 50 attempts',
    async (command) => {
      const table = new Table(refusing(CONFLICTS.write), 'any')
      const key = { pk: s('x') }
      const written =
        command === 'update'
          ? table.update(key, 'SET #a = :a', { values: { ':a': s('') } })
          : table[command](key)
      const ended = expect(written).rejects.toMatchObject({ ...UNAVAILABLE, cause: CONFLICTS.write })
      await jest.runAllTimersAsync()
      await ended
      expect(sent).toBe(50)
    },
  )

  test('adding and removing a webhook is retried, and the store is unavailable after 50 attempts', async () => {
    const webhook = sampleWebhook(Date.now())
    let transactions = 0
    const send = async (command: object) => {
      if (command instanceof GetItemCommand) return { Item: items.get(command.input.Key!.pk!.S!) }
      transactions++
      throw CONFLICTS.transaction
    }
    const items = new Map<string, Item>()
    const webhooks = new DynamoWebhooks(new Table({ send } as unknown as DynamoDBClient, 'keys'), Date.now)
    const ends = async (written: Promise<unknown>) => {
      transactions = 0
      const ended = expect(written).rejects.toMatchObject(UNAVAILABLE)
      await jest.runAllTimersAsync()
      await ended
      expect(transactions).toBe(50)
    }
    await ends(webhooks.add(webhook, 20))
    items.set(`webhook#${webhook.id}`, { webhook: s(JSON.stringify(webhook)) })
    await ends(webhooks.remove(webhook.id))
  })

  test('storing is retried, and the store is unavailable after 50 attempts', async () => {
    const client = {
      async send(command: object) {
        if (!(command instanceof TransactWriteItemsCommand)) return {}
        sent++
        throw CONFLICTS.transaction
      },
    } as unknown as DynamoDBClient
    const emails = new DynamoMessages({
      mail: new Table(client, 'mail'),
      keys: new Table(client, 'keys'),
      blobs: { put: async () => {}, remove: async () => {} },
      clock: Date.now,
    })
    for (const recipients of [[uniqueAddress()], [uniqueAddress(), uniqueAddress()]]) {
      sent = 0
      const ended = expect(emails.store(sampleMail(recipients))).rejects.toMatchObject(UNAVAILABLE)
      await jest.runAllTimersAsync()
      await ended
      expect(sent).toBe(50)
    }
  })
})

test('a transaction that fails validation is not retried', async () => {
  let sent = 0
  const refusal = new TransactionCanceledException({
    message: 'an item is too large',
    $metadata: {},
    CancellationReasons: [{ Code: 'None' }, { Code: 'ValidationError' }],
  })
  const client = { send: () => Promise.reject(++sent && refusal) } as unknown as DynamoDBClient
  await expect(new Table(client, 'any').transact([])).rejects.toBe(refusal)
  expect(sent).toBe(1)
})
