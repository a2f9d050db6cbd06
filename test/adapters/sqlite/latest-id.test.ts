import { expect, test } from '@jest/globals'
import { LatestId } from '../../../adapters/sqlite/latest-id.ts'
import { writingTo } from '../../../adapters/sqlite/writing.ts'
import { lastUlidOf, ulidTime } from '../../../core/ulid.ts'
import { sampleMail, uniqueAddress } from '../../contract/sample.ts'
import { openTemporary, openWriting } from './store-temporary.ts'

test('an id that is not committed yet, or as new as the moment, is not before it', () => {
  const shared = LatestId.memory()
  const [writing, reading] = [new LatestId(shared), new LatestId(shared)]
  expect(reading.isBefore(1)).toBe(true)
  writing.given(lastUlidOf(1000))
  expect(reading.isBefore(2000)).toBe(false)
  writing.committed()
  expect([999, 1000, 1001].map((now) => reading.isBefore(now))).toEqual([false, false, true])
})

test('the writer tells of an id before its commit, after it, and after a restart', async () => {
  const opened = openWriting(Date.now)
  const start = () => {
    const latestId = new LatestId()
    return { latestId, ...writingTo(opened.db, Date.now, { publish() {}, latestId }) }
  }
  const { latestId, commands } = start()
  const later = Date.now() + 60_000
  const storing = commands.storeEmails(sampleMail([uniqueAddress()]), new Map())
  expect(latestId.isBefore(later)).toBe(false)
  const [email] = await storing
  expect(latestId.isBefore(later)).toBe(true)
  expect(latestId.isBefore(ulidTime(email!.id))).toBe(false)
  const restarted = start().latestId
  expect([ulidTime(email!.id), later].map((now) => restarted.isBefore(now))).toEqual([false, true])
  opened.close()
})

test('a commit that fails leaves its ids open', async () => {
  const opened = openWriting(Date.now)
  const latestId = new LatestId()
  const { commands } = writingTo(opened.db, Date.now, { publish() {}, latestId })
  const storing = commands.storeEmails(sampleMail([uniqueAddress()]), new Map())
  opened.db.raw.exec('ROLLBACK')
  await expect(storing).rejects.toThrow()
  expect(latestId.isBefore(Date.now() + 60_000)).toBe(false)
  opened.close()
})

test('a stream that opens behind all mail begins with the millisecond before', async () => {
  const store = await openTemporary()
  const address = uniqueAddress()
  const [email] = await store.emails.store(sampleMail([address]))
  while (Date.now() <= ulidTime(email!.id)) await new Promise((resolve) => setTimeout(resolve, 2))
  const before = Date.now()
  const ids = [{ addresses: [address] }, { domains: ['a.example'] }, undefined].map((scope) =>
    store.emails.startId!(scope),
  )
  for (const id of ids) {
    expect(id >= lastUlidOf(before - 1) && id < lastUlidOf(Date.now())).toBe(true)
    expect(id > email!.id).toBe(true)
  }
  const [next] = await store.emails.store(sampleMail([address]))
  for (const id of ids) expect(next!.id > id).toBe(true)
  await store.close()
})
