import { type AttributeValue, ScanCommand } from '@aws-sdk/client-dynamodb'
import type { S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { DynamoLimits } from '../../../adapters/dynamodb/limits.ts'
import { Table } from '../../../adapters/dynamodb/table.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../core/limits.ts'
import { openStore } from '../../../service/aws-store.ts'
import { createTables, type LocalDynamoDb, type LocalTables } from '../../aws/dynamodb-local.ts'
import { describeOnDynamoDb, sharedDynamoDb } from '../../aws/on-dynamodb.ts'
import { putDomain, sampleDomain, sampleMail, sampleWebhook, uniqueAddress } from '../../contract/sample.ts'

/**
 * Not a whole number of seconds: DynamoDB counts in seconds, and must not be early. DynamoDB Local deletes what has
 * expired by its own clock, so this is the time of the run.
 */
const NOW = Math.ceil(Date.now() / SECOND_MS) * SECOND_MS + 1

describeOnDynamoDb('When DynamoDB deletes what the store wrote', () => {
  let dynamo: LocalDynamoDb
  let tables: LocalTables

  beforeAll(async () => {
    dynamo = await sharedDynamoDb()
    tables = await createTables(dynamo.client)
  })
  afterAll(() => dynamo.stop())

  async function itemsOf(name: string): Promise<Record<string, AttributeValue>[]> {
    return (await dynamo.client.send(new ScanCommand({ TableName: name }))).Items ?? []
  }

  test('each kind of item has its time, and registrations and sequences have none', async () => {
    const s3 = { send: async () => ({}) } as unknown as S3Client
    const store = openStore({ ...tables, bucket: 'none', clock: () => NOW, dynamo: dynamo.client, s3 })
    const address = uniqueAddress()
    await store.emails.store(sampleMail([address], { retentionMs: HOUR_MS }))
    await putDomain(store.domains, sampleDomain())
    await store.keys.add({ hash: 'hash', purpose: '', createdAt: NOW, expiresAt: NOW + DAY_MS })
    await store.limits.take('keys', 'one', 5, MINUTE_MS, NOW)
    await store.limits.lease('names', 10, 'secret')
    const webhook = sampleWebhook(NOW, { target: { address }, expiresAt: NOW + 2 * DAY_MS })
    await store.webhooks.add(webhook, 20)
    const attempt = { at: NOW, delivery: 'x', type: 'ping', status: 204, error: null, ms: 3, nextAt: null }
    await store.webhooks.record(webhook.id, { ...attempt, type: 'ping' })

    const found = new Map<string, number | undefined>()
    for (const { pk, ttl: time } of [
      ...(await itemsOf(tables.mailTable)),
      ...(await itemsOf(tables.keysTable)),
    ])
      found.set(pk!.S!.replace(/#.*/, ''), time?.N === undefined ? undefined : Number(time.N))
    const after = (ms: number) => Math.ceil((NOW + ms) / 1000)
    expect(Object.fromEntries(found)).toEqual({
      address: after(HOUR_MS),
      log: after(HOUR_MS),
      // Longer than SQS redelivers the message.
      message: after(HOUR_MS + 15 * DAY_MS),
      head32: after(15 * DAY_MS),
      // An expired key is reported as such for a week.
      key: after(DAY_MS + 7 * DAY_MS),
      quota: after(MINUTE_MS),
      webhook: after(2 * DAY_MS),
      webhooks: after(2 * DAY_MS),
      watch: after(2 * DAY_MS),
      'webhook-attempt': after(2 * DAY_MS),
      domains: undefined,
      sequence: undefined,
    })
  })

  test('a quota has the time when its last use no longer counts', async () => {
    const keys = new Table(dynamo.client, tables.keysTable)
    // The clock of one process may be ahead of the clock of another.
    for (const at of [NOW + 4999, NOW]) await new DynamoLimits(keys).take('keys', 'two', 5, MINUTE_MS, at)
    const item = await keys.get({ pk: { S: 'quota#keys#two' } })
    expect(item!.ttl).toEqual({ N: String((NOW + 4999 + MINUTE_MS) / 1000) })
  })
})
