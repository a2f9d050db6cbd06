import { afterEach, beforeEach, expect, test } from '@jest/globals'
import type { Email } from '../../../core/inbox/email.ts'
import type { NewMessage } from '../../../core/inbox/ports.ts'
import { lastUlidOf } from '../../../core/ulid.ts'
import {
  putDomain,
  readReplay,
  sampleContent,
  sampleDomain,
  sampleMail,
  uniqueMessageId,
} from '../../contract/sample.ts'
import { type OpenWriting, openWriting } from './store-temporary.ts'

/*
 * One copy of each message stands for it where all mail is listed, counted and searched. Whatever
 * happens to copies, there is exactly one, as long as the message has any.
 */

const [ANN, BOB, CY] = ['ann@a.test', 'bob@a.test', 'cy@a.test']

let now: number
let opened: OpenWriting
let mail: NewMessage
let copies: Email[]

beforeEach(async () => {
  now = 1_800_000_000_000
  opened = openWriting(() => now)
  await putDomain(opened.ports.domains, { ...sampleDomain(), name: 'a.test' })
  mail = sampleMail([ANN, BOB, CY], { summary: sampleContent({ subject: 'Ünder Way' }) })
  copies = await opened.ports.emails.store(mail)
})
afterEach(() => opened.close())

/** The recipients and the state of each message that a search finds. */
async function found(search: { addresses?: string[]; subjects?: string[] } = {}) {
  const { messages } = await opened.ports.allMail.messages({ limit: 10, ...search })
  return messages.map(({ copies: those, read }) => [those.map(({ address }) => address), read])
}

/** The addresses of the emails in a list of all mail. */
async function sentTo(to: string): Promise<string[]> {
  const { emails } = await opened.ports.allMail.page({ limit: 10, filter: { to } })
  return emails.map(({ address }) => address)
}

function remove(address: string): Promise<unknown> {
  return opened.ports.emails.remove(address, copies.find((copy) => copy.address === address)!.id)
}

/** Has the same message handled again, for more recipients. */
async function processAgain(recipients: string[]): Promise<void> {
  copies = await opened.ports.emails.store({ ...mail, recipients })
}

test('a message is one entry, whatever number of recipients it has', async () => {
  expect(await found()).toEqual([[[ANN, BOB, CY], false]])
  expect(await opened.ports.allMail.count()).toEqual({ messages: 1, unread: 1 })
})

test.each([
  ['the newest copy', [CY]],
  ['an older copy', [ANN]],
  ['all copies but the oldest, the newest first', [CY, BOB]],
  ['all copies but the oldest, the newest last', [BOB, CY]],
  ['all copies but the newest', [ANN, BOB]],
])('is found by each of its recipients after %s was removed', async (_what, removed) => {
  await opened.ports.emails.markRead(ANN, copies[0]!.id)
  for (const address of removed) await remove(address)
  const left = [ANN, BOB, CY].filter((address) => !removed.includes(address))
  expect(await found()).toEqual([[left, true]])
  for (const address of [ANN, BOB, CY]) {
    expect(await found({ addresses: [address] })).toEqual([[left, true]])
    expect(await sentTo(address)).toEqual(left.filter((one) => one === address))
  }
  expect(await found({ subjects: ['ünder way'] })).toEqual([[left, true]])
  expect(await opened.ports.allMail.count()).toEqual({ messages: 1, unread: 0 })
  for (const copy of copies.filter(({ address }) => left.includes(address))) {
    expect((await opened.ports.allMail.find(copy.id))?.copies).toHaveLength(left.length)
  }
})

test('is gone with its last copy', async () => {
  const removed = [await remove(ANN), await remove(BOB), await remove(CY)]
  expect(removed).toMatchObject([{ last: false }, { last: false }, { last: true }])
  expect(await found()).toEqual([])
  expect(await opened.ports.allMail.count()).toEqual({ messages: 0, unread: 0 })
  expect(opened.db.all('SELECT id FROM emails')).toEqual([])
})

test.each([
  ['a list of the removed', async () => opened.ports.allMail.remove(copies.slice(1))],
  ['an inbox that is emptied', async () => [await opened.ports.emails.removeAll(CY), await remove(BOB)]],
  ['the purge of a domain', async () => opened.ports.emails.purge('a.test', copies[1]!.id, 10)],
  ['the removal of the oldest', async () => opened.ports.allMail.removeOldest(copies[1]!.id, 10)],
])('keeps its entry after %s', async (_what, removing) => {
  await removing()
  expect(await opened.ports.allMail.count()).toEqual({ messages: 1, unread: 1 })
  expect(await found({ addresses: [ANN] })).toHaveLength(1)
})

test('has one entry, as read as before, when it is processed again for more recipients', async () => {
  await opened.ports.emails.markRead(ANN, copies[0]!.id)
  await opened.ports.emails.store(sampleMail(['dan@a.test']))
  await processAgain([ANN, BOB, CY, 'eve@a.test'])
  expect(await found()).toEqual([
    [[ANN, BOB, CY, 'eve@a.test'], true],
    [['dan@a.test'], false],
  ])
  expect(await found({ addresses: ['cy@a'] })).toHaveLength(1)
  expect(await found({ addresses: ['eve@a'] })).toHaveLength(1)
  expect(await opened.ports.allMail.count()).toEqual({ messages: 2, unread: 1 })
})

test('is processed again after its newest copy was removed, and that one stays removed', async () => {
  await remove(CY)
  await processAgain([ANN, BOB, CY])
  expect(await found()).toEqual([[[ANN, BOB], false]])
  expect(await opened.ports.allMail.count()).toEqual({ messages: 1, unread: 1 })
})

test('gives its entry to a copy that comes after its newest one was removed, and leaves no row', async () => {
  await remove(CY)
  await processAgain([ANN, BOB, CY, 'eve@a.test'])
  expect(await found({ addresses: ['cy@a'] })).toEqual([[[ANN, BOB, 'eve@a.test'], false]])
  expect(await opened.ports.allMail.count()).toEqual({ messages: 1, unread: 1 })
  for (const address of [ANN, BOB, 'eve@a.test']) await remove(address)
  expect(opened.db.all('SELECT id FROM emails')).toEqual([])
})

test('is read as soon as one copy is, and unread again when the operator says so', async () => {
  const { allMail } = opened.ports
  await allMail.setRead([copies[0]!], true)
  expect(await allMail.count()).toEqual({ messages: 1, unread: 0 })
  await allMail.setRead(copies, false)
  expect(await allMail.count()).toEqual({ messages: 1, unread: 1 })
})

test('is in the list at the place of its newest copy, and pages continue below it', async () => {
  const { allMail, emails } = opened.ports
  const [second] = await emails.store(sampleMail([ANN]))
  const first = await allMail.messages({ limit: 1 })
  expect([first.messages.length, first.next]).toEqual([1, second!.id])
  const next = await allMail.messages({ limit: 1, before: first.next! })
  expect(next.messages.map(({ messageId }) => messageId)).toEqual([mail.messageId])
  expect(next.next).toBe(copies[2]!.id)
  expect((await allMail.messages({ limit: 1, before: next.next! })).messages).toEqual([])
})

test('keeps its place when its newest copy is removed, so a walk through all mail meets it once', async () => {
  const { allMail } = opened.ports
  const first = await allMail.messages({ limit: 1 })
  await remove(CY)
  expect((await allMail.messages({ limit: 1, before: first.next! })).messages).toEqual([])
  const again = await allMail.messages({ limit: 1 })
  expect([again.messages.length, again.next]).toEqual([1, copies[2]!.id])
})

test('shows a removed copy nowhere, although its row keeps the entry', async () => {
  const { allMail, emails } = opened.ports
  await remove(CY)
  const { id } = copies[2]!
  expect((await emails.page(CY, { limit: 10 })).emails).toEqual([])
  expect(await emails.find(CY, id)).toBeUndefined()
  expect(await emails.remove(CY, id)).toBeUndefined()
  expect(await emails.markRead(CY, id)).toBeUndefined()
  expect(await allMail.find(id)).toBeUndefined()
  expect((await allMail.page({ limit: 10 })).emails.map(({ address }) => address)).toEqual([BOB, ANN])
  expect(await allMail.remove([copies[2]!])).toBe(0)
  expect(await emails.removeAll(CY)).toMatchObject({ removed: 0 })
  for (const scope of [{ addresses: [CY] }, { domains: ['a.test'] }]) {
    const { emails: replayed } = await readReplay(emails.replay(scope, '', 10))
    expect(replayed.map(({ address }) => address)).toEqual('domains' in scope ? [ANN, BOB] : [])
  }
  expect(await emails.purge('a.test', '~', 10)).toEqual({ removed: 2, orphans: [mail.messageId] })
  expect(opened.db.all('SELECT id FROM emails')).toEqual([])
})

test('has no copy any more when its last one is removed and the earlier ones have expired', async () => {
  now += 1000
  await processAgain([ANN, BOB, CY, 'eve@a.test'])
  now += mail.retentionMs - 500
  expect(await found()).toEqual([[['eve@a.test'], false]])
  expect(await remove('eve@a.test')).toMatchObject({ last: true })
  expect(await found()).toEqual([])
})

test('is not listed any more when it has expired, before the sweep and after it', async () => {
  now += mail.retentionMs + 1
  expect(await found()).toEqual([])
  expect(await opened.ports.allMail.count()).toEqual({ messages: 0, unread: 0 })
  await opened.writing.commands.sweepBatch()
  now -= mail.retentionMs + 1
  expect(await found()).toEqual([])
})

/** Adds emails that a search examines first. */
function addNewer(count: number): void {
  const time = lastUlidOf(now + 1000).slice(0, 10)
  opened.db.raw.exec(`
    WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${count})
    INSERT INTO emails (id, address, domain, message, expires_at, addresses, subject, message_read)
      SELECT '${time}' || printf('%016d', n), 'x@a.test', 'a.test', 0, ${now + 1000}, 'x@a.test', '', 0 FROM n`)
}

test('a search that ends within the mail says where, and the next one continues there', async () => {
  const { allMail } = opened.ports
  addNewer(20_100)
  const first = await allMail.messages({ limit: 10, addresses: [ANN] })
  expect([first.messages, first.next]).toEqual([[], expect.stringMatching(/0{12}0100$/)])
  const next = await allMail.messages({ limit: 10, addresses: [ANN], before: first.next! })
  expect(next.messages.map(({ messageId }) => messageId)).toEqual([mail.messageId])
})

test('a search examines the email too at which it ends', async () => {
  addNewer(20_000)
  expect(await found({ addresses: [ANN] })).toEqual([[[ANN, BOB, CY], false]])
})

test('the id of a message is a whole number', async () => {
  for (const messageId of ['m1', '0', '-1', '1.5', '']) {
    const stored = opened.ports.emails.store(sampleMail([ANN], { messageId }))
    await expect(stored).rejects.toThrow(
      `The id of a message is a whole number in this store, not ${messageId}`,
    )
  }
  expect(await opened.ports.emails.store(sampleMail([ANN], { messageId: uniqueMessageId() }))).toHaveLength(1)
})
