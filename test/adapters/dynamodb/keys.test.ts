import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { DynamoKeys } from '../../../adapters/dynamodb/keys.ts'
import { DynamoLimits } from '../../../adapters/dynamodb/limits.ts'
import { Table } from '../../../adapters/dynamodb/table.ts'
import { createTables, type LocalDynamoDb } from '../../aws/dynamodb-local.ts'
import { describeOnDynamoDb, sharedDynamoDb } from '../../aws/on-dynamodb.ts'
import { uniqueHash } from '../../contract/sample.ts'

describeOnDynamoDb('Keys and quotas on DynamoDB', () => {
  let dynamo: LocalDynamoDb
  let keys: Table

  beforeAll(async () => {
    dynamo = await sharedDynamoDb()
    keys = new Table(dynamo.client, (await createTables(dynamo.client)).keysTable)
  }, 40_000)
  afterAll(() => dynamo.stop())

  test('a key is dropped by the table a while after it has expired, when all know that it was one', async () => {
    const [hash, expiresAt] = [uniqueHash(), 1_790_000_000_000]
    await new DynamoKeys(keys).add({ hash, purpose: '', createdAt: expiresAt - 1000, expiresAt })
    const item = await keys.get({ pk: { S: `key#${hash}` } })
    expect(Number(item!.expires_at!.N) * 1000).toBeGreaterThan(expiresAt)
  })

  test('a quota is dropped by the table when its last use counts no more', async () => {
    const limits = new DynamoLimits(keys)
    const now = 1_790_000_000_000
    // Of two processes one may have a clock that is ahead.
    for (const at of [now + 5000, now]) await limits.take('keys', 'one', 5, 60_000, at)
    const item = await keys.get({ pk: { S: 'quota#keys#one' } })
    expect(item!.expires_at).toEqual({ N: String((now + 5000 + 60_000) / 1000) })
  })
})
