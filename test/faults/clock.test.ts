import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { openStore, type Store } from '../../adapters/sqlite/store.ts'
import { ApiKeyService } from '../../core/access/api-keys.ts'
import { Live } from '../../core/events/live.ts'
import type { Email } from '../../core/inbox/email.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/limits.ts'
import { sampleDomain, sampleMail, uniqueAddress } from '../contract/sample.ts'
import { eventually } from '../support/eventually.ts'

const YEAR_MS = 365 * DAY_MS

describe('a clock that jumps', () => {
  let dir: string
  let store: Store
  let desk: ApiKeyService
  const offset = new BigInt64Array(new SharedArrayBuffer(8))
  const jump = (ms: number) => Atomics.add(offset, 0, BigInt(ms))

  async function open(): Promise<void> {
    store = await openStore({ dir, clockOffset: offset.buffer })
    desk = new ApiKeyService(store.keys, store.limits, store.clock, randomBytes)
  }

  beforeEach(async () => {
    Atomics.store(offset, 0, 0n)
    dir = await mkdtemp(join(tmpdir(), 'mayfly-clock-'))
    await open()
  })

  afterEach(async () => {
    await store.close()
    await rm(dir, { recursive: true, force: true })
  })

  const receive = async (address: string): Promise<Email> => {
    const [email] = await store.emails.store(sampleMail([address], { retentionMs: HOUR_MS }))
    return email!
  }
  const inbox = async (address: string) => (await store.emails.page(address, { limit: 100 })).emails

  test('ids grow through every jump and restart, so that a client that resumes misses nothing', async () => {
    const address = uniqueAddress()
    const ids: string[] = []
    for (const ms of [
      0,
      -1,
      -HOUR_MS,
      10,
      -YEAR_MS,
      1,
      2 * HOUR_MS,
      -MINUTE_MS,
      -20 * YEAR_MS,
      19 * YEAR_MS,
    ]) {
      jump(ms)
      for (let i = 0; i < 5; i++) ids.push((await receive(address)).id)
      if (ms < 0) {
        await store.close()
        await open()
      }
    }
    expect(ids).toEqual([...ids].sort())
    expect(new Set(ids).size).toBe(ids.length)
    jump(-40 * YEAR_MS)
    const seen: string[] = []
    const live = new Live(store.changeFeed, store.emails, store.clock)
    const domain = { ...sampleDomain(), visibleAfter: '', revision: '' }
    const unfollow = live.follow(
      { topic: { addresses: [address], domains: [domain] }, after: ids[20], client: 'c' },
      { email: ({ email }) => seen.push(email.id), gap: () => {}, ready: () => undefined, end: () => {} },
    )
    ids.push((await receive(address)).id)
    await eventually(
      'the emails after the last id',
      () => seen,
      ({ length }) => length >= ids.length - 21,
    )
    expect(seen).toEqual(ids.slice(21))
    unfollow()
  })

  test('forward: expired mail is not shown, and mail that was only hidden is shown again', async () => {
    const address = uniqueAddress()
    const email = await receive(address)
    jump(HOUR_MS - MINUTE_MS)
    expect(await inbox(address)).toHaveLength(1)
    jump(2 * MINUTE_MS)
    expect(await inbox(address)).toEqual([])
    expect(await store.emails.find(address, email.id)).toBeUndefined()
    jump(-2 * MINUTE_MS)
    expect(await inbox(address)).toHaveLength(1)
    // The sweep deletes the email permanently.
    jump(2 * MINUTE_MS)
    expect((await store.sweep()).messages).toBe(1)
    jump(-2 * MINUTE_MS)
    expect(await inbox(address)).toEqual([])
  })

  test('back and forth within a minute: a key has its 120 requests and no more', async () => {
    const { key } = await desk.issue('198.51.100.1', '')
    const start = store.clock()
    // To the middle of a minute; the test takes a second of it.
    jump(MINUTE_MS - (start % MINUTE_MS) + MINUTE_MS / 2)
    const admitted = async (count: number) => {
      let n = 0
      for (let i = 0; i < count; i++) if ((await desk.authenticate(key)).admitted) n++
      return n
    }
    expect(await admitted(100)).toBe(100)
    jump(-5000)
    expect(await admitted(15)).toBe(15)
    jump(10_000)
    expect(await admitted(100)).toBe(5)
    jump(MINUTE_MS)
    expect(await admitted(10)).toBe(10)
    // Back into the minute whose requests are used up.
    jump(-MINUTE_MS)
    expect(await admitted(10)).toBe(0)
  })

  test('back: uses of a quota in what is now the future count, and expired keys do not become valid for long', async () => {
    for (let i = 0; i < 5; i++) await desk.issue('198.51.100.2', '')
    jump(-YEAR_MS)
    await expect(desk.issue('198.51.100.2', '')).rejects.toMatchObject({ code: 'key_quota_exceeded' })
    const { resetsAt, remaining } = await desk.quota('198.51.100.2')
    expect(remaining).toBe(0)
    expect(resetsAt).toBeGreaterThan(store.clock())
    const { key } = await desk.issue('198.51.100.3', '')
    jump(31 * DAY_MS)
    await expect(desk.authenticate(key)).rejects.toMatchObject({ code: 'api_key_expired' })
  })
})
