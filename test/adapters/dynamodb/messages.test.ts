import { randomBytes } from 'node:crypto'
import {
  BatchWriteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { DynamoMessages, type EmailsParts } from '../../../adapters/dynamodb/messages.ts'
import { Table } from '../../../adapters/dynamodb/table.ts'
import type { Part } from '../../../core/inbox/ports.ts'
import { inParallel } from '../../../core/parallel.ts'
import { lastUlidOf } from '../../../core/ulid.ts'
import type { Person } from '../../../reading/message.ts'
import { createTables, type LocalDynamoDb, type LocalTables } from '../../aws/dynamodb-local.ts'
import { describeOnDynamoDb, sharedDynamoDb } from '../../aws/on-dynamodb.ts'
import { sampleContent, sampleMail, uniqueAddress, uniqueDomain } from '../../contract/sample.ts'
import { failing } from './faults.ts'

const NO_BLOBS: EmailsParts['blobs'] = { put: async () => {}, remove: async () => {} }

describeOnDynamoDb('Emails on DynamoDB', () => {
  let dynamo: LocalDynamoDb
  let tables: LocalTables

  beforeAll(async () => {
    dynamo = await sharedDynamoDb()
    tables = await createTables(dynamo.client)
  })
  afterAll(() => dynamo.stop())

  function open(client: DynamoDBClient, blobs = NO_BLOBS): DynamoMessages {
    const mail = new Table(client, tables.mailTable)
    const keys = new Table(client, tables.keysTable)
    return new DynamoMessages({
      mail,
      keys,
      blobs,
      clock: Date.now,
    })
  }

  test('an email whose message item has expired is removed, but not reported as the last one', async () => {
    const emails = open(dynamo.client)
    const keys = new Table(dynamo.client, tables.keysTable)
    const mail = sampleMail([uniqueAddress(), uniqueAddress()])
    const stored = await emails.store(mail)
    await keys.delete({ pk: { S: `message#${mail.messageId}` } })
    for (const { address, id } of stored) {
      expect(await emails.remove(address, id)).toEqual({ messageId: mail.messageId, last: false })
      expect(await emails.find(address, id)).toBeUndefined()
    }
  })

  test('a purge removes the log entries of emails that have expired', async () => {
    const emails = open(dynamo.client)
    const domain = uniqueDomain()
    const stored = []
    for (let n = 0; n < 3; n++) stored.push(...(await emails.store(sampleMail([uniqueAddress(domain)]))))
    const [dropped, ...there] = stored
    const mail = new Table(dynamo.client, tables.mailTable)
    await mail.delete({ pk: { S: `address#${dropped!.address}` }, sk: { S: dropped!.id } })
    const upTo = stored.at(-1)!.id
    expect((await emails.purge(domain, upTo, 10)).removed).toBe(3)
    for (const { address, id } of there) expect(await emails.find(address, id)).toBeUndefined()
    expect(await emails.purge(domain, upTo, 10)).toEqual({ removed: 0, orphans: [] })
  })

  test.each([
    ['control characters', () => '\u0001'.repeat(512)],
    ['random bytes', () => randomBytes(256).toString('latin1')],
    ['characters of three bytes', () => '漢'.repeat(170)],
    ['halves of surrogate pairs', () => '\ud800'.repeat(170)],
  ])('keeps the longest lists of names, made of %s', async (_, name) => {
    const emails = open(dynamo.client)
    const people = (): Person[] =>
      Array.from({ length: 100 }, () => ({ name: name(), address: `${name().slice(0, 300)}@x.test` }))
    const content = sampleContent({
      from: people()[0]!,
      to: people(),
      cc: people(),
      subject: name().repeat(8),
      bodyText: randomBytes(8192).toString('latin1'),
      links: Array.from({ length: 50 }, () => `https://x.test/${randomBytes(1000).toString('hex')}`),
      actionLink: {
        url: `https://x.test/${randomBytes(1000).toString('hex')}`,
        text: name(),
        kind: 'reset',
      },
    })
    const [email] = await emails.store(sampleMail([uniqueAddress()], { summary: content }))
    expect(email).toMatchObject(content)
    expect((await emails.find(email!.address, email!.id))?.email).toEqual(email)
  })

  test.each([
    ['ProvisionedThroughputExceededException', true],
    ['ThrottlingException', true],
    ['RequestLimitExceeded', true],
    ['InternalServerError', true],
    ['TimeoutError', true],
    ['ValidationException', false],
    ['ResourceNotFoundException', false],
  ])('%s is unavailable: %s', async (name, isUnavailable) => {
    const client = { send: () => Promise.reject(failing(name)) } as unknown as DynamoDBClient
    const emails = open(client)
    const failed = expect(emails.page(uniqueAddress(), { limit: 1 })).rejects
    await failed.toMatchObject(isUnavailable ? { code: 'unavailable' } : { name })
    await expect(emails.check()).rejects.toMatchObject({ code: 'unavailable' })
  })

  test.each(['mailTable', 'keysTable'] as const)(
    'the check fails if the %s does not answer',
    async (table) => {
      const send = (command: GetItemCommand) =>
        command.input.TableName === tables[table]
          ? Promise.reject(failing('ResourceNotFoundException'))
          : dynamo.client.send(command)
      const emails = open({ send } as unknown as DynamoDBClient)
      await expect(emails.check()).rejects.toMatchObject({ code: 'unavailable' })
      await expect(open(dynamo.client).check()).resolves.toBeUndefined()
    },
  )

  test('the parts of a message are stored before its emails, and without them there are no emails', async () => {
    const stored: [string, Part, string][] = []
    let failure: Error | undefined
    const address = uniqueAddress()
    const emails = open(dynamo.client, {
      put: async (messageId, part, content) => {
        if (failure !== undefined) throw failure
        expect((await emails.page(address, { limit: 1 })).emails).toEqual([])
        stored.push([messageId, part, String(content)])
      },
      remove: async () => {},
    })
    const mail = sampleMail([address])
    const parts = new Map<Part, Uint8Array>([
      ['raw', Buffer.from('the raw mail')],
      ['attachments/0', Buffer.from('attached')],
    ])
    failure = new Error('the bucket is away')
    await expect(emails.store(mail, parts)).rejects.toBe(failure)
    failure = undefined
    await emails.store(mail, parts)
    expect(stored.sort(([, one], [, other]) => (one > other ? -1 : 1))).toEqual([
      [mail.messageId, 'raw', 'the raw mail'],
      [mail.messageId, 'attachments/0', 'attached'],
    ])
    expect((await emails.page(address, { limit: 2 })).emails).toHaveLength(1)
  })

  test('a message is delivered when all its recipients have their emails, whatever was removed since', async () => {
    const emails = open(dynamo.client)
    // One recipient more than fits into a transaction, and the second transaction fails.
    const mail = sampleMail(Array.from({ length: 25 }, () => uniqueAddress()))
    let transactions = 0
    const send = (command: TransactWriteItemsCommand) =>
      command instanceof TransactWriteItemsCommand && ++transactions === 2
        ? Promise.reject(failing('InternalServerError'))
        : dynamo.client.send(command)
    expect(await emails.delivered(mail.messageId)).toBeUndefined()
    await expect(open({ send } as unknown as DynamoDBClient).store(mail)).rejects.toMatchObject({
      code: 'unavailable',
    })
    expect(await emails.delivered(mail.messageId)).toBeUndefined()
    const delivered = async () => (await emails.delivered(mail.messageId))!.map(({ id }) => id).sort()
    const [first, ...others] = (await emails.store(mail)).sort((a, b) => (a.id < b.id ? -1 : 1))
    expect(await delivered()).toEqual([first, ...others].map((email) => email!.id))
    await emails.remove(first!.address, first!.id)
    expect(await delivered()).toEqual(others.map(({ id }) => id))
  })

  test('a filtered page ends after 1,000 emails, and the next page continues there', async () => {
    const address = uniqueAddress()
    const [email] = await open(dynamo.client).store(sampleMail([address]))
    const { Item } = await dynamo.client.send(
      new GetItemCommand({
        TableName: tables.mailTable,
        Key: { pk: { S: `address#${address}` }, sk: { S: email!.id } },
      }),
    )
    // The email from above is the newest.
    const ids = Array.from({ length: 1050 }, (_, n) => lastUlidOf(n))
    await inParallel(
      Array.from({ length: 42 }, (_, n) => ids.slice(n * 25, n * 25 + 25)),
      10,
      async (some) => {
        const puts = some.map((id) => ({ PutRequest: { Item: { ...Item!, sk: { S: id } } } }))
        await dynamo.client.send(new BatchWriteItemCommand({ RequestItems: { [tables.mailTable]: puts } }))
      },
    )
    const filter = { subject: 'nowhere' }
    const page = await open(dynamo.client).page(address, { limit: 199, filter })
    expect(page).toMatchObject({ emails: [], next: ids[51] })
    expect(await open(dynamo.client).page(address, { limit: 199, filter, before: page.next })).toMatchObject({
      emails: [],
      next: undefined,
    })
  })
})
