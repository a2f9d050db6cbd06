import { expect, test } from '@jest/globals'
import { LatestId } from '../../../adapters/sqlite/messages.ts'
import { writingTo } from '../../../adapters/sqlite/writing.ts'
import { lastUlidOf, ulidTime } from '../../../core/ulid.ts'
import { sampleMail, uniqueAddress } from '../../contract/sample.ts'
import { openTemporary, openWriting } from './store-temporary.ts'

test('an id that is not committed yet, or as new as the moment, is not before it', () => {
  const shared = LatestId.memory()
  const [writing, reading] = [new LatestId(shared), new LatestId(shared)]
  expect(reading.endAt(1)).toBe(true)
  writing.open()
  expect(reading.endAt(2000)).toBe(false)
  writing.given(lastUlidOf(1000))
  expect(reading.endAt(2000)).toBe(false)
  writing.committed()
  expect([999, 1000, 1001].map((now) => reading.endAt(now))).toEqual([false, false, true])
})

test('an id is open before the clock is read for it', async () => {
  const latestId = new LatestId()
  const seen: boolean[] = []
  const clock = () => {
    seen.push(latestId.endAt(Date.now() + 60_000))
    return Date.now()
  }
  const opened = openWriting(Date.now)
  const { commands } = writingTo(opened.db, clock, { publish() {}, latestId })
  await commands.storeEmails(sampleMail([uniqueAddress()]), new Map())
  expect(seen).toContain(false)
  seen.length = 0
  await commands.storeEmails(sampleMail([uniqueAddress()]), new Map())
  expect(seen[0]).toBe(false)
  opened.close()
})

test('an id is open until its commit, and known after a restart', async () => {
  const opened = openWriting(Date.now)
  const start = () => {
    const latestId = new LatestId()
    return { latestId, ...writingTo(opened.db, Date.now, { publish() {}, latestId }) }
  }
  const { latestId, commands } = start()
  const later = Date.now() + 60_000
  const storing = commands.storeEmails(sampleMail([uniqueAddress()]), new Map())
  expect(latestId.endAt(later)).toBe(false)
  const [email] = await storing
  expect(latestId.endAt(later)).toBe(true)
  expect(latestId.endAt(ulidTime(email!.id))).toBe(false)
  const restarted = start().latestId
  expect([ulidTime(email!.id), later].map((now) => restarted.endAt(now))).toEqual([false, true])
  opened.close()
})

test('a commit that fails leaves its ids open', async () => {
  const opened = openWriting(Date.now)
  const latestId = new LatestId()
  const { commands } = writingTo(opened.db, Date.now, { publish() {}, latestId })
  const storing = commands.storeEmails(sampleMail([uniqueAddress()]), new Map())
  opened.db.raw.exec('ROLLBACK')
  await expect(storing).rejects.toThrow()
  expect(latestId.endAt(Date.now() + 60_000)).toBe(false)
  opened.close()
})

test('a stream that opens a second after all mail begins behind it, and one that opens sooner with the newest', async () => {
  const offset = new SharedArrayBuffer(8)
  const store = await openTemporary({ clockOffset: offset })
  const address = uniqueAddress()
  const [email] = await store.emails.store(sampleMail([address]))
  const scope = { addresses: [address] }
  expect(store.emails.startId!(scope)).toBe(email!.id)
  Atomics.store(new BigInt64Array(offset), 0, 2000n)
  const ids = [scope, { domains: ['a.example'] }, undefined].map((one) => store.emails.startId!(one))
  for (const id of ids) expect(id > email!.id && ulidTime(id) > Date.now()).toBe(true)
  // The clock is set back to before the stream began.
  Atomics.store(new BigInt64Array(offset), 0, -3000n)
  const [next] = await store.emails.store(sampleMail([address]))
  for (const id of ids) expect(next!.id > id).toBe(true)
  await store.close()
})
