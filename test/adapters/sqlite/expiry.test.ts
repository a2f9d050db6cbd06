import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { sweep } from '../../../adapters/sqlite/sweep.ts'
import { DAY_MS } from '../../../core/limits.ts'
import {
  FIRST_ID,
  HOUR_MS,
  putDomain,
  readReplay,
  sampleDomain,
  sampleMail,
  uniqueAddress,
} from '../../contract/sample.ts'
import { type OpenWriting, openWriting } from './store-temporary.ts'

let now: number
let opened: OpenWriting

beforeEach(() => {
  now = 1_800_000_000_000
  opened = openWriting(() => now)
})
afterEach(() => opened.close())

const store = (retentionMs: number) => storeFor(uniqueAddress(), retentionMs)
const storeFor = (address: string, retentionMs: number) =>
  opened.ports.emails.store(sampleMail([address], { retentionMs }))
const kept = () => count('messages')
const series = () => count('retentions')
const swept = async () => (await sweep(opened.writing.commands)).messages

function count(table: string): number {
  return Number(opened.db.raw.prepare(`SELECT count(*) AS n FROM ${table}`).get()!.n)
}

test('mail that is kept for a shorter time than earlier mail is removed before it', async () => {
  for (const hours of [5, 5, 1, 1, 3]) await store(hours * HOUR_MS)
  expect(series()).toBe(3)
  now += HOUR_MS
  expect([await swept(), kept()]).toEqual([2, 3])
  now += 2 * HOUR_MS
  expect([await swept(), kept()]).toEqual([1, 2])
  now += 2 * HOUR_MS
  expect([await swept(), kept()]).toEqual([2, 0])
})

test('only the newest series of messages is remembered without messages', async () => {
  for (const hours of [1, 2, 1]) await store(hours * HOUR_MS)
  now += HOUR_MS
  await swept()
  expect(series()).toBe(2)
  now += HOUR_MS
  await swept()
  expect([series(), kept()]).toEqual([1, 0])
})

test('a sweep keeps the parts of a message whose emails are not stored yet, for an hour', async () => {
  const mail = sampleMail([uniqueAddress()])
  await opened.ports.blobs.put(mail.messageId, 'raw', Buffer.from('raw'))
  now += HOUR_MS - 1
  expect(await swept()).toBe(0)
  expect(await opened.ports.blobs.open(mail.messageId, 'raw')).toBeDefined()
  now += 1
  expect(await swept()).toBe(1)
  expect(await opened.ports.blobs.open(mail.messageId, 'raw')).toBeUndefined()
})

test('mail behind a message that was being uploaded for an hour does not wait for it', async () => {
  await store(2 * HOUR_MS)
  const late = sampleMail([uniqueAddress()], { retentionMs: 2 * HOUR_MS })
  await opened.ports.blobs.put(late.messageId, 'raw', Buffer.from('raw'))
  await store(2 * HOUR_MS)
  now += HOUR_MS
  await opened.ports.emails.store(late)
  expect(series()).toBe(1)
  now += HOUR_MS
  expect([await swept(), kept()]).toEqual([2, 1])
  now += HOUR_MS
  expect([await swept(), kept()]).toEqual([1, 0])
})

test.each([
  ['a millisecond before it expires', HOUR_MS - 1, 1],
  ['at the moment of its expiry', HOUR_MS, 0],
])('all mail has an email %s', async (_, later, count) => {
  const { allMail, domains } = opened.ports
  const domain = await putDomain(domains, sampleDomain())
  const [email] = await storeFor(uniqueAddress(domain.name), HOUR_MS)
  now += later
  const listed = (await allMail.messages({ limit: 5 })).messages.length
  const replayed = (await readReplay(allMail.replay(FIRST_ID, 5))).emails.length
  const paged = (await allMail.page({ limit: 5 })).emails.length
  const found = (await allMail.find(email!.id)) === undefined ? 0 : 1
  const counted = (await allMail.count()).messages
  expect({ listed, replayed, paged, found, counted }).toEqual({
    listed: count,
    replayed: count,
    paged: count,
    found: count,
    counted: count,
  })
  expect(await allMail.removeOldest(email!.id, 5)).toBe(count)
})

test.each([
  ['a millisecond before it expires', HOUR_MS - 1, 1],
  ['at the moment of its expiry', HOUR_MS, 0],
])('all mail removes an email %s', async (_, later, removed) => {
  const copies = await store(HOUR_MS)
  now += later
  expect(await opened.ports.allMail.remove(copies)).toBe(removed)
})

test('an expired key is reported as expired for a week, and then as unknown', async () => {
  const { keys } = opened.ports
  await keys.add({ hash: 'a', purpose: 'a test', createdAt: now, expiresAt: now + HOUR_MS })
  now += HOUR_MS
  const sweptKeys = async () => (await sweep(opened.writing.commands)).keys
  const outcome = async () => (await keys.admit('a', 10, now)).outcome
  now += 7 * DAY_MS - 1
  expect([await sweptKeys(), await outcome()]).toEqual([0, 'expired'])
  now += 1
  expect([await sweptKeys(), await outcome()]).toEqual([1, 'unknown'])
})
