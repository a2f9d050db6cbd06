import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { Table } from '../../../adapters/dynamodb/table.ts'
import { DynamoWebhooks } from '../../../adapters/dynamodb/webhooks.ts'
import { SECOND_MS } from '../../../core/limits.ts'
import { createTables, type LocalDynamoDb } from '../../aws/dynamodb-local.ts'
import { describeOnDynamoDb, sharedDynamoDb } from '../../aws/on-dynamodb.ts'
import { HOUR_MS, sampleWebhook, uniqueAddress, uniqueDomain } from '../../contract/sample.ts'

describeOnDynamoDb('Webhooks on DynamoDB', () => {
  let dynamo: LocalDynamoDb
  let table: Table
  let webhooks: DynamoWebhooks
  // Whole seconds. DynamoDB Local deletes what has expired by its own clock.
  let now = Math.ceil(Date.now() / SECOND_MS) * SECOND_MS

  beforeAll(async () => {
    dynamo = await sharedDynamoDb()
    const { keysTable } = await createTables(dynamo.client)
    table = new Table(dynamo.client, keysTable)
    webhooks = new DynamoWebhooks(table, () => now)
  })
  afterAll(() => dynamo.stop())

  test('finds all webhooks of an address or its domain until they are removed or expire', async () => {
    const [address, domain] = [uniqueAddress(), uniqueDomain()]
    const [one, two, short, whole] = [
      sampleWebhook(now, { target: { address } }),
      sampleWebhook(now, { target: { address } }),
      sampleWebhook(now, { target: { address }, expiresAt: now + HOUR_MS / 2 }),
      sampleWebhook(now, { target: { domain } }),
    ]
    for (const webhook of [one, two, short, whole]) expect(await webhooks.add(webhook, 20)).toBe(true)
    const watching = async () => (await webhooks.watching([address, domain])).map(({ id }) => id).sort()
    const idsOf = (...of: { id: string }[]) => of.map(({ id }) => id).sort()
    expect(await watching()).toEqual(idsOf(one, two, short, whole))
    await webhooks.remove(one.id)
    expect(await watching()).toEqual(idsOf(two, short, whole))
    now += HOUR_MS / 2
    expect(await watching()).toEqual(idsOf(two, whole))
    expect(await webhooks.find(short.id)).toBeUndefined()
    expect(await webhooks.add(sampleWebhook(now, { keyHash: short.keyHash }), 1)).toBe(true)
    const late = sampleWebhook(now, { target: { address } })
    await webhooks.add(late, 20)
    expect(await watching()).toEqual(idsOf(two, whole, late))
  })

  test('the list of a target expires with its last webhook, and omits expired webhooks', async () => {
    const target = { address: uniqueAddress() }
    const add = async (expiresAt: number) => {
      const webhook = sampleWebhook(now, { target, expiresAt })
      await webhooks.add(webhook, 20)
      return webhook.id
    }
    const list = async () => {
      const item = (await table.get({ pk: { S: `watch#${target.address}` } }))!
      const ids = (JSON.parse(item.entries!.S!) as { id: string }[]).map(({ id }) => id)
      return { ids, expiresAt: Number(item.ttl!.N) * 1000 }
    }
    const long = await add(now + 2 * HOUR_MS)
    await add(now + HOUR_MS)
    expect((await list()).expiresAt).toBe(now + 2 * HOUR_MS)
    now += HOUR_MS
    const late = await add(now + HOUR_MS / 2)
    expect(await list()).toEqual({ ids: [long, late], expiresAt: now + HOUR_MS })
  })
})
