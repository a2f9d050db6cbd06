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
  })
  afterAll(() => dynamo.stop())

  test('the table deletes a key some time after it has expired, so that expired keys can be reported as such', async () => {
    const [hash, expiresAt] = [uniqueHash(), 1_790_000_000_000]
    await new DynamoKeys(keys).add({ hash, purpose: '', createdAt: expiresAt - 1000, expiresAt })
    const item = await keys.get({ pk: { S: `key#${hash}` } })
    expect(Number(item!.expires_at!.N) * 1000).toBeGreaterThan(expiresAt)
  })

  test('the table deletes a quota when its last use no longer counts', async () => {
    const limits = new DynamoLimits(keys)
    const now = 1_790_000_000_000
    // The clock of one process may be ahead of the clock of another.
    for (const at of [now + 5000, now]) await limits.take('keys', 'one', 5, 60_000, at)
    const item = await keys.get({ pk: { S: 'quota#keys#one' } })
    expect(item!.expires_at).toEqual({ N: String((now + 5000 + 60_000) / 1000) })
  })
})
