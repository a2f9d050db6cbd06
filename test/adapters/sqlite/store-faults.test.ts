import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import type { Database } from '../../../adapters/sqlite/database.ts'
import type { StorePorts } from '../../../adapters/sqlite/ports.ts'
import { sweep } from '../../../adapters/sqlite/sweep.ts'
import type { Writing } from '../../../adapters/sqlite/writing.ts'
import type { Change } from '../../../core/events/ports.ts'
import type { Part } from '../../../core/inbox/ports.ts'
import { HOUR_MS, sampleContent, sampleMail, uniqueAddress, uniqueMessageId } from '../../contract/sample.ts'
import { openTemporary, openWriting } from './store-temporary.ts'

const unavailable = { name: 'Problem', code: 'unavailable' }

describe('the ports of the writing thread', () => {
  let db: Database
  let ports: StorePorts
  let writing: Writing
  let published: Change[][]
  let close: () => void
  let now = 1_800_000_000_000

  beforeEach(() => {
    ;({ db, ports, writing, published, close } = openWriting(() => now))
  })
  afterEach(() => close())

  /** Lets the database grow by at most `pages`, as an almost full disk would. */
  function leaveRoomFor(pages: number): void {
    const used = Number(db.raw.prepare('PRAGMA page_count').get()!.page_count)
    db.raw.exec(`PRAGMA max_page_count = ${used + pages}`)
  }

  const big = () =>
    sampleMail([uniqueAddress()], { summary: sampleContent({ bodyText: 'x'.repeat(100_000) }) })

  test('put everything from one turn into one commit', async () => {
    const mails = Array.from({ length: 20 }, () => sampleMail([uniqueAddress()]))
    await Promise.all(mails.map((mail) => ports.emails.store(mail)))
    expect(published.map((group) => group.length)).toEqual([20])
  })

  test('commit a message together with its parts', async () => {
    const mail = sampleMail([uniqueAddress()])
    const stored = writing.commands.storeEmails(
      mail,
      new Map<Part, Uint8Array>([
        ['raw', Buffer.from('raw')],
        ['body', Buffer.from('content')],
      ]),
    )
    expect(db.raw.isTransaction).toBe(true)
    await stored
    expect(db.raw.isTransaction).toBe(false)
    expect((await ports.blobs.open(mail.messageId, 'raw'))?.size).toBe(3)
    expect((await ports.blobs.open(mail.messageId, 'body'))?.size).toBe(7)
  })

  test('store neither a message nor its parts if one of them fails', async () => {
    const mail = sampleMail([uniqueAddress()])
    leaveRoomFor(20)
    const parts = new Map<Part, Uint8Array>([
      ['raw', Buffer.from('raw')],
      ['body', Buffer.alloc(1_000_000)],
    ])
    await expect(writing.commands.storeEmails(mail, parts)).rejects.toMatchObject(unavailable)
    expect((await ports.emails.page(mail.recipients[0]!, { limit: 1 })).emails).toEqual([])
    expect(await ports.blobs.open(mail.messageId, 'raw')).toBeUndefined()
  })

  test('refuse what does not fit on a full disk, and keep what they acknowledge', async () => {
    const kept = sampleMail([uniqueAddress()])
    await ports.emails.store(kept)
    leaveRoomFor(5)
    const small = () => sampleMail([uniqueAddress()])
    const mails = [small(), big(), small(), big(), small()]
    const results = await Promise.allSettled(mails.map((mail) => ports.emails.store(mail)))
    expect([results[1], results[3]]).toMatchObject([{ reason: unavailable }, { reason: unavailable }])
    mails.push(kept, small())
    await ports.emails.store(mails.at(-1)!)

    let found = 0
    for (const [n, { recipients }] of mails.entries()) {
      const { emails } = await ports.emails.page(recipients[0]!, { limit: 2 })
      expect(emails).toHaveLength(results[n]?.status === 'rejected' ? 0 : 1)
      found += emails.length
    }
    expect(published.flat()).toHaveLength(found)
  })

  test('continue when there is room again', async () => {
    leaveRoomFor(5)
    const mail = big()
    const raw = Buffer.alloc(2_000_000, 7)
    async function* stream() {
      for (let at = 0; at < raw.length; at += 100_000) yield raw.subarray(at, at + 100_000)
    }
    await expect(ports.blobs.put(mail.messageId, 'raw', stream())).rejects.toMatchObject(unavailable)
    await expect(ports.blobs.put(mail.messageId, 'raw', raw.subarray(0, 200_000))).rejects.toMatchObject(
      unavailable,
    )
    await expect(ports.emails.store(mail)).rejects.toMatchObject(unavailable)
    expect(await ports.blobs.open(mail.messageId, 'raw')).toBeUndefined()

    leaveRoomFor(100_000)
    await ports.blobs.put(mail.messageId, 'raw', stream())
    await ports.emails.store(mail)
    expect((await ports.blobs.open(mail.messageId, 'raw'))?.size).toBe(raw.length)
  })

  test('keep nothing of a part that is replaced or removed', async () => {
    const mail = sampleMail([uniqueAddress()])
    const rows = (table: string) => db.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)!.n
    await ports.emails.store(mail)
    for (const fill of [1, 2]) await ports.blobs.put(mail.messageId, 'raw', Buffer.alloc(600_000, fill))
    expect([rows('parts'), rows('chunks')]).toEqual([1, 3])
    await ports.blobs.put(mail.messageId, 'raw', Buffer.from('small'))
    expect(rows('chunks')).toBe(0)
    expect((await ports.blobs.open(mail.messageId, 'raw'))?.size).toBe(5)
    await ports.blobs.put(mail.messageId, 'raw', Buffer.alloc(600_000, 3))
    await ports.blobs.remove(mail.messageId)
    expect([rows('parts'), rows('chunks')]).toEqual([0, 0])
  })

  test('refuse while another process locks the database, then continue', async () => {
    const other = new DatabaseSync(db.raw.location()!)
    other.exec('BEGIN IMMEDIATE')
    const mail = sampleMail([uniqueAddress()])
    await expect(ports.emails.store(mail)).rejects.toMatchObject(unavailable)
    await expect(ports.emails.check()).rejects.toMatchObject(unavailable)
    expect(await ports.emails.page(mail.recipients[0]!, { limit: 1 })).toMatchObject({
      emails: [],
      next: undefined,
    })
    other.exec('ROLLBACK')
    other.close()
    await ports.emails.check()
    expect(await ports.emails.store(mail)).toHaveLength(1)
  })

  test('do not report a part before it is committed', async () => {
    const mail = sampleMail([uniqueAddress()])
    const put = expect(writing.commands.putPart(mail.messageId, 'raw', Buffer.from('raw'))).rejects.toThrow(
      'cannot commit',
    )
    // The commit fails.
    db.raw.exec('ROLLBACK')
    writing.group.flush()
    await put
    expect(await ports.blobs.open(mail.messageId, 'raw')).toBeUndefined()

    await ports.blobs.put(mail.messageId, 'raw', Buffer.from('raw'))
    expect(await ports.emails.store(mail)).toHaveLength(1)
    expect((await ports.blobs.open(mail.messageId, 'raw'))?.size).toBe(3)
  })

  test('do not store a message whose parts were removed meanwhile', async () => {
    const mail = sampleMail([uniqueAddress()])
    await ports.blobs.put(mail.messageId, 'raw', Buffer.from('raw'))
    now += HOUR_MS
    expect((await sweep(writing.commands)).messages).toBe(1)
    await expect(ports.emails.store(mail)).rejects.toMatchObject(unavailable)
  })

  test('find few among thousands, examining a limited number at a time', async () => {
    const address = uniqueAddress()
    const store = (subject: string) =>
      ports.emails.store(sampleMail([address], { summary: sampleContent({ subject }) }))
    const [rare] = await store('the rare one')
    await Promise.all(Array.from({ length: 4500 }, () => store('another')))
    const pages = []
    let before: string | undefined
    do {
      const page = await ports.emails.page(address, { limit: 10, before, filter: { subject: 'rare' } })
      pages.push(page.emails)
      before = page.next
    } while (before !== undefined)
    expect(pages).toEqual([[], [], [rare]])
  })

  test('sweep everything that has expired, and leave the rest', async () => {
    const old = Array.from({ length: 450 }, () =>
      sampleMail([uniqueAddress(), uniqueAddress()], { retentionMs: HOUR_MS }),
    )
    await Promise.all(old.map((mail) => ports.emails.store(mail)))
    const large = Buffer.alloc(5_000_000)
    for (const mail of old.slice(0, 5)) await ports.blobs.put(mail.messageId, 'raw', large)
    const kept = sampleMail([uniqueAddress()])
    await ports.blobs.put(kept.messageId, 'raw', large)
    await ports.emails.store(kept)
    await ports.blobs.put(uniqueMessageId(), 'raw', large)
    await ports.limits.take('keys', 'a', 5, HOUR_MS, now)
    await ports.keys.add({ hash: 'old', purpose: '', createdAt: now, expiresAt: now + 1 })
    await ports.keys.add({ hash: 'new', purpose: '', createdAt: now, expiresAt: now + 30 * 24 * HOUR_MS })

    expect(await sweep(writing.commands)).toEqual({
      messages: 0,
      keys: 0,
      uses: 0,
      webhooks: 0,
    })
    now += HOUR_MS
    expect(await sweep(writing.commands)).toEqual({
      messages: 451,
      keys: 0,
      uses: 1,
      webhooks: 0,
    })
    const rows = (table: string) => Number(db.raw.prepare(`SELECT count(*) AS n FROM ${table}`).get()!.n)
    expect([rows('messages'), rows('emails'), rows('parts'), rows('chunks')]).toEqual([1, 1, 1, 20])
    expect((await ports.blobs.open(kept.messageId, 'raw'))?.size).toBe(large.length)
    now += 7 * 24 * HOUR_MS
    expect(await sweep(writing.commands)).toEqual({
      messages: 1,
      keys: 1,
      uses: 0,
      webhooks: 0,
    })
    expect((await ports.keys.admit('new', 1, now)).outcome).toBe('admitted')
  })
})

describe('the store', () => {
  test('refuses while another process locks the database, then continues', async () => {
    const store = await openTemporary()
    const other = new DatabaseSync(join(store.dir, 'mayfly.db'))
    other.exec('BEGIN IMMEDIATE')
    const mail = sampleMail([uniqueAddress()])
    await expect(store.emails.store(mail)).rejects.toMatchObject(unavailable)
    await expect(store.emails.check()).rejects.toMatchObject(unavailable)
    expect((await store.emails.page(mail.recipients[0]!, { limit: 1 })).emails).toEqual([])
    other.exec('ROLLBACK')
    other.close()
    expect(await store.emails.store(mail)).toHaveLength(1)
    await store.close()
  })

  test('ends a stream whose part is replaced or removed while it is read', async () => {
    const store = await openTemporary()
    const messageId = uniqueMessageId()
    const content = Buffer.alloc(2_000_000, 1)
    for (const change of [
      () => store.blobs.put(messageId, 'raw', Buffer.alloc(2_000_000, 2)),
      () => store.blobs.remove(messageId),
    ]) {
      await store.blobs.put(messageId, 'raw', content)
      const reading = (await store.blobs.open(messageId, 'raw'))!.stream[Symbol.asyncIterator]()
      expect((await reading.next()).value[0]).toBe(1)
      await change()
      await expect(reading.next()).rejects.toMatchObject(unavailable)
    }
    await store.close()
  })

  test('completes earlier calls when it closes, and refuses later ones', async () => {
    const store = await openTemporary()
    const stored = Array.from({ length: 50 }, () => store.emails.store(sampleMail([uniqueAddress()])))
    const closed = store.close()
    const late = store.emails.store(sampleMail([uniqueAddress()]))
    expect((await Promise.all(stored)).flat()).toHaveLength(50)
    await expect(late).rejects.toMatchObject(unavailable)
    await closed
    await expect(store.emails.store(sampleMail([uniqueAddress()]))).rejects.toMatchObject(unavailable)
  })

  test('distinguishes an error of the program from a fault of the machine', async () => {
    const store = await openTemporary()
    const error = await store.emails.store({} as never).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(Error)
    expect(error).not.toMatchObject(unavailable)
    await store.emails.check()
    await store.close()
  })
})
