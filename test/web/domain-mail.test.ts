import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { DomainMail } from '../../web/domain-inbox/domain-mail.ts'
import { matches } from '../../web/domain-inbox/matches.ts'
import { InboxStore } from '../../web/inbox/inbox-store.ts'
import { parseQuery, queryParameters } from '../../web/inbox/query.ts'
import type { ApiProblem } from '../../web/lib/problem.ts'
import type { Subscription } from '../../web/stream/connect.ts'
import type { LinkState, ToPage } from '../../web/stream/messages.ts'
import { email } from './email.ts'

const OPENED_AT = Date.parse('2026-11-21T12:00:00.000Z')

describe('the mail of a whole domain', () => {
  let requests: string[]
  let isPrivate: boolean
  let date: string
  let subscription: Subscription | undefined

  beforeEach(() => {
    jest.useFakeTimers({ now: OPENED_AT })
    requests = []
    isPrivate = true
    subscription = undefined
    date = new Date(OPENED_AT).toUTCString()
    const answer = (path: string): object => {
      if (path === '/api/domains') return { domains: [{ domain: 'p.test', private: isPrivate }] }
      if (path === '/api/info') return { link_check: true }
      return {
        success: true,
        links: [],
        email: { ...email('01'), address: 'a@p.test' },
        expires_at: '2027-01-01T00:00:00Z',
      }
    }
    Object.assign(globalThis, {
      addEventListener: () => {},
      fetch: async (path: string, init: RequestInit) => {
        requests.push(`${init.method} ${path}`)
        return new Response(JSON.stringify(answer(path)), { headers: { Date: date } })
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
    const link = (state: LinkState) => subscription?.receive({ type: 'state', state })
    return { mail, store, arrived, arrive, link, ids: () => store.emails.map(({ id }) => id) }
  }
  const LATER = { received_at: '2026-11-21T12:00:01.000Z' }

  test('lists what the stream begins with, newest first, without announcing it', async () => {
    const { store, arrived, arrive, ids } = await open()
    expect(requests).toEqual([
      'GET /api/domains',
      'GET /api/public/emails/postmaster%40p.test?limit=1&text_limit=0',
    ])
    for (let i = 0; i < 300; i++) arrive(String(i).padStart(3, '0'))
    // They are drawn together.
    await jest.advanceTimersByTimeAsync(99)
    expect(ids()).toEqual([])
    await jest.advanceTimersByTimeAsync(1)
    expect([ids().length, ids()[0], ids().at(-1)]).toEqual([300, '299', '000'])
    expect([store.unread, store.more, arrived]).toEqual([300, false, []])
    arrive('300', LATER)
    arrive('300', LATER)
    expect([ids()[0], ids().length, arrived]).toEqual(['300', 301, ['300']])
    arrive('301', { received_at: new Date(OPENED_AT).toISOString() })
    arrive('302', { received_at: new Date(OPENED_AT - 1).toISOString() })
    expect([ids().length, arrived]).toEqual([302, ['300', '301']])
  })

  test('leaves no answer unread, which would keep its connection', async () => {
    const canceled: string[] = []
    const { fetch } = globalThis
    globalThis.fetch = async (path, init) => {
      if (!String(path).startsWith('/api/public/')) return fetch(path, init)
      return new Response(new ReadableStream({ cancel: () => void canceled.push(String(path)) }))
    }
    await open()
    expect(canceled).toEqual(['/api/public/emails/postmaster%40p.test?limit=1&text_limit=0'])
  })

  test('announces later emails also if the service does not say its time', async () => {
    date = ''
    const { arrived, arrive } = await open()
    arrive('1')
    arrive('2', LATER)
    expect(arrived).toEqual(['2'])
  })

  test('lists what arrives after the page has left the stream and come back', async () => {
    const { mail, store, arrive, ids } = await open()
    arrive('1')
    mail.leave()
    await jest.advanceTimersByTimeAsync(1000)
    await store.open()
    arrive('2')
    await jest.advanceTimersByTimeAsync(1000)
    expect(ids()).toEqual(['2', '1'])
  })

  test('is silent for a page that has left the stream, also about emails that came before', async () => {
    const heard: ToPage[] = []
    const left: unknown[] = []
    const feed = {
      follow: (given: Subscription) => {
        subscription = given
      },
      leave: (receive: unknown) => void left.push(receive),
    }
    const mail = new DomainMail('p.test', feed)
    await mail.list({})
    mail.follow({ address: '@p.test', key: 'k', receive: (message) => heard.push(message) })
    expect(subscription).toMatchObject({ address: '@p.test', key: 'k' })
    const event = { type: 'new-email', email: email('1', { address: '1@p.test' }) } as const
    subscription?.receive({ type: 'event', event })
    mail.leave()
    await jest.advanceTimersByTimeAsync(1000)
    expect([heard, left]).toEqual([[], [subscription?.receive]])
  })

  test('follows deletions, read marks and cleared inboxes', async () => {
    const { mail, store, arrive, ids } = await open()
    for (const id of ['1', '2', '3']) arrive(id)
    await jest.advanceTimersByTimeAsync(1000)
    subscription?.receive({ type: 'event', event: { type: 'email-read', id: '2' } })
    subscription?.receive({ type: 'event', event: { type: 'email-deleted', id: '1' } })
    subscription?.receive({ type: 'event', event: { type: 'inbox-cleared', address: '3@p.test' } })
    await jest.advanceTimersByTimeAsync(1000)
    expect([ids(), store.unread]).toEqual([['2'], 0])
    expect((await mail.list({})).emails).toMatchObject([{ id: '2', read: true }])
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
    expect([(await mail.summary('1'))?.id, await mail.summary('2')]).toEqual(['1', undefined])
    await mail.whole('1')
    expect(await mail.checkLinks('1')).toEqual([])
    await mail.part('/part')
    await mail.remove('1')
    const sent = requests.slice(2).filter((line) => line !== 'POST /api/session')
    expect(sent).toEqual([
      'GET /api/emails/1%40p.test/1',
      'GET /api/info',
      'POST /api/emails/1%40p.test/1/link-check',
      'GET /part',
      'DELETE /api/emails/1%40p.test/1',
    ])
    expect((await mail.list({})).emails).toEqual([])
  })

  test('an email that could not be read stays unread', async () => {
    const { store, arrive } = await open()
    arrive('1')
    await jest.advanceTimersByTimeAsync(1000)
    Object.assign(globalThis, { fetch: async () => new Response('', { status: 503 }) })
    expect((await store.read('1')).problem?.isTransient).toBe(true)
    expect(store.unread).toBe(1)
  })

  test('an email that a link names is awaited while the stream opens and sends others', async () => {
    const { mail, arrive, link } = await open()
    let found: object[] = []
    const read = async () => void found.push(await mail.whole('7'))
    void read()
    void read()
    await jest.advanceTimersByTimeAsync(60_000)
    link('live')
    await jest.advanceTimersByTimeAsync(4999)
    arrive('6')
    await jest.advanceTimersByTimeAsync(4999)
    expect(found).toEqual([])
    arrive('7')
    await jest.advanceTimersByTimeAsync(0)
    expect(found).toMatchObject([{ id: '01' }, { id: '01' }])
    found = []
    await read()
    expect(found).toHaveLength(1)
  })

  test.each(['live', 'polling'] as const)(
    'an email that does not come while the stream is %s does not exist',
    async (state) => {
      const { mail, arrive, link } = await open()
      let code: string | undefined
      const read = mail.whole('8').catch((problem: ApiProblem) => {
        code = `${problem.code} ${problem.status}`
      })
      link(state)
      await jest.advanceTimersByTimeAsync(4999)
      expect(code).toBeUndefined()
      // Nor does it end the wait that the stream was left, or breaks.
      mail.leave()
      await jest.advanceTimersByTimeAsync(5000)
      link('reconnecting')
      await jest.advanceTimersByTimeAsync(5000)
      expect(code).toBeUndefined()
      link(state)
      await jest.advanceTimersByTimeAsync(5000)
      await read
      expect(code).toBe('email_not_found 404')
      const again = mail.whole('8')
      await jest.advanceTimersByTimeAsync(1000)
      arrive('8')
      await expect(again).resolves.toMatchObject({ id: '01' })
    },
  )

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
    for (let i = 2000; i >= 0; i--) arrive(String(i).padStart(4, '0'))
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

const HELLO = email('1', {
  from: { name: 'Ann', address: 'ann@example.org' },
  subject: 'Hello',
  body_text: 'The body',
  links: ['https://example.org'],
  codes: ['482913'],
})
const INVOICE = email('2', {
  from: { name: null, address: 'bob@example.org' },
  subject: 'Invoice',
  action_link: { url: 'https://example.org', text: '', kind: 'confirm' },
})
const FILE = email('3', { from: { name: 'Ann', address: null }, attachment_count: 1 })

test.each([
  ['from:ann', '13'],
  ['from:"ann ann@"', '1'],
  ['from:null', ''],
  ['from:bob', '2'],
  ['subject:HELLO', '1'],
  ['subject:body', ''],
  ['has:code', '1'],
  ['has:attachment', '3'],
  ['has:link', '1'],
  ['has:action_link', '2'],
  ['body', '1'],
  ['ann@example', '1'],
  ['482913', '1'],
  ['bob', '2'],
  ['null', ''],
  ['invoice from:bob has:action_link subject:inv', '2'],
  ['', '123'],
])('%j matches as the service would: %s', (text, expected) => {
  const filter = queryParameters(parseQuery(text))
  const found = [HELLO, INVOICE, FILE].filter((each) => matches(each, filter))
  expect(found.map(({ id }) => id).join('')).toBe(expected)
})
