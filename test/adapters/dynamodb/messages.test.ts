import { randomBytes } from 'node:crypto'
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { DynamoMessages } from '../../../adapters/dynamodb/messages.ts'
import { Table } from '../../../adapters/dynamodb/table.ts'
import type { Person } from '../../../reading/message.ts'
import { createTables, type LocalDynamoDb, type LocalTables } from '../../aws/dynamodb-local.ts'
import { describeOnDynamoDb, sharedDynamoDb } from '../../aws/on-dynamodb.ts'
import { sampleContent, sampleMail, uniqueAddress, uniqueDomain } from '../../contract/sample.ts'
import { failing } from './faults.ts'

describeOnDynamoDb('Emails on DynamoDB', () => {
  let dynamo: LocalDynamoDb
  let tables: LocalTables

  beforeAll(async () => {
    dynamo = await sharedDynamoDb()
    tables = await createTables(dynamo.client)
  })
  afterAll(() => dynamo.stop())

  function open(client: DynamoDBClient): DynamoMessages {
    const mail = new Table(client, tables.mailTable)
    const keys = new Table(client, tables.keysTable)
    return new DynamoMessages({
      mail,
      keys,
      blobs: { put: async () => {}, remove: async () => {} },
      clock: Date.now,
    })
  }

  test('an email whose delivery item has expired is removed, but not reported as the last one', async () => {
    const emails = open(dynamo.client)
    const keys = new Table(dynamo.client, tables.keysTable)
    const mail = sampleMail([uniqueAddress(), uniqueAddress()])
    const stored = await emails.store(mail)
    await keys.delete({ pk: { S: `delivery#${mail.messageId}` } })
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
})
