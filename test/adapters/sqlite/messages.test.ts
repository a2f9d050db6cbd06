import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { Database } from '../../../adapters/sqlite/database.ts'
import { portsOn } from '../../../adapters/sqlite/ports.ts'
import { sweep } from '../../../adapters/sqlite/sweep.ts'
import { CATCH_ALL } from '../../../core/access/catch-all.ts'
import { ALL_MAIL } from '../../../core/events/follower.ts'
import { Live } from '../../../core/events/live.ts'
import type { Change } from '../../../core/events/ports.ts'
import type { Part } from '../../../core/inbox/ports.ts'
import { CHANGE_FEED_LAG_MS, PAGE_READ_BYTES, SUMMARY_TEXT_BYTES } from '../../../core/limits.ts'
import { lastUlidOf } from '../../../core/ulid.ts'
import {
  HOUR_MS,
  putDomain,
  readReplay,
  sampleContent,
  sampleDomain,
  sampleMail,
  sampleWebhook,
  unique,
  uniqueAddress,
  uniqueDomain,
  uniqueHash,
} from '../../contract/sample.ts'
import { type OpenWriting, openWriting } from './store-temporary.ts'

/**
 * The ports in the thread that writes: what they leave in the database, and which changes they
 * publish.
 */
let now: number
let opened: OpenWriting

beforeEach(() => {
  now = 1_800_000_000_000
  opened = openWriting(() => now)
})
afterEach(() => opened.close())

const published = (type: Change['type']) => opened.published.flat().filter((change) => change.type === type)
const row = (sql: string, ...values: string[]) => opened.db.raw.prepare(sql).get(...values)
const PARTS = new Map<Part, Uint8Array>([['raw', Buffer.from('raw')]])

async function stored(address: string, bodyText = 'x'): Promise<{ id: string; messageId: string }> {
  const mail = sampleMail([address], { summary: sampleContent({ bodyText }) })
  const [email] = await opened.ports.emails.store(mail)
  return { id: email!.id, messageId: mail.messageId }
}

test('a message that is processed again after all its copies are removed stores no parts', async () => {
  const { emails, blobs } = opened.ports
  const [one, other] = [uniqueAddress(), uniqueAddress()]
  const mail = sampleMail([one, other])
  const first = await opened.writing.commands.storeEmails(mail, PARTS)
  await emails.remove(one, first[0]!.id)
  // One copy remains, so the parts are needed.
  expect(await opened.writing.commands.storeEmails(mail, PARTS)).toMatchObject([{ id: first[1]!.id }])
  expect(await blobs.open(mail.messageId, 'raw')).toBeDefined()
  expect(await emails.remove(other, first[1]!.id)).toEqual({ messageId: mail.messageId, last: true })
  expect(await opened.writing.commands.storeEmails(mail, PARTS)).toEqual([])
  expect(await blobs.open(mail.messageId, 'raw')).toBeUndefined()
})

test('a stream that begins now is resumed after the newest visible email of its scope', async () => {
  const { emails } = opened.ports
  const live = new Live({ subscribe: () => () => {} }, emails, () => now)
  const address = uniqueAddress()
  const addresses = { addresses: [address], domains: [] }
  const replayed = async (start: string) =>
    (await readReplay(emails.replay({ addresses: [address] }, start, 10))).emails.map(({ id }) => id)
  const first = live.startId(addresses)
  const earlier = await stored(address)
  // The stream begins while another email is still written, which has an earlier id than this moment.
  now += 5
  const start = live.startId(addresses)
  now -= 5
  const later = await stored(address)
  await stored(uniqueAddress())
  expect(start).toBe(earlier.id)
  expect(await replayed(start)).toEqual([later.id])
  expect(await replayed(first)).toEqual([earlier.id, later.id])
  const domain = await putDomain(opened.ports.domains, sampleDomain({ name: address.split('@')[1]! }))
  expect(live.startId({ keyHash: '', domains: [domain] })).toBe(later.id)
  expect(live.startId(ALL_MAIL) > later.id).toBe(true)
  now += HOUR_MS
  expect(live.startId(addresses)).toBe(lastUlidOf(now - CHANGE_FEED_LAG_MS))
})

test('a search of all mail finds a message by a recipient that came when it was processed again', async () => {
  const { name } = await putDomain(opened.ports.domains, sampleDomain())
  const [one, other, third] = [uniqueAddress(name), uniqueAddress(name), uniqueAddress(name)]
  const mail = sampleMail([one])
  await opened.writing.commands.storeEmails(mail, PARTS)
  await opened.writing.commands.storeEmails({ ...mail, recipients: [one, other] }, PARTS)
  const found = async (address: string) =>
    (await opened.ports.allMail.messages({ limit: 10, addresses: [address] })).messages.length
  expect([await found(one), await found(other), await found(third)]).toEqual([1, 1, 0])
})

test('a page of the mail for one recipient examines no text of other mail', async () => {
  const { name } = await putDomain(opened.ports.domains, sampleDomain())
  const to = uniqueAddress(name)
  const { id } = await stored(to)
  for (let n = 0; n < 2 * (PAGE_READ_BYTES / SUMMARY_TEXT_BYTES); n++)
    await stored(uniqueAddress(name), 'x'.repeat(SUMMARY_TEXT_BYTES))
  const page = await opened.ports.allMail.page({ limit: 10, filter: { to } })
  expect([page.emails.map((email) => email.id), page.next]).toEqual([[id], undefined])
})

test('a message that is processed again for the same recipients keeps the parts that belong to its summary', async () => {
  const mail = sampleMail([uniqueAddress()])
  await opened.ports.emails.store(mail, new Map(PARTS))
  await opened.ports.emails.store(mail, new Map<Part, Uint8Array>([['raw', Buffer.from('another')]]))
  expect((await opened.ports.blobs.open(mail.messageId, 'raw'))?.size).toBe(3)
})

test('a message whose parts came first gets new emails and keeps its parts', async () => {
  const mail = sampleMail([uniqueAddress()])
  await opened.ports.blobs.put(mail.messageId, 'body', Buffer.alloc(300_000))
  expect(await opened.writing.commands.storeEmails(mail, PARTS)).toHaveLength(1)
  for (const part of ['raw', 'body'] as const)
    expect(await opened.ports.blobs.open(mail.messageId, part)).toBeDefined()
})

test('two parts of a message are in its row, the others in rows of their own', async () => {
  const mail = sampleMail([uniqueAddress()])
  await opened.writing.commands.storeEmails(
    mail,
    new Map<Part, Uint8Array>([
      ...PARTS,
      ['body', Buffer.from('content')],
      ['attachments/0', Buffer.from('attached')],
    ]),
  )
  expect(opened.db.all('SELECT name FROM parts').map((found) => ({ ...(found as object) }))).toEqual([
    { name: 'attachments/0' },
  ])
  expect((await opened.ports.blobs.open(mail.messageId, 'attachments/0'))?.size).toBe(8)
})

test('removing the last copy removes the text from the database', async () => {
  const address = uniqueAddress()
  const { id, messageId } = await stored(address)
  const text = () => ({
    ...row('SELECT sender, subject, summary FROM messages WHERE id = ?', messageId),
  })
  expect(text()).toEqual({
    sender: expect.stringMatching(/./),
    subject: expect.stringMatching(/./),
    summary: expect.any(String),
  })
  await opened.ports.emails.remove(address, id)
  expect(text()).toEqual({ sender: '', subject: '', summary: null })
})

test('is published as read once, and as cleared only if there was an email', async () => {
  const { emails } = opened.ports
  const address = uniqueAddress()
  const { id } = await stored(address)
  for (let n = 0; n < 2; n++) await opened.writing.commands.markRead(address, id)
  expect(await emails.markRead(address, 'none')).toBeUndefined()
  expect(published('email-read')).toHaveLength(1)
  for (let n = 0; n < 2; n++) {
    await emails.removeAll(address)
    expect(published('inbox-cleared')).toHaveLength(1)
  }
})

test('the check writes, and records its time', async () => {
  await opened.ports.emails.check()
  expect(row("SELECT value FROM meta WHERE name = 'checked_at'")).toMatchObject({
    value: expect.stringContaining(String(now)),
  })
})

test('the check fails if the emails cannot be read, although the writer works', async () => {
  const file = join(opened.dir, 'copy.db')
  opened.db.raw.prepare('VACUUM INTO ?').run(file)
  const reading = new Database(new DatabaseSync(file, { readOnly: true }))
  const { emails } = portsOn(
    reading,
    opened.writing.commands,
    () => now,
    async () => ({}),
  )
  await emails.check()
  // The first page, which holds the schema, stays intact. The pages of the tables do not.
  writeFileSync(file, readFileSync(file).fill(0xa5, 4096))
  // Empties the cache of the connection, so that it reads the file.
  reading.raw.exec('PRAGMA shrink_memory')
  await expect(emails.check()).rejects.toMatchObject({ code: 'unavailable' })
  reading.close()
})

test('a replay of several domains has the newest emails of all in the order of their ids', async () => {
  const domains = [uniqueDomain(), uniqueDomain(), uniqueDomain()]
  const ids: string[] = []
  for (const n of [0, 1, 2, 2, 1, 0, 0, 2, 1]) ids.push((await stored(uniqueAddress(domains[n]))).id)
  for (const limit of [1, 4, 9, 20]) {
    const { emails, missedBefore } = await readReplay(
      opened.ports.emails.replay({ domains: [...domains, domains[0]!] }, '', limit),
    )
    expect(emails.map(({ id }) => id)).toEqual(ids.slice(-limit))
    expect(missedBefore).toBe(limit < ids.length ? emails[0]!.id : undefined)
  }
})

test('a replay comes in batches of limited bytes, with at least one email each', async () => {
  const address = uniqueAddress()
  for (const size of [10, 1_500_000, 10, 10]) await stored(address, 'x'.repeat(size))
  const batches: number[] = []
  for await (const { emails } of opened.ports.emails.replay({ addresses: [address] }, '', 100))
    batches.push(emails.length)
  expect(batches.reduce((sum, count) => sum + count)).toBe(4)
  expect(batches.length).toBeGreaterThan(1)
})

test('a replay omits emails that were removed since its start, and ends if none remain', async () => {
  const address = uniqueAddress()
  const ids = [(await stored(address)).id, (await stored(address)).id]
  const replay = opened.ports.emails.replay({ addresses: [address] }, '', 100)[Symbol.asyncIterator]()
  opened.db.raw.exec('DELETE FROM emails')
  expect(ids).toHaveLength(2)
  expect((await replay.next()).done).toBe(true)
})

test('a filtered page examines 2,000 emails and says where it stopped', async () => {
  const address = uniqueAddress()
  const all = await Promise.all(Array.from({ length: 2001 }, () => stored(address)))
  const newest = all.map(({ id }) => id).reverse()
  const page = (filter: object, before?: string) =>
    opened.ports.emails.page(address, { limit: 2, filter, ...(before !== undefined && { before }) })
  // A search is bounded by the bytes that it reads, which are few here.
  expect(await page({ q: 'of nobody' })).toMatchObject({ emails: [], next: undefined })
  expect(await page({ subject: 'of nobody' })).toMatchObject({ emails: [], next: newest[1999] })
  expect(await page({ subject: 'of nobody' }, newest[1999])).toMatchObject({ emails: [], next: undefined })
  expect((await page({})).next).toBe(newest[1])
})

test.each([
  ['in the sender, across name and address', 'lee ann@shop', true],
  ['in any case', 'IT IS 123', true],
  ['with a quotation mark and a backslash', 'say "a\\b"', true],
  ['with a line break', 'one\ntwo', true],
  ['of a code', '3456', true],
  ['of a link, which is not searched', 'link.example', false],
  ['of a recipient, who is not searched', 'bot@mail', false],
  ['of the JSON', '"subject":', false],
])('q finds a part %s', async (_name, q, isFound) => {
  const address = uniqueAddress()
  const bodyText = 'It is 123456. say "a\\b" one\ntwo'
  const links = ['https://link.example/']
  await opened.ports.emails.store(sampleMail([address], { summary: sampleContent({ bodyText, links }) }))
  const { emails } = await opened.ports.emails.page(address, { limit: 1, filter: { q } })
  expect(emails).toHaveLength(isFound ? 1 : 0)
})

test('revoking a key removes its webhooks and their jobs', async () => {
  const { keys, webhooks } = opened.ports
  const hash = uniqueHash()
  const address = uniqueAddress()
  await keys.add({ hash, purpose: 'a test', createdAt: now, expiresAt: now + HOUR_MS })
  const webhook = sampleWebhook(now, { keyHash: hash, target: { address } })
  await webhooks.add(webhook, 20)
  await stored(address)
  expect(await webhooks.jobs(webhook.id, now, 10)).toHaveLength(1)
  expect([await keys.revoke(hash), await keys.revoke(hash)]).toEqual([true, false])
  expect(await webhooks.jobs(webhook.id, now, 10)).toEqual([])
  expect(await webhooks.due(now)).toEqual([])
})

test('requests are counted for the current and the previous minute only', async () => {
  const { keys } = opened.ports
  const hash = uniqueHash()
  const minute = 28_000_000 * 60_000
  await keys.add({ hash, purpose: 'a test', createdAt: 0, expiresAt: minute * 2 })
  const remaining = async (minutes: number) => {
    const admission = await keys.admit(hash, 10, minute + minutes * 60_000)
    return 'remaining' in admission ? admission.remaining : admission.outcome
  }
  expect([await remaining(0), await remaining(1), await remaining(0), await remaining(1)]).toEqual([
    9, 9, 8, 8,
  ])
  expect([await remaining(2), await remaining(1), await remaining(0)]).toEqual([9, 7, 9])
})

test('a domain is found as it was stored', async () => {
  const { domains } = opened.ports
  for (const flags of [
    { keyPresented: true, configured: false, keyConfigured: false },
    { keyPresented: false, configured: true, keyConfigured: false },
    { keyPresented: false, configured: false, keyConfigured: true },
  ]) {
    const domain = await putDomain(domains, sampleDomain({ ...flags, keyHash: unique() }))
    expect(await domains.find(domain.name)).toMatchObject(flags)
  }
})

test('removing an unknown domain does nothing and publishes nothing', async () => {
  const name = uniqueDomain()
  expect(await opened.ports.domains.change(name, undefined, undefined)).toBe(true)
  expect(published('domain')).toEqual([])
})

test('expired emails are removed in batches limited by rows and bytes, with at least one email', async () => {
  const { commands } = opened.writing
  const sizes = [9_000_000, 5_000_000, 5_000_000, 10, 10]
  for (const size of sizes) {
    const { messageId } = await stored(uniqueAddress())
    await opened.ports.blobs.put(messageId, 'raw', Buffer.alloc(size))
    now += 1000
  }
  now += 25 * HOUR_MS
  const batches: number[] = []
  for (let n = 0; n < 4; n++) batches.push((await commands.sweepBatch()).messages)
  expect(batches).toEqual([1, 1, 3, 0])
  expect(row('SELECT count(*) AS n FROM chunks')).toMatchObject({ n: 0 })
})

test('a message is kept until its last email expires, also when later emails were added to it', async () => {
  const [one, two] = [uniqueAddress(), uniqueAddress()]
  const mail = sampleMail([one], { retentionMs: HOUR_MS })
  await opened.ports.emails.store(mail)
  now += HOUR_MS / 2
  const [, later] = await opened.ports.emails.store({ ...mail, recipients: [one, two] })
  // Emails with a shorter retention do not shorten it.
  await opened.ports.emails.store({ ...mail, recipients: [uniqueAddress()], retentionMs: 1 })
  now += HOUR_MS / 2
  expect(await sweep(opened.writing.commands)).toMatchObject({ messages: 0 })
  expect(await opened.ports.emails.find(two, later!.id)).toBeDefined()
  now += HOUR_MS / 2
  expect(await sweep(opened.writing.commands)).toMatchObject({ messages: 1 })
  expect(row('SELECT count(*) AS n FROM emails')).toMatchObject({ n: 0 })
})

test('the rows of a batch are limited too, and the oldest of 10,001 messages without emails is forgotten', async () => {
  const { commands } = opened.writing
  const rows = 'WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 10001) INSERT INTO'
  opened.db.raw.exec(`
    ${rows} messages (id, expires_at) SELECT n, n FROM n;
    ${rows} uses SELECT 'keys', n, 0, 1 FROM n LIMIT 201;
    ${rows} api_keys SELECT n, '', 0, 1 FROM n LIMIT 201;
    ${rows} webhooks SELECT n, '', '', '', 0, 1 FROM n LIMIT 201`)
  expect(await commands.sweepBatch()).toEqual({ messages: 200, keys: 200, uses: 200, webhooks: 200 })
  expect(await commands.sweepBatch()).toEqual({ messages: 200, keys: 1, uses: 1, webhooks: 1 })
  expect(await sweep(opened.writing.commands)).toMatchObject({
    messages: 9601,
    keys: 0,
    uses: 0,
    webhooks: 0,
  })
  const store = (n: number) =>
    opened.ports.emails.store(sampleMail([uniqueAddress()], { messageId: String(n) }))
  expect(await store(1)).toHaveLength(1)
  for (const n of [2, 10_001]) await expect(store(n)).rejects.toMatchObject({ code: 'unavailable' })
})

test('a message whose domains are no longer registered keeps no parts', async () => {
  const domain = uniqueDomain()
  const mail = sampleMail([uniqueAddress(domain)], { visibleAfter: { [domain]: 'an id' } })
  await opened.ports.blobs.put(mail.messageId, 'raw', Buffer.alloc(300_000))
  expect(await opened.ports.emails.store(mail)).toEqual([])
  expect(await opened.ports.blobs.open(mail.messageId, 'raw')).toBeUndefined()
  expect(row('SELECT count(*) AS n FROM chunks')).toMatchObject({ n: 0 })
})

test('a domain that is not registered is registered as the catch-all is', async () => {
  const { domains, emails } = opened.ports
  const all = await putDomain(domains, sampleDomain({ name: CATCH_ALL }))
  const own = await putDomain(domains, sampleDomain())
  const stored = async (domain: string, visibleAfter: string) =>
    (await emails.store(sampleMail([uniqueAddress(domain)], { visibleAfter: { [domain]: visibleAfter } })))
      .length
  const other = uniqueDomain()
  expect([await stored(other, all.visibleAfter), await stored(own.name, own.visibleAfter)]).toEqual([1, 1])
  expect([await stored(other, own.visibleAfter), await stored(own.name, all.visibleAfter)]).toEqual([0, 0])
})

describe('the check', () => {
  beforeEach(() => void jest.useFakeTimers())
  afterEach(() => void jest.useRealTimers())

  test('waits for the writer for five seconds', async () => {
    const commands = { ...opened.writing.commands, checkWriting: () => new Promise<never>(() => {}) }
    const { emails } = portsOn(
      opened.db,
      commands,
      () => now,
      async () => ({}),
    )
    let isOver = false
    const checked = emails.check().finally(() => {
      isOver = true
    })
    const refused = expect(checked).rejects.toMatchObject({
      code: 'unavailable',
      cause: { message: 'the writer did not answer in 5000 ms' },
    })
    await jest.advanceTimersByTimeAsync(4999)
    expect(isOver).toBe(false)
    await jest.advanceTimersByTimeAsync(1)
    await refused
  })

  test('leaves no timer', async () => {
    const commands = { ...opened.writing.commands, checkWriting: async () => {} }
    await portsOn(
      opened.db,
      commands,
      () => now,
      async () => ({}),
    ).emails.check()
    expect(jest.getTimerCount()).toBe(0)
  })
})

test('an expired message may come again; one whose parts were removed before it was stored is refused once', async () => {
  const { commands } = opened.writing
  const [whole, parts] = [sampleMail([uniqueAddress()]), sampleMail([uniqueAddress()])]
  await opened.ports.emails.store(whole)
  await opened.ports.blobs.put(parts.messageId, 'raw', Buffer.from('raw'))
  now += 25 * HOUR_MS
  await commands.sweepBatch()
  expect(await opened.ports.emails.store(whole)).toHaveLength(1)
  await expect(opened.ports.emails.store(parts)).rejects.toMatchObject({ code: 'unavailable' })
  expect(await opened.ports.emails.store(parts)).toHaveLength(1)
})

test('a sweep reports what it removed', async () => {
  await opened.ports.webhooks.add(sampleWebhook(now), 20)
  await stored(uniqueAddress())
  now += 365 * 24 * HOUR_MS
  expect(await sweep(opened.writing.commands)).toEqual({ messages: 1, keys: 0, uses: 0, webhooks: 1 })
})
