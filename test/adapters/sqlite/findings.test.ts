import { afterEach, beforeEach, expect, test } from '@jest/globals'
import type { Search } from '../../../adapters/sqlite/findings.ts'
import { portsOn, type StorePorts } from '../../../adapters/sqlite/ports.ts'
import type { Email } from '../../../core/inbox/email.ts'
import { PAGE_READ_BYTES } from '../../../core/limits.ts'
import { type Findings, NOTHING_FOUND } from '../../../reading/message.ts'
import {
  putDomain,
  sampleContent,
  sampleDomain,
  sampleMail,
  uniqueAddress,
  uniqueDomain,
} from '../../contract/sample.ts'
import { type OpenWriting, openWriting } from './store-temporary.ts'

const FOUND: Findings = { ...NOTHING_FOUND, codes: ['739105'] }

let opened: OpenWriting
let ports: StorePorts
let searches: string[][]
let address: string
/** Runs before a search is answered. */
let meanwhile: () => Promise<unknown>
let found: Findings

beforeEach(async () => {
  opened = openWriting(Date.now)
  searches = []
  const domain = uniqueDomain()
  address = uniqueAddress(domain)
  meanwhile = async () => {}
  found = FOUND
  const search: Search = async (messageIds) => {
    searches.push(messageIds)
    await meanwhile()
    return Object.fromEntries(messageIds.map((id) => [id, found]))
  }
  ports = portsOn(opened.db, opened.writing.commands, Date.now, search)
  await putDomain(ports.domains, sampleDomain({ name: domain }))
})
afterEach(() => opened.close())

/** Stores a message that nobody has searched. */
async function store(): Promise<Email> {
  const unsearched = { isTextOfHtml: false, search: () => found }
  const summary = sampleContent({ codes: [], links: [], actionLink: null })
  const [email] = await ports.emails.store(sampleMail([address], { summary, unsearched }))
  return email!
}

const messages = async () => (await ports.allMail.messages({ limit: 10 })).messages

test.each<[string, () => Promise<Email[]>]>([
  ['a page', async () => (await ports.emails.page(address, { limit: 10 })).emails],
  [
    'a filtered page',
    async () => (await ports.emails.page(address, { limit: 10, filter: { has: 'code' } })).emails,
  ],
  ['a page of all mail', async () => (await ports.allMail.page({ limit: 10 })).emails],
  ['the messages of all mail', async () => (await messages()).flatMap(({ copies }) => copies)],
])('%s ends although mail comes while its messages are searched', async (_, read) => {
  const { id } = await store()
  meanwhile = async () => searches.length < 5 && store()
  expect(await read()).toMatchObject([{ id, codes: ['739105'] }])
  expect(searches).toHaveLength(1)
})

test('what was found counts among the bytes of a page', async () => {
  const links = Array.from({ length: 50 }, (_, n) => `https://shop.example/${'x'.repeat(580)}${n}`)
  found = { ...FOUND, links }
  const bytes = JSON.stringify(found).length
  for (let n = 0; n < 60; n++) await store()
  const page = await ports.emails.page(address, { limit: 100 })
  expect(page.bytes).toBeGreaterThan(page.emails.length * bytes)
  expect(page.bytes).toBeLessThan(PAGE_READ_BYTES + 2 * bytes)
  expect(page.next).toBe(page.emails.at(-1)!.id)
})

test('what was found counts among the bytes of a batch', async () => {
  const links = Array.from({ length: 50 }, (_, n) => `https://shop.example/${'x'.repeat(580)}${n}`)
  found = { ...FOUND, links }
  for (let n = 0; n < 20; n++) await store()
  const sizes: number[] = []
  for await (const { emails } of ports.emails.replay({ addresses: [address] }, '', 100))
    sizes.push(emails.length)
  expect(sizes.reduce((sum, size) => sum + size)).toBe(20)
  expect(Math.max(...sizes)).toBeLessThan(10)
})

test('a filter for a recipient has no message searched that does not match', async () => {
  await store()
  const { emails } = await ports.emails.page(address, { limit: 10, filter: { to: 'somebody@else.test' } })
  expect(emails).toEqual([])
  expect(searches).toEqual([])
})

test('a filter for attachments has no message searched that has none', async () => {
  await store()
  const { emails } = await ports.emails.page(address, { limit: 10, filter: { has: 'attachment' } })
  expect(emails).toEqual([])
  expect(searches).toEqual([])
})

test('a call searches some hundred messages at most', async () => {
  for (let n = 0; n < 201; n++) await store()
  const { emails } = await ports.emails.page(address, { limit: 10, filter: { has: 'link' } })
  expect(emails).toEqual([])
  expect(searches.map(({ length }) => length)).toEqual([200, 1])
})

test('an email that is removed while it is marked as read does not exist', async () => {
  const { id } = await store()
  await ports.emails.page(address, { limit: 1 })
  const [email] = await ports.emails.store(sampleMail([address]))
  const marking = ports.emails.markRead(address, email!.id)
  await ports.emails.remove(address, email!.id)
  expect(await marking).toBeUndefined()
  expect(await ports.emails.markRead(address, id)).toMatchObject({ email: { id, read: true } })
})
