import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { pino } from 'pino'
import { openWriter, type Writer } from '../../adapters/sqlite/writer.ts'
import { newDomain } from '../../core/access/registration.ts'
import type { Change } from '../../core/events/ports.ts'
import type { Email } from '../../core/inbox/email.ts'
import type { EmailFilter } from '../../core/inbox/filter.ts'
import { Mailbox } from '../../core/inbox/mailbox.ts'
import type { ReplayBatch } from '../../core/inbox/ports.ts'
import { Intake } from '../../local-service/intake.ts'
import { Phrases } from '../../reading/links/phrases.ts'
import { NO_VERDICTS } from '../../reading/message.ts'
import { movableClock, temporaryDirectory } from '../adapters/sqlite/store-temporary.ts'
import { unique } from '../contract/sample.ts'
import { eventually } from '../support/eventually.ts'

const ADDRESS = 'bot@mayfly.test'
const HERE = { address: '127.0.0.1', helo: '' }
const LINK = 'https://shop.example/verify?token=8f14e45fceea167a'
/** Its text is made of its HTML, and its code is written in two groups. */
const MAIL = [
  'From: shop@shop.example',
  `To: ${ADDRESS}`,
  'Subject: Confirm your address',
  'Content-Type: text/html; charset=utf-8',
  '',
  `<p>Your code is <b>739 105</b></p><p><a href="${LINK}">Confirm your address</a></p>`,
].join('\r\n')
const FOUND = {
  codes: ['739105'],
  links: [LINK],
  actionLink: { url: LINK, text: 'Confirm your address', kind: 'confirm' },
}

let writer: Writer
let intake: Intake
let isFollowed: boolean
let published: Change[]
let logged: string[]
let directory: ReturnType<typeof temporaryDirectory>
let clock: ReturnType<typeof movableClock>

function open(): void {
  writer = openWriter({
    dir: directory.dir,
    clockOffset: clock.clockOffset,
    publish: (changes) => published.push(...changes),
    hasListeners: () => isFollowed,
  })
  const log = pino({}, { write: (line) => void logged.push(line) })
  intake = new Intake(writer, { retentionMs: 3_600_000, catchAll: false, log })
}

beforeEach(async () => {
  directory = temporaryDirectory()
  clock = movableClock()
  isFollowed = false
  published = []
  logged = []
  open()
  await writer.domains.change('mayfly.test', undefined, newDomain('mayfly.test', 'verified', Date.now()))
})
afterEach(async () => {
  await intake.close()
  await writer.close()
  directory.remove()
})

async function deliver(raw: string): Promise<string> {
  const envelope = { mailFrom: 'a@b.test', recipients: [ADDRESS], verdicts: NO_VERDICTS }
  const [id] = await intake.deliver(envelope, { bytes: Buffer.from(raw) }, HERE)
  return id!
}

async function all(batches: AsyncIterable<ReplayBatch>): Promise<Email[]> {
  const emails: Email[] = []
  for await (const batch of batches) emails.push(...batch.emails)
  return emails
}

/** The rows of the table findings. */
function findingsStored(): number {
  const db = new DatabaseSync(join(directory.dir, 'mayfly.db'), { readOnly: true })
  try {
    return Number(db.prepare('SELECT count(*) AS count FROM findings').get()?.count)
  } finally {
    db.close()
  }
}

async function searchedAndStored(): Promise<void> {
  await pageOf()
  await eventually('the findings to be stored', () => findingsStored() === 1)
}

const pageOf = async (filter?: EmailFilter) =>
  (await writer.emails.page(ADDRESS, { limit: 10, ...(filter && { filter }) })).emails
const messages = async () => (await writer.allMail.messages({ limit: 10 })).messages
const inbox = { address: ADDRESS, registration: { visibleAfter: '' } }

describe('an email that nobody followed when it came', () => {
  test.each<[how: string, read: (id: string) => Promise<(Email | undefined)[]>]>([
    ['its id', async (id) => [(await writer.emails.find(ADDRESS, id))?.email]],
    ['marking it as read', async (id) => [(await writer.emails.markRead(ADDRESS, id))?.email]],
    ['a list', () => pageOf()],
    ['a filter for codes', () => pageOf({ has: 'code' })],
    ['a filter for links', () => pageOf({ has: 'link' })],
    ['a filter for an action link', () => pageOf({ has: 'action_link' })],
    ['a search for its code', () => pageOf({ q: '739105' })],
    ['a search for its text', () => pageOf({ q: 'your code' })],
    ['a filter for its recipient', () => pageOf({ to: 'bot@' })],
    ['two filters', () => pageOf({ q: '739105', has: 'code' })],
    ['a replay of an address', () => all(writer.emails.replay({ addresses: [ADDRESS] }, '', 10))],
    ['a replay of a domain', () => all(writer.emails.replay({ domains: ['mayfly.test'] }, '', 10))],
    ['a list of all mail', async () => (await writer.allMail.page({ limit: 10 })).emails],
    [
      'a search of all mail for its code',
      async () => (await writer.allMail.page({ limit: 10, filter: { q: '739105', to: ADDRESS } })).emails,
    ],
    ['a replay of all mail', () => all(writer.allMail.replay('', 10))],
    ['the messages of all mail', async () => (await messages()).flatMap(({ copies }) => copies)],
    ['an id among all mail', async (id) => (await writer.allMail.find(id))?.copies ?? []],
  ])('has its codes and links when it is read by %s', async (_, read) => {
    const id = await deliver(MAIL)
    expect(await read(id)).toMatchObject([{ id, ...FOUND }])
    // Again, from what the first reading has stored.
    expect(await read(id)).toMatchObject([{ id, ...FOUND }])
  })

  test('is searched without a reader when no mail comes', async () => {
    await deliver(MAIL)
    await eventually('the findings to be stored', () => findingsStored() === 1)
  })

  test('is shown without codes and links if the search fails, which is logged', async () => {
    const says = jest.spyOn(Phrases.prototype, 'says').mockImplementation(() => {
      throw new Error('the search is broken')
    })
    try {
      await deliver(MAIL)
      const found = { subject: 'Confirm your address', codes: [], links: [], actionLink: null }
      expect(await pageOf()).toMatchObject([found])
    } finally {
      says.mockRestore()
    }
    const failure = { err: { message: 'the search is broken' } }
    const msg = 'a message could not be searched for codes and links'
    expect(logged.map((line) => JSON.parse(line))).toMatchObject([{ level: 50, msg, ...failure }])
  })

  test('has the kinds and reasons of its codes as a single email', async () => {
    const id = await deliver(MAIL)
    const { details, bodies } = await new Mailbox(writer.emails, writer.blobs).read(inbox, id)
    expect(details.codeDetails).toMatchObject([{ value: '739105', kind: 'one_time' }])
    expect(details.codeDetails[0]?.reason).toContain('Your code')
    await bodies[Symbol.asyncIterator]().return?.()
  })

  test.each(['code', 'link', 'action_link'] as const)('is not listed if it has no %s', async (has) => {
    await deliver('Subject: Hi\r\n\r\nHello Ann, see you tomorrow.')
    expect(await pageOf({ has })).toEqual([])
    expect(await pageOf({ has })).toEqual([])
    expect(await pageOf({ has: 'attachment' })).toEqual([])
    expect(await pageOf()).toMatchObject([{ codes: [], links: [], actionLink: null }])
  })

  test('is found among hundreds of others', async () => {
    const id = await deliver(MAIL)
    for (let n = 0; n < 200; n++) await deliver(`Subject: Hi\r\n\r\nHello ${n}`)
    expect(await pageOf({ has: 'code' })).toMatchObject([{ id, ...FOUND }])
  })

  test('has them for a listener that came before the commit', async () => {
    await deliver(MAIL)
    const [change] = published.filter(({ type }) => type === 'email')
    expect(change).toMatchObject({ email: FOUND })
  })

  test('concerns a webhook for codes that was added meanwhile', async () => {
    const webhook = {
      id: unique(),
      keyHash: 'h',
      domainKeyHash: null,
      target: { address: ADDRESS },
      filter: { has: 'code' as const },
      url: 'https://a.test',
      secret: 's',
      status: 'live' as const,
      createdAt: Date.now(),
      expiresAt: Date.now() + 60_000,
    }
    // Reading takes some turns of the event loop, so the webhook is stored before the emails.
    const [id] = await Promise.all([deliver(MAIL), writer.webhooks.add(webhook, 10)])
    expect(await writer.webhooks.jobs(webhook.id, Date.now(), 10)).toMatchObject([{ email: id }])
  })

  test('is searched after a restart of the service', async () => {
    const id = await deliver(MAIL)
    await intake.close()
    await writer.close()
    open()
    expect(await writer.emails.find(ADDRESS, id)).toMatchObject({ email: FOUND })
  })

  test('has what its HTML says, if its text is too long for the list', async () => {
    const parts = [
      ['plain', 'We are glad that you are here. '.repeat(600)],
      ['html', `<p>Your code is <b>739 105</b></p><p><a href="${LINK}">Confirm your address</a></p>`],
    ]
    const body = parts.map(([type, text]) => `--x\r\nContent-Type: text/${type}\r\n\r\n${text}\r\n`).join('')
    const head = 'Subject: Confirm your address\r\nContent-Type: multipart/alternative; boundary=x\r\n\r\n'
    const id = await deliver(`${head}${body}--x--\r\n`)
    expect(await pageOf()).toMatchObject([{ id, bodyTextTruncated: true, ...FOUND }])
  })

  test('is another one than those that come after a restart of the service', async () => {
    const ids = [await deliver(MAIL)]
    await intake.close()
    await writer.close()
    open()
    ids.unshift(await deliver(MAIL), await deliver(MAIL))
    expect((await pageOf()).map(({ id }) => id)).toEqual([ids[1], ids[0], ids[2]])
  })

  test('is stored once, though it is delivered twice', async () => {
    const same = jest.spyOn(writer, 'newMessageId').mockReturnValue('1')
    const id = await deliver(MAIL)
    expect(await pageOf()).toMatchObject([{ id, ...FOUND }])
    isFollowed = true
    expect(await deliver(MAIL)).toBe(id)
    same.mockRestore()
    expect(await pageOf({ has: 'code' })).toMatchObject([{ id, ...FOUND }])
    expect(await pageOf()).toHaveLength(1)
  })

  test('is searched once', async () => {
    await deliver(MAIL)
    expect(await writer.dispatch('search', [['1']])).toMatchObject({ 1: FOUND })
    await eventually('the findings to be stored', () => findingsStored() === 1)
    expect(await writer.dispatch('search', [['1']])).toEqual({})
  })

  test('is removed with what was found in it', async () => {
    const id = await deliver(MAIL)
    await searchedAndStored()
    await new Mailbox(writer.emails, writer.blobs).remove(inbox, id)
    expect(findingsStored()).toBe(0)
  })

  test('expires with what was found in it', async () => {
    await deliver(MAIL)
    await searchedAndStored()
    clock.advance(3_600_001)
    expect(await writer.sweep()).toMatchObject({ messages: 1 })
    expect(findingsStored()).toBe(0)
  })
})

test('an email that somebody follows has its codes before it is stored', async () => {
  isFollowed = true
  writer.searchWith(async () => {
    throw new Error('it was searched again')
  })
  await deliver(MAIL)
  expect(await pageOf({ has: 'code', q: '739105' })).toMatchObject([FOUND])
})

test('a large message has its codes before it is stored, because a search takes long', async () => {
  writer.searchWith(async () => {
    throw new Error('it was searched again')
  })
  await deliver(`${MAIL}${'<p>Thank you for shopping with us.</p>\r\n'.repeat(1000)}`)
  expect(await pageOf()).toMatchObject([FOUND])
})
