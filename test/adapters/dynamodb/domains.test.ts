import { readFileSync } from 'node:fs'
import {
  BatchWriteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { TABLES } from '../../../adapters/aws/env.ts'
import { ChangeCache } from '../../../adapters/dynamodb/change-cache.ts'
import { DynamoDomains } from '../../../adapters/dynamodb/domains.ts'
import { Table } from '../../../adapters/dynamodb/table.ts'
import type { Change } from '../../../core/events/ports.ts'
import { inParallel } from '../../../core/parallel.ts'
import { lastUlidOf } from '../../../core/ulid.ts'
import { createTables, type LocalDynamoDb } from '../../aws/dynamodb-local.ts'
import { describeOnDynamoDb, sharedDynamoDb } from '../../aws/on-dynamodb.ts'
import { putDomain, sampleDomain, uniqueDomain, uniqueHash } from '../../contract/sample.ts'

const SCALE = new URL('../../../docs/scale.md', import.meta.url)
/** A Query returns at most 1 MB: about 500 domains with the longest names and this key. */
const MANY = 700
const LONG_KEY = 'k'.repeat(1500)
const LABEL = 'a-name-of-sixty-three-characters-which-is-the-most-there-can-be'

describeOnDynamoDb('Domains on DynamoDB', () => {
  let dynamo: LocalDynamoDb

  beforeAll(async () => {
    dynamo = await sharedDynamoDb()
  })
  afterAll(() => dynamo.stop())

  /** A client whose index has not caught up: it contains no item yet. */
  function lagging(): DynamoDBClient {
    const send = async (command: object) =>
      command instanceof QueryCommand && command.input.IndexName === TABLES.mail.index.name
        ? { Items: [] }
        : dynamo.client.send(command as QueryCommand)
    return { send } as unknown as DynamoDBClient
  }

  test('finds domains of a key that the index does not contain yet, if their changes were published', async () => {
    const changeCache = new ChangeCache(Date.now)
    const { mailTable } = await createTables(dynamo.client)
    const domains = new DynamoDomains(new Table(lagging(), mailTable), Date.now, changeCache)
    const keyHash = uniqueHash()
    const domain = await putDomain(domains, sampleDomain({ keyHash }))
    changeCache.add({ type: 'domain', name: domain.name, domain })
    changeCache.add({ type: 'domain', name: uniqueDomain(), domain: undefined })
    expect(await domains.withKey(keyHash)).toEqual([domain])
    expect(await domains.withKey(uniqueHash())).toEqual([])
  })

  test('the command of docs/scale.md raises the parts of a log, and never lowers them', async () => {
    const { mailTable } = await createTables(dynamo.client)
    const domains = new DynamoDomains(new Table(dynamo.client, mailTable), Date.now)
    const domain = await putDomain(domains, sampleDomain())
    const command = readFileSync(SCALE, 'utf8')
    const option = (name: string) => new RegExp(`--${name} '(.*)' ?\\\\?$`, 'm').exec(command)![1]!
    const update = (parts: number) =>
      dynamo.client.send(
        new UpdateItemCommand({
          TableName: mailTable,
          Key: JSON.parse(option('key').replace('example.com', domain.name)),
          ConditionExpression: option('condition-expression'),
          UpdateExpression: option('update-expression'),
          ExpressionAttributeValues: JSON.parse(
            option('expression-attribute-values')
              .replace('"32"', `"${parts}"`)
              .replace("'$(uuidgen)'", `revision-${parts}`),
          ),
        }),
      )
    await update(32)
    expect(await domains.find(domain.name)).toEqual({ ...domain, logParts: 32, revision: 'revision-32' })
    await expect(update(16)).rejects.toMatchObject({ name: 'ConditionalCheckFailedException' })
    await update(64)
    expect((await domains.find(domain.name))?.logParts).toBe(64)
  })

  test('a registration hides mail by ids of clocks that are up to two seconds ahead', async () => {
    const { mailTable } = await createTables(dynamo.client)
    const now = 1_790_000_000_000
    const domains = new DynamoDomains(new Table(dynamo.client, mailTable), () => now)
    const { visibleAfter } = await putDomain(domains, sampleDomain())
    expect(visibleAfter).toBe(lastUlidOf(now + 2000))
  })

  test('lists more domains, in total and of one key, than a single Query returns', async () => {
    const { mailTable } = await createTables(dynamo.client)
    const domains = new DynamoDomains(new Table(dynamo.client, mailTable), Date.now)
    const keyHash = LONG_KEY
    const first = await putDomain(domains, sampleDomain({ keyHash }))
    const names = Array.from({ length: MANY }, (_, n) => `${n}.${`${LABEL}.`.repeat(3)}example`)
    const { Item } = await dynamo.client.send(
      new GetItemCommand({
        TableName: mailTable,
        Key: { pk: { S: TABLES.mail.domains }, sk: { S: first.name } },
      }),
    )
    const starts = Array.from({ length: MANY / 25 }, (_, n) => n * 25)
    await inParallel(starts, 10, async (at) => {
      const puts = names
        .slice(at, at + 25)
        .map((name) => ({ PutRequest: { Item: { ...Item!, sk: { S: name } } } }))
      await dynamo.client.send(new BatchWriteItemCommand({ RequestItems: { [mailTable]: puts } }))
    })
    const all = [first.name, ...names].sort()
    expect((await domains.list()).map(({ name }) => name).sort()).toEqual(all)
    expect((await domains.withKey(keyHash)).map(({ name }) => name)).toEqual(all)
  })
})

test('a change stays in the cache for a minute, counted from its last change for a domain', () => {
  let now = 0
  const changeCache = new ChangeCache(() => now)
  const changes = (name: string) => changeCache.add({ type: 'domain', name, domain: undefined })
  const arrives = (id: string) => changeCache.add({ type: 'email', email: { id } } as Change)
  const cached = () => [changeCache.domains(), ['1', '2', '3'].filter((id) => changeCache.has(id))]
  changes('x.test')
  arrives('1')
  now = 10_000
  changes('y.test')
  arrives('2')
  now = 50_000
  changes('x.test')
  changeCache.add({ type: 'email-read', domain: 'x.test', address: 'a@x.test', id: '3' })
  expect(cached()).toEqual([
    ['y.test', 'x.test'],
    ['1', '2'],
  ])
  now = 70_000
  changes('z.test')
  expect(cached()).toEqual([['y.test', 'x.test', 'z.test'], ['2']])
  now = 75_000
  changes('z.test')
  expect(cached()).toEqual([['x.test', 'z.test'], []])
})
