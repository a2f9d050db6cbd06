import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { DomainMail } from '../../web/domain-inbox/domain-mail.ts'
import { matches } from '../../web/domain-inbox/matches.ts'
import { InboxStore } from '../../web/inbox/inbox-store.ts'
import { parseQuery, queryParameters } from '../../web/inbox/query.ts'
import type { Subscription } from '../../web/stream/connect.ts'
import { email } from './email.ts'

const OPENED_AT = Date.parse('2026-11-21T12:00:00.000Z')

describe('the mail of a whole domain', () => {
  let requests: string[]
  let isPrivate: boolean
  let subscription: Subscription | undefined

  beforeEach(() => {
    jest.useFakeTimers({ now: OPENED_AT })
    requests = []
    isPrivate = true
    subscription = undefined
    const answer = (path: string): object => {
      if (path === '/api/domains') return { domains: [{ domain: 'p.test', private: isPrivate }] }
      return {
        success: true,
        email: { ...email('01'), address: 'a@p.test' },
        expires_at: '2027-01-01T00:00:00Z',
      }
    }
    Object.assign(globalThis, {
      addEventListener: () => {},
      fetch: async (path: string, init: RequestInit) => {
        requests.push(`${init.method} ${path}`)
        return new Response(JSON.stringify(answer(path)), {
          headers: { Date: new Date(OPENED_AT).toUTCString() },
        })
      },
    })
  })
  afterEach(() => {
    jest.useRealTimers()
  })

  async function open() {
    const feed = {
      follow: (given: Subscription) => {
        subscription = given
      },
      leave: () => {},
    }
    const mail = new DomainMail('p.test', feed)
    const arrived: string[] = []
    const store = new InboxStore('@p.test', ({ id }) => arrived.push(id), { api: mail, feed: mail })
    await store.open()
    const arrive = (id: string, fields = {}) =>
      subscription?.receive({
        type: 'event',
        event: { type: 'new-email', email: email(id, { address: `${id}@p.test`, ...fields }) },
      })
    return { mail, store, arrived, arrive, ids: () => store.emails.map(({ id }) => id) }
  }
  const LATER = { received_at: '2026-11-21T12:00:01.000Z' }

  test('lists what the stream begins with, newest first, without announcing it', async () => {
    const { store, arrived, arrive, ids } = await open()
    expect(requests).toEqual([
      'GET /api/domains',
      'GET /api/public/emails/postmaster%40p.test?limit=1&text_limit=0',
    ])
    for (let i = 0; i < 300; i++) arrive(String(i).padStart(3, '0'))
    await jest.advanceTimersByTimeAsync(1000)
    expect([ids().length, ids()[0], ids().at(-1)]).toEqual([300, '299', '000'])
    expect([store.unread, store.more, arrived]).toEqual([300, false, []])
    arrive('300', LATER)
    arrive('300', LATER)
    expect([ids()[0], ids().length, arrived]).toEqual(['300', 301, ['300']])
  })

  test('follows deletions, read marks and cleared inboxes', async () => {
    const { store, arrive, ids } = await open()
    for (const id of ['1', '2', '3']) arrive(id)
    await jest.advanceTimersByTimeAsync(1000)
    subscription?.receive({ type: 'event', event: { type: 'email-read', id: '1' } })
    subscription?.receive({ type: 'event', event: { type: 'email-deleted', id: '2' } })
    subscription?.receive({ type: 'event', event: { type: 'inbox-cleared', address: '3@p.test' } })
    await jest.advanceTimersByTimeAsync(1000)
    expect([ids(), store.unread]).toEqual([['1'], 0])
  })

  test('a search looks through everything that is listed', async () => {
    const { store, arrive } = await open()
    arrive('1', { subject: 'Your Acme code', codes: ['123456'], body_text: 'please' })
    arrive('2', { subject: 'Acme invoice', attachment_count: 1 })
    await jest.advanceTimersByTimeAsync(1000)
    const found = async (text: string) => {
      store.search.type(text)
      await jest.advanceTimersByTimeAsync(1000)
      return store.shown.map(({ id }) => id)
    }
    expect(await found('code acme')).toEqual(['1'])
    expect(await found('subject:acme has:attachment')).toEqual(['2'])
    expect(await found('from:nobody')).toEqual([])
  })

  test('an email is read and deleted at its own address', async () => {
    const { mail, arrive } = await open()
    arrive('1')
    localStorageIsValid()
    await mail.whole('1')
    await mail.remove('1')
    expect(requests.slice(-2)).toEqual(['GET /api/emails/1%40p.test/1', 'DELETE /api/emails/1%40p.test/1'])
    expect((await mail.list({})).emails).toEqual([])
  })

  test('an email that could not be read stays unread', async () => {
    const { store, arrive } = await open()
    arrive('1')
    await jest.advanceTimersByTimeAsync(1000)
    localStorageIsValid()
    Object.assign(globalThis, { fetch: async () => new Response('', { status: 503 }) })
    expect((await store.read('1')).problem?.isTransient).toBe(true)
    expect(store.unread).toBe(1)
  })

  test('an email that a link names is awaited; one that does not come does not exist', async () => {
    const { mail, arrive } = await open()
    localStorageIsValid()
    const read = mail.whole('7')
    arrive('7')
    await expect(read).resolves.toMatchObject({ id: '01' })
    const missing = expect(mail.whole('8')).rejects.toMatchObject({ code: 'email_not_found' })
    await jest.advanceTimersByTimeAsync(10_000)
    await missing
  })

  test('a gap of the stream means that older emails are not listed', async () => {
    const { mail, arrive } = await open()
    subscription?.receive({ type: 'event', event: { type: 'gap' } })
    arrive('1')
    expect(mail.hasOlder).toBe(true)
  })

  test('an email that has expired is not listed', async () => {
    const { mail, arrive } = await open()
    arrive('1', { expires_at: '2026-11-21T12:00:05.000Z' })
    expect((await mail.list({})).emails.length).toBe(1)
    await jest.advanceTimersByTimeAsync(5000)
    expect((await mail.list({})).emails).toEqual([])
  })

  test('says that there are older emails, and keeps at most 2,000', async () => {
    const { mail, arrive, ids } = await open()
    expect(mail.hasOlder).toBe(false)
    for (let i = 0; i < 2001; i++) arrive(String(i).padStart(4, '0'))
    await jest.advanceTimersByTimeAsync(1000)
    expect([mail.hasOlder, ids().length, ids().at(-1)]).toEqual([true, 2000, '0001'])
  })

  test('a public domain has no such page, and its key is checked again after a break', async () => {
    isPrivate = false
    const { store } = await open()
    expect([store.problem?.code, store.isRefused, subscription]).toEqual(['domain_public', true, undefined])
    isPrivate = true
    await store.open()
    expect(store.problem).toBeUndefined()
    const before = requests.length
    subscription?.receive({ type: 'broken' })
    await jest.advanceTimersByTimeAsync(0)
    expect(requests.length).toBe(before + 2)
  })
})

/** The session is valid, so that no request opens one. */
function localStorageIsValid(): void {
  const values = new Map([['mayfly.session-ends', String(Date.now() + 3_600_000)]])
  Object.assign(globalThis, { localStorage: { getItem: (name: string) => values.get(name) ?? null } })
}

test.each([
  ['from:ann', true],
  ['from:"ann ann@"', true],
  ['from:bob', false],
  ['subject:HELLO', true],
  ['subject:body', false],
  ['has:code', true],
  ['has:attachment', false],
  ['has:link', true],
  ['has:action_link', false],
  ['body', true],
  ['ann@example', true],
  ['482913', true],
  ['bob', false],
])('%s matches as the service would: %s', (text, expected) => {
  const found = email('1', {
    from: { name: 'Ann', address: 'ann@example.org' },
    subject: 'Hello',
    body_text: 'The body',
    links: ['https://example.org'],
    codes: ['482913'],
  })
  expect(matches(found, queryParameters(parseQuery(text)))).toBe(expected)
})
