import { randomBytes } from 'node:crypto'
import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { TABLES } from '../../../adapters/aws/env.ts'
import { DynamoDomains } from '../../../adapters/dynamodb/domains.ts'
import { DynamoMessages } from '../../../adapters/dynamodb/messages.ts'
import { Recent } from '../../../adapters/dynamodb/recent.ts'
import { Table } from '../../../adapters/dynamodb/table.ts'
import type { Person } from '../../../core/mail/message.ts'
import { createTables, type LocalDynamoDb, type LocalTables } from '../../aws/dynamodb-local.ts'
import { describeOnDynamoDb, sharedDynamoDb } from '../../aws/on-dynamodb.ts'
import {
  putDomain,
  sampleContent,
  sampleDomain,
  sampleMail,
  uniqueAddress,
  uniqueDomain,
  uniqueHash,
} from '../../contract/sample.ts'
import { failing } from './faults.ts'

describeOnDynamoDb('Emails on DynamoDB', () => {
  let dynamo: LocalDynamoDb
  let tables: LocalTables

  beforeAll(async () => {
    dynamo = await sharedDynamoDb()
    tables = await createTables(dynamo.client)
  }, 40_000)
  afterAll(() => dynamo.stop())

  function open(client: DynamoDBClient, recent?: Recent) {
    const mail = new Table(client, tables.mailTable)
    const keys = new Table(client, tables.keysTable)
    const blobs = { remove: async () => {} }
    return {
      emails: new DynamoMessages({ mail, keys, blobs, clock: Date.now }),
      domains: new DynamoDomains(mail, Date.now, recent),
    }
  }

  /** An index that has not caught up: nothing is in it yet. */
  function lagging(): DynamoDBClient {
    const send = async (command: object) =>
      command instanceof QueryCommand && command.input.IndexName === TABLES.mail.index.name
        ? { Items: [] }
        : dynamo.client.send(command as QueryCommand)
    return { send } as unknown as DynamoDBClient
  }

  test('finds the domains of a key that the index does not show yet, when they were announced', async () => {
    const recent = new Recent(Date.now)
    const { domains } = open(lagging(), recent)
    const key_hash = uniqueHash()
    const domain = await putDomain(domains, sampleDomain({ key_hash }))
    recent.add({ type: 'domain', name: domain.name, domain })
    recent.add({ type: 'domain', name: uniqueDomain(), domain: undefined })
    expect(await domains.withKey(key_hash)).toEqual([domain])
    expect(await domains.withKey(uniqueHash())).toEqual([])
  })

  test.each([
    ['control characters', () => '\u0001'.repeat(512)],
    ['random bytes', () => randomBytes(256).toString('latin1')],
    ['characters of three bytes', () => '漢'.repeat(170)],
    ['halves of surrogate pairs', () => '\ud800'.repeat(170)],
  ])('keeps the longest lists of names, of %s', async (_, name) => {
    const { emails } = open(dynamo.client)
    const people = (): Person[] =>
      Array.from({ length: 100 }, () => ({ name: name(), address: `${name().slice(0, 300)}@x.test` }))
    const content = sampleContent({
      from: people()[0]!,
      to: people(),
      cc: people(),
      subject: name().repeat(8),
      body_text: randomBytes(8192).toString('latin1'),
      links: Array.from({ length: 50 }, () => `https://x.test/${randomBytes(1000).toString('hex')}`),
      action_link: {
        url: `https://x.test/${randomBytes(1000).toString('hex')}`,
        text: name(),
        kind: 'reset',
      },
    })
    const [email] = await emails.store(sampleMail([uniqueAddress()], { content }))
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
    const { emails } = open(client)
    const failed = expect(emails.page(uniqueAddress(), { limit: 1 })).rejects
    await failed.toMatchObject(isUnavailable ? { code: 'unavailable' } : { name })
    await expect(emails.check()).rejects.toMatchObject({ code: 'unavailable' })
  })
})
