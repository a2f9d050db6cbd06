import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { connectStore } from '../../../adapters/sqlite/connect.ts'
import { openWriter, type Writer } from '../../../adapters/sqlite/writer.ts'
import {
  putDomain,
  sampleDomain,
  sampleMail,
  uniqueAddress,
  uniqueDomain,
  uniqueHash,
} from '../../contract/sample.ts'
import { movableClock, temporaryDirectory } from './store-temporary.ts'

const MAX_BYTES = 4_000_000
/** Longer than a measurement of the used space is cached. */
const MEASURED_MS = 60

let writer: Writer
let close: () => Promise<void>
let advance: (ms: number) => void
let dir: string
let remove: () => void

beforeEach(() => {
  ;({ dir, remove } = temporaryDirectory())
  const clock = movableClock()
  advance = clock.advance
  writer = openWriter({
    dir,
    clockOffset: clock.clockOffset,
    maxBytes: MAX_BYTES,
    publish() {},
  })
  let closed: Promise<void> | undefined
  close = () => (closed ??= writer.close())
})
afterEach(async () => {
  await close()
  remove()
})

test('the id of a new message is greater than every id in the store', async () => {
  expect([writer.newMessageId(), writer.newMessageId()]).toEqual(['1', '2'])
  await writer.blobs.put('7', 'raw', Buffer.alloc(10))
  await close()
  const next = openWriter({ dir, publish() {} })
  expect([next.newMessageId(), next.newMessageId()]).toEqual(['8', '9'])
  await next.close()
})

test('a message has room while two and a half times its size is free, and again when mail has expired', async () => {
  // Space is measured again only when the test lets time pass, however long a write takes.
  let now = performance.now()
  const timer = jest.spyOn(performance, 'now').mockImplementation(() => now)
  expect(writer.hasRoom(1_400_000)).toBe(true)
  expect(writer.hasRoom(1_700_000)).toBe(false)
  const mail = sampleMail([uniqueAddress()], { retentionMs: 60_000 })
  await writer.emails.store(mail)
  await writer.blobs.put(mail.messageId, 'raw', Buffer.alloc(2_000_000, 7))
  now += MEASURED_MS
  expect(writer.hasRoom(900_000)).toBe(false)
  expect(writer.hasRoom(500_000)).toBe(true)
  await writer.blobs.put(mail.messageId, 'body', Buffer.alloc(2_000_000, 7))
  now += MEASURED_MS
  expect(writer.hasRoom(0)).toBe(false)
  await expect(writer.emails.check()).rejects.toMatchObject({ code: 'unavailable' })
  advance(120_000)
  await writer.sweep()
  now += MEASURED_MS
  expect(writer.hasRoom(900_000)).toBe(true)
  await writer.emails.check()
  timer.mockRestore()
})

test('an origin may have half of the store, by the size of its message times two and a half', () => {
  expect(writer.hasShare('client', '192.0.2.1', 790_000)).toBe(true)
  expect(writer.hasShare('client', '192.0.2.1', 810_000)).toBe(false)
})

test('a commit asks how many commands are expected', async () => {
  let asked = 0
  writer.expect(() => {
    asked++
    return 0
  })
  await writer.emails.store(sampleMail([uniqueAddress()]))
  expect(asked).toBe(1)
})

test('a connection answers its calls until it is closed, and refuses them afterwards', async () => {
  const connected = connectStore(writer.connection())
  const [email] = await connected.emails.store(sampleMail([uniqueAddress()]))
  expect((await connected.emails.find(email!.address, email!.id))?.email).toEqual(email)
  const pending = expect(connected.emails.store(sampleMail([uniqueAddress()]))).rejects
  connected.close()
  await pending.toMatchObject({ code: 'unavailable' })
  await expect(connected.keys.revoke('x')).rejects.toMatchObject({ code: 'unavailable' })
})

test('the cached domain equals the stored one, whoever changes it', async () => {
  const name = uniqueDomain()
  expect(await writer.domains.find(name)).toBeUndefined()
  const added = await putDomain(writer.domains, sampleDomain({ name }))
  expect(await writer.domains.find(name)).toEqual(added)
  // Changing a returned domain changes only the caller's copy.
  Object.assign((await writer.domains.find(name))!, { keyHash: 'changed' })
  expect(await writer.domains.find(name)).toEqual(added)
  const changed = await putDomain(writer.domains, { ...sampleDomain({ name }), keyHash: 'private' })
  expect(await writer.domains.find(name)).toEqual(changed)
  await writer.domains.change(name, changed, undefined)
  expect(await writer.domains.find(name)).toBeUndefined()
})

test('a domain is read once, because only this thread writes', async () => {
  const name = uniqueDomain()
  const added = await putDomain(writer.domains, sampleDomain({ name }))
  const other = new DatabaseSync(join(dir, 'mayfly.db'))
  expect(other.prepare('UPDATE domains SET key_hash = ? WHERE name = ?').run('x', name).changes).toBe(1)
  other.close()
  // Mail and changes of other domains do not affect the cache.
  await writer.emails.store(sampleMail([uniqueAddress(name)]))
  expect(await writer.domains.find(name)).toEqual(added)
})

test('has the domains of the store, all of them and those of a key', async () => {
  const keyHash = uniqueHash()
  const domain = await putDomain(writer.domains, sampleDomain({ keyHash, keyPresented: true }))
  expect(await writer.domains.list()).toEqual([domain])
  expect(await writer.domains.withKey(keyHash)).toEqual([domain])
})

test('leaves one file that contains everything', async () => {
  const name = uniqueDomain()
  await putDomain(writer.domains, sampleDomain({ name }))
  await close()
  expect(existsSync(join(dir, 'mayfly.db-wal'))).toBe(false)
  const other = new DatabaseSync(join(dir, 'mayfly.db'))
  expect(other.prepare('SELECT name FROM domains').all()).toMatchObject([{ name }])
  other.close()
})

test('completes earlier calls when it closes, and refuses later ones', async () => {
  const name = uniqueDomain()
  const stored = writer.dispatch('storeEmails', [sampleMail([uniqueAddress(name)]), new Map()])
  await close()
  expect(await stored).toMatchObject([{ subject: expect.any(String) }])
  await expect(
    writer.dispatch('storeEmails', [sampleMail([uniqueAddress()]), new Map()]),
  ).rejects.toMatchObject({
    code: 'unavailable',
  })
})
