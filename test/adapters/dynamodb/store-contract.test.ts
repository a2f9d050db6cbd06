import { paginateScan } from '@aws-sdk/client-dynamodb'
import type { S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Clock } from '../../../core/clock.ts'
import { type AwsStore, openStore } from '../../../service/aws-store.ts'
import { createTables, type LocalDynamoDb } from '../../aws/dynamodb-local.ts'
import { describeOnDynamoDb, sharedDynamoDb } from '../../aws/on-dynamodb.ts'
import { domainsContract } from '../../contract/domains.ts'
import { expiryContract } from '../../contract/expiry.ts'
import { keysContract } from '../../contract/keys.ts'
import { limitsContract } from '../../contract/limits.ts'
import { emailsContract } from '../../contract/messages.ts'
import type { Opened } from '../../contract/opened.ts'
import { webhooksContract } from '../../contract/webhooks.ts'
import { storedNames } from '../../support/glossary.ts'

describeOnDynamoDb('The store on DynamoDB', () => {
  let dynamo: LocalDynamoDb
  const tableNames: string[] = []

  beforeAll(async () => {
    dynamo = await sharedDynamoDb()
  })
  afterAll(() => dynamo.stop())

  async function openWith(clock: Clock): Promise<AwsStore> {
    const tables = await createTables(dynamo.client)
    tableNames.push(tables.mailTable, tables.keysTable)
    // The bytes of messages have their own tests, on the emulator.
    const s3 = { send: async () => ({}) } as unknown as S3Client
    return openStore({ ...tables, bucket: 'none', clock, dynamo: dynamo.client, s3 })
  }

  async function open(): Promise<Opened<AwsStore>> {
    let offset = 0
    const clock = () => Date.now() + offset
    return {
      ...(await openWith(clock)),
      clock,
      advance: (ms) => {
        offset += ms
      },
      close: async () => {},
    }
  }

  domainsContract('DynamoDB', open)
  emailsContract('DynamoDB', open)
  expiryContract('DynamoDB', async (clock) => ({ ...(await openWith(clock)), close: () => {} }))
  keysContract('DynamoDB', open)
  limitsContract('DynamoDB', open)
  webhooksContract('DynamoDB', open)

  // After the suites, whose items have every attribute.
  test('every attribute has a name of the glossary', async () => {
    const names = new Set<string>()
    for (const TableName of tableNames) {
      for await (const { Items = [] } of paginateScan({ client: dynamo.client }, { TableName })) {
        for (const name of Items.flatMap((item) => Object.keys(item))) names.add(name)
      }
    }
    expect([...names].sort()).toEqual(storedNames('DynamoDB'))
  })
})
