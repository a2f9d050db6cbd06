import { createHash } from 'node:crypto'
import type { S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { HEADS } from '../../../adapters/dynamodb/heads.ts'
import { MINUTE_MS, REPLAY_BATCH } from '../../../core/limits.ts'
import { type AwsStore, openStore } from '../../../service/aws-store.ts'
import { createTables, type LocalDynamoDb } from '../../aws/dynamodb-local.ts'
import { describeOnDynamoDb, sharedDynamoDb } from '../../aws/on-dynamodb.ts'
import {
  FIRST_ID,
  HOUR_MS,
  readReplay,
  sampleContent,
  sampleMail,
  unique,
  uniqueAddress,
  uniqueDomain,
  uniqueHash,
} from '../../contract/sample.ts'
import { type Consumed, meter } from './capacity.ts'

/** 2,000 characters of text that hardly compresses. */
const TEXT = Array.from({ length: 40 }, (_, i) => createHash('sha256').update(`${i}`).digest('base64'))
  .join(' ')
  .slice(0, 2000)

describeOnDynamoDb('What the store consumes, for mails of 2 KB', () => {
  let dynamo: LocalDynamoDb
  let store: AwsStore
  let measured: ReturnType<typeof meter>
  const rows: [string, Consumed][] = []

  beforeAll(async () => {
    dynamo = await sharedDynamoDb()
    const tables = await createTables(dynamo.client)
    const s3 = { send: async () => ({}) } as unknown as S3Client
    store = openStore({ ...tables, bucket: 'none', dynamo: dynamo.client, s3 })
    // The first requests of DynamoDB Local are slow, and a store that waits a second sends
    // additional ones.
    await store.emails.store(mail([uniqueAddress()]))
    measured = meter(dynamo.client)
  })
  afterAll(async () => {
    process.stdout.write(table(rows))
    await dynamo.stop()
  })

  const mail = (recipients: string[]) =>
    sampleMail(recipients, { summary: sampleContent({ bodyText: TEXT, size: 2048 }) })

  async function fill(address: string, count: number): Promise<string[]> {
    const ids: string[] = []
    await Promise.all(
      Array.from({ length: count }, async () => {
        const [email] = await store.emails.store(mail([address]))
        ids.push(email!.id)
      }),
    )
    return ids.sort()
  }

  async function measure(name: string, work: () => Promise<unknown>): Promise<Consumed> {
    const consumed = await measured(work)
    rows.push([name, consumed])
    return consumed
  }

  test('storing is one transaction that writes the delivery, the head, the email and the log', async () => {
    const consumed = await measure('store, 1 recipient', () => store.emails.store(mail([uniqueAddress()])))
    // A write in a transaction consumes twice its units; the email has up to 3 KB.
    expect(consumed.requests).toEqual(['TransactWriteItems'])
    expect(consumed.writes).toBeLessThanOrEqual(2 * (1 + 1 + 3 + 1))
    expect(consumed.indexWrites).toBe(0)
    expect(consumed.reads).toBe(0)

    const recipients = Array.from({ length: 10 }, () => uniqueAddress())
    const ten = await measure('store, 10 recipients', () => store.emails.store(mail(recipients)))
    expect(ten.requests).toEqual(['TransactWriteItems'])
    expect(ten.writes).toBeLessThanOrEqual(10 * 2 * (1 + 3 + 1) + 2)
    const many = Array.from({ length: 100 }, () => uniqueAddress())
    const hundred = await measure('store, 100 recipients', () => store.emails.store(mail(many)))
    // Five transactions; each of them writes the delivery item, which has about 6 KB.
    expect(hundred.requests).toHaveLength(5)
    expect(hundred.writes).toBeLessThanOrEqual(10 * ten.writes + 5 * 2 * 8)
  })

  test('storing a message a second time', async () => {
    const again = mail([uniqueAddress()])
    await store.emails.store(again)
    const { requests } = await measure('store, again', () => store.emails.store(again))
    expect(requests).toEqual(['TransactWriteItems', 'GetItem'])
  })

  test('a list is one Query', async () => {
    const address = uniqueAddress()
    const ids = await fill(address, 60)
    const list = await measure('list of 50', () => store.emails.page(address, { limit: 50 }))
    expect(list).toMatchObject({ requests: ['Query'], writes: 0 })
    // A unit is 4 KB; the list reads 51 emails of at most 3 KB.
    expect(list.reads).toBeLessThanOrEqual(39)

    const latest = await measure('latest', () => store.emails.page(address, { limit: 1 }))
    // One email, and another one that shows whether there are older ones: 4 KB hold both.
    expect(latest).toMatchObject({ requests: ['Query'], writes: 0 })
    expect(latest.reads).toBeLessThanOrEqual(2)

    const none = await measure('latest, nothing newer', () =>
      store.emails.page(address, { limit: 1, after: ids.at(-1)! }),
    )
    expect(none.requests).toEqual(['Query'])
    expect(none.reads).toBeLessThanOrEqual(1)

    const filter = { subject: 'nowhere' }
    const filtered = await measure('list of 1, filter', () =>
      store.emails.page(address, { limit: 1, filter }),
    )
    // Each query evaluates four times as many emails as the one before it: of 60, 2, 8, 32, and the rest.
    expect(filtered).toMatchObject({ requests: Array(4).fill('Query'), writes: 0 })
  })

  test('a replay', async () => {
    const domain = uniqueDomain()
    const address = uniqueAddress(domain)
    await fill(address, 20)
    const one = await measure('replay of 20, address', () =>
      readReplay(store.emails.replay({ addresses: [address] }, FIRST_ID, 1000)),
    )
    expect(one).toMatchObject({ requests: ['Query', 'BatchGetItem'], writes: 0 })
    const all = await measure('replay of 20, domain', () =>
      readReplay(store.emails.replay({ domains: [domain] }, FIRST_ID, 1000)),
    )
    // The domain's record and the four partitions of its log; the first replay also raises the heads.
    const log = ['BatchGetItem', ...Array(4).fill('Query')]
    const raises = Array(HEADS).fill('UpdateItem')
    expect(all.requests).toEqual([...log, ...raises, ...log, 'BatchGetItem'])
    const again = await measure('replay of 20, domain, again', () =>
      readReplay(store.emails.replay({ domains: [domain] }, FIRST_ID, 1000)),
    )
    expect(again.requests).toEqual([...log, ...log, 'BatchGetItem'])
  })

  test('opening a stream over a domain costs the same whatever has expired', async () => {
    const domain = uniqueDomain()
    const expired = sampleMail(
      Array.from({ length: 200 }, () => uniqueAddress(domain)),
      { retentionMs: -HOUR_MS },
    )
    await store.emails.store(expired)
    const opened = await measure('open over 200 expired', () =>
      store.emails.barrier({ domains: [domain] }, ''),
    )
    expect(opened.requests.filter((request) => request === 'Query')).toHaveLength(4)
    // One entry of each part of the log.
    expect(opened.reads).toBeLessThanOrEqual(4)
  })

  test('a replay whose reader stops', async () => {
    const address = uniqueAddress()
    await fill(address, REPLAY_BATCH * 2 + 1)
    const replay = store.emails.replay({ addresses: [address] }, FIRST_ID, 1000)[Symbol.asyncIterator]()
    const first = await measure('replay of 101, one batch', () => replay.next())
    expect(first.requests).toEqual(['Query', 'BatchGetItem'])
    const second = await measure('replay of 101, the next', () => replay.next())
    expect(second.requests).toEqual(['BatchGetItem'])
    // As many emails as one batch holds.
    expect(second.reads).toBeLessThanOrEqual(REPLAY_BATCH)
    await replay.return?.()
  })

  test('reading and marking as read', async () => {
    const address = uniqueAddress()
    const [id] = await fill(address, 1)
    const find = await measure('find', () => store.emails.find(address, id!))
    expect(find).toMatchObject({ requests: ['GetItem'], reads: 1, writes: 0 })
    const read = await measure('mark as read', () => store.emails.markRead(address, id!))
    expect(read).toMatchObject({ requests: ['UpdateItem'], indexWrites: 0 })
    expect(read.writes).toBeLessThan(4)
    const again = await measure('mark as read, again', () => store.emails.markRead(address, id!))
    expect(again.requests).toEqual(['UpdateItem'])
  })

  test('removing', async () => {
    const address = uniqueAddress()
    const ids = await fill(address, 11)
    const one = await measure('remove', () => store.emails.remove(address, ids[0]!))
    expect(one.requests).toEqual(['GetItem', 'UpdateItem', 'DeleteItem', 'DeleteItem'])
    expect(one.writes).toBeLessThanOrEqual(1 + 3 + 1)
    const ten = await measure('remove all, 10', () => store.emails.removeAll(address))
    expect(ten.requests).toHaveLength(3 + 10 * 3)
  })

  test('authentication is one write once the key is in use', async () => {
    const now = Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS
    const hash = uniqueHash()
    await store.keys.add({ hash, purpose: 'test', createdAt: now, expiresAt: now + HOUR_MS })
    const admit = (at: number) => () => store.keys.admit(hash, 120, at)
    await measure('authenticate, first of a minute', admit(now))
    const steady = await measure('authenticate', admit(now + 1))
    expect(steady).toEqual({ requests: ['UpdateItem'], reads: 0, writes: 1, indexWrites: 0 })
    const unknown = await measure('authenticate, unknown key', () => store.keys.admit(uniqueHash(), 120, now))
    expect(unknown.requests).toEqual(['UpdateItem'])
  })

  test('quotas, names and domains', async () => {
    const now = Date.now()
    const subject = unique()
    const take = await measure('quota', () => store.limits.take('keys', subject, 5, HOUR_MS, now))
    expect(take).toMatchObject({ requests: ['GetItem', 'UpdateItem'], writes: 1 })
    const lease = await measure('lease numbers', () => store.limits.lease(unique(), 1000, 'secret'))
    expect(lease).toMatchObject({ requests: ['UpdateItem'], writes: 1 })
    const find = await measure('find a domain', () => store.domains.find(uniqueDomain()))
    expect(find.reads).toBeLessThanOrEqual(1)
  })
})

function table(rows: [string, Consumed][]): string {
  const lines = rows.map(([name, { requests, reads, writes, indexWrites }]) =>
    [name.padEnd(34), requests.length, reads, writes, indexWrites]
      .map((cell) => String(cell).padStart(9))
      .join(''),
  )
  const head = `${'operation'.padEnd(34)} requests    reads   writes of index`
  // DynamoDB bills a failed conditional write like a successful one; DynamoDB Local does not report
  // it.
  return `\n${[head, ...lines].join('\n')}\nWrites that a condition refuses are not in here.\n\n`
}
