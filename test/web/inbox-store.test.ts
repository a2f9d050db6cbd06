import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { InboxStore } from '../../web/inbox/inbox-store.ts'
import { type ListRequest, MailApi, type Page } from '../../web/inbox/mail-api.ts'
import { type Email, inboxPath } from '../../web/lib/api.ts'
import { credentials } from '../../web/lib/credentials.ts'
import { ApiProblem } from '../../web/lib/problem.ts'
import type { Subscription } from '../../web/stream/connect.ts'
import type { StreamEvent, ToPage } from '../../web/stream/messages.ts'
import { email, wholeEmail } from './email.ts'

const NOW = Date.parse('2026-11-21T10:00:00.000Z')
const ADDRESS = 'bot+1@mayfly.test'
const PATH = inboxPath(ADDRESS)
const refusal = (code: ApiProblem['code'], status: number) => new ApiProblem(code, '', '', { status })

beforeEach(() => {
  jest.useFakeTimers({ now: NOW })
  const saved = new Map([['mayfly.session-ends', String(NOW + 3_600_000)]])
  Object.assign(globalThis, {
    addEventListener: () => {},
    localStorage: {
      getItem: (name: string) => saved.get(name) ?? null,
      setItem: (name: string, value: string) => void saved.set(name, value),
      removeItem: (name: string) => void saved.delete(name),
    },
  })
})
afterEach(() => {
  jest.useRealTimers()
})

/** What the page shows of the last inbox: its facts when it said that it had changed. */
let shown: { facts: () => unknown[]; drawn: unknown[] } | undefined
const expectDrawn = () => expect(shown?.drawn).toEqual(shown?.facts())
beforeEach(() => {
  shown = undefined
})
afterEach(expectDrawn)

/** An inbox whose lists are these pages, one after the other, and whose emails exist. */
async function opened(...pages: (Page | ApiProblem | Promise<Page | ApiProblem>)[]) {
  const asked: ListRequest[] = []
  const followed: Subscription[] = []
  const left: Subscription['receive'][] = []
  const arrived: Email[] = []
  const answers: Record<string, unknown> = {}
  const answer = async (name: string, result: unknown) => {
    const wanted = await (answers[name] ?? result)
    if (wanted instanceof Error) throw wanted
    return wanted as never
  }
  const api = {
    list: async (request: ListRequest) => {
      asked.push(request)
      const page = (await pages.shift()) ?? { emails: [], next_cursor: null }
      if (page instanceof Error) throw page
      return page
    },
    summary: (id: string) => answer('summary', email(id)),
    whole: (id: string) => answer('whole', wholeEmail(id)),
    part: () => answer('part', new Blob()),
    remove: () => answer('remove', undefined),
    markAllRead: () => answer('markAllRead', 7),
    checkLinks: () => answer('checkLinks', []),
  }
  const feed = {
    follow: (subscription: Subscription) => void followed.push(subscription),
    leave: (receive: Subscription['receive']) => void left.push(receive),
  }
  const store = new InboxStore(ADDRESS, (mail) => arrived.push(mail), { api, feed })
  let drawn = 0
  const ids = () => store.shown.map(({ id }) => id)
  const facts = () => [ids(), store.unread, store.link, store.problem, store.olderProblem, store.more]
  store.subscribe(() => {
    drawn++
    shown = { facts, drawn: facts() }
  })
  await store.open()
  const receive = async (message: ToPage) => {
    followed.at(-1)?.receive(message)
    await jest.advanceTimersByTimeAsync(0)
  }
  const event = (event: StreamEvent) => receive({ type: 'event', event })
  return { store, asked, followed, left, arrived, answers, receive, event, ids, drawn: () => drawn }
}

const page = (ids: string[], next: string | null = null): Page => ({
  emails: ids.map((id) => email(id)),
  next_cursor: next,
})

describe('an inbox', () => {
  test('is read, then followed with the domain key of the tab, and left when the page shows another one', async () => {
    credentials.setDomainKey('mayfly.test', 'sesame')
    const { store, followed, left, drawn, ids } = await opened(page(['2', '1']))
    credentials.setDomainKey('mayfly.test', '')
    expect([ids(), store.isLoaded, store.link]).toEqual([['2', '1'], true, 'connecting'])
    expect(followed).toMatchObject([{ address: ADDRESS, key: 'sesame' }])
    store.close()
    expect(left).toEqual([followed[0]?.receive])
    const before = drawn()
    followed[0]?.receive({ type: 'state', state: 'live' })
    expect([drawn(), store.link]).toEqual([before, 'connecting'])
    // It may be opened again.
    await store.open()
    expect(followed).toHaveLength(2)
  })

  test('that is closed while it is read is not followed', async () => {
    const { store, followed } = await opened()
    const opening = store.open()
    store.close()
    await opening
    expect(followed).toHaveLength(1)
  })

  test('that is refused is not followed; one that is away for a moment is', async () => {
    const refused = await opened(refusal('domain_key_missing', 401))
    expect([refused.store.isRefused, refused.followed, refused.left.length]).toEqual([true, [], 1])
    const away = await opened(refusal('unavailable', 503), page(['1']))
    expect([away.store.isRefused, away.store.problem?.code, away.followed.length]).toEqual([
      false,
      'unavailable',
      1,
    ])
    await away.receive({ type: 'opened' })
    expect([away.store.problem, away.ids()]).toEqual([undefined, ['1']])
  })

  test('shows what the stream says', async () => {
    const { store, arrived, event, receive, ids, asked } = await opened(page(['2', '1']), page(['3']))
    await receive({ type: 'state', state: 'live' })
    await event({ type: 'new-email', email: email('3') })
    await event({ type: 'new-email', email: email('3') })
    expect([store.link, ids(), arrived.map(({ id }) => id)]).toEqual(['live', ['3', '2', '1'], ['3']])
    await event({ type: 'email-read', id: '2' })
    expect(store.unread).toBe(2)
    await event({ type: 'email-deleted', id: '1' })
    expect([ids(), store.isGone('1'), store.isGone('2'), asked.length]).toEqual([['3', '2'], true, false, 1])
    await event({ type: 'gap' })
    expect([ids(), store.isGone('2'), asked.length]).toEqual([['3'], true, 2])
  })

  test('shows no email after its time', async () => {
    const last = email('1', { expires_at: new Date(NOW + 1000).toISOString() })
    const { store, ids } = await opened({ emails: [email('2'), last], next_cursor: null })
    await store.read('2')
    store.dropExpired(NOW + 999)
    expect(ids()).toEqual(['2', '1'])
    store.dropExpired(NOW + 1000)
    expect([ids(), store.isGone('1'), store.isGone('2')]).toEqual([['2'], true, false])
    // Also one that is not in the list.
    store.dropExpired(Date.parse(email('2').expires_at))
    expect([ids(), store.isGone('2')]).toEqual([[], true])
  })

  test('reads older emails once, to the end, and again after a failure', async () => {
    const { store, asked, ids } = await opened(
      page(['4', '3'], '3'),
      refusal('unavailable', 503),
      page(['2'], '2'),
      page(['1']),
    )
    expect(store.more).toBe(true)
    await Promise.all([store.older(), store.older()])
    expect([store.olderProblem?.code, store.problem]).toEqual(['unavailable', undefined])
    await store.older()
    expect([store.olderProblem, ids()]).toEqual([undefined, ['4', '3', '2']])
    await store.older()
    await store.older()
    expect([ids(), store.more]).toEqual([['4', '3', '2', '1'], false])
    expect(asked.map(({ cursor }) => cursor)).toEqual([undefined, '3', '3', '2'])
  })

  test('keeps the place in a long list when its newest page is read again', async () => {
    const newest = Array.from({ length: 100 }, (_, i) => String(999 - i))
    const { store, ids, receive } = await opened(
      page(newest, '900'),
      page(['899', '898'], '898'),
      page(newest, '900'),
    )
    await store.older()
    await receive({ type: 'opened' })
    expect([ids().length, store.nextCursor]).toEqual([102, '898'])
  })

  test('of one page ends where the newest reading of it ends', async () => {
    const ids = Array.from({ length: 100 }, (_, i) => String(999 - i))
    const { store, receive } = await opened(page(ids, '900'), page(ids, null))
    await receive({ type: 'opened' })
    expect(store.more).toBe(false)
  })

  test('that is searched shows what happens to the emails found, and asks again when one arrives', async () => {
    const last = email('0', { expires_at: new Date(NOW + 2000).toISOString() })
    const { store, asked, event, ids } = await opened(page(['3']), page(['2', '1']), {
      emails: [...page(['4', '2', '1']).emails, last],
      next_cursor: null,
    })
    store.search.type('email')
    await jest.advanceTimersByTimeAsync(1000)
    await event({ type: 'email-read', id: '2' })
    expect(store.shown.map((mail) => store.isUnread(mail))).toEqual([false, true])
    expectDrawn()
    await event({ type: 'new-email', email: email('4') })
    expect([ids(), asked.length]).toEqual([['4', '2', '1', '0'], 3])
    await event({ type: 'email-deleted', id: '1' })
    expect(ids()).toEqual(['4', '2', '0'])
    store.dropExpired(NOW + 2000)
    expect(ids()).toEqual(['4', '2'])
    expect(store.more).toBe(false)
  })

  test('an email stays read, also if a list arrives that was made before', async () => {
    const { store, receive, event } = await opened(page(['3', '2', '1']), page(['3', '2', '1']))
    await store.markRead(['3'])
    await event({ type: 'email-read', id: '2' })
    await receive({ type: 'opened' })
    expect([store.unread, store.shown.length]).toEqual([1, 3])
  })

  test('a deleted email stays away, also if a list arrives that was made before', async () => {
    const { promise: late, resolve } = Promise.withResolvers<Page>()
    const { store, receive, event, ids } = await opened(page(['3', '2'], '2'), late, page(['2', '1']), late)
    const refreshed = receive({ type: 'opened' })
    await event({ type: 'email-deleted', id: '2' })
    expect(ids()).toEqual(['3'])
    resolve(page(['3', '2'], '2'))
    await refreshed
    expect([ids(), store.isGone('2')]).toEqual([['3'], true])
    await store.older()
    expect(ids()).toEqual(['3', '1'])
    store.search.type('x:')
    await jest.advanceTimersByTimeAsync(1000)
    expect(ids()).toEqual(['3'])
  })

  test('an open email that the list does not contain is drawn as gone when it is deleted or its inbox is cleared', async () => {
    const { store, event, drawn } = await opened(page(['2']), new Promise<Page>(() => {}))
    for (const [id, change] of [
      ['1', { type: 'email-deleted', id: '1' }],
      ['0', { type: 'inbox-cleared' }],
    ] as const) {
      await store.read(id)
      const before = drawn()
      await event({ address: ADDRESS, ...change })
      expect([id, store.isGone(id), drawn() > before]).toEqual([id, true, true])
    }
  })

  test('the answer of a refresh that a later one overtook changes nothing', async () => {
    const [list, failure] = [Promise.withResolvers<Page>(), Promise.withResolvers<ApiProblem>()]
    const { store, followed, left, ids } = await opened(
      page(['1']),
      list.promise,
      page(['2', '1']),
      failure.promise,
      page(['3', '1']),
    )
    const first = store.refresh()
    await store.refresh()
    list.resolve(page(['1']))
    await first
    expect(ids()).toEqual(['2', '1'])
    const second = store.refresh()
    await store.refresh()
    failure.resolve(refusal('domain_key_missing', 401))
    await second
    expect([ids(), store.problem, followed.length, left]).toEqual([['3', '1'], undefined, 1, []])
  })

  test('an email that was read before stays read if it cannot be read again', async () => {
    const { store, answers, event } = await opened(page(['2', '1']))
    answers.whole = refusal('unavailable', 503)
    await event({ type: 'email-read', id: '2' })
    const reading = [store.read('2'), store.read('1')]
    expect(store.unread).toBe(0)
    await Promise.all(reading)
    expect(store.shown.map((mail) => store.isUnread(mail))).toEqual([false, true])
  })

  test('an email that arrives while all are marked as read stays unread', async () => {
    const { promise: marked, resolve } = Promise.withResolvers<number>()
    const { store, answers, event } = await opened(page(['2', '1']))
    answers.markAllRead = marked
    const marking = store.markAllRead()
    await event({ type: 'new-email', email: email('3') })
    resolve(2)
    expect([await marking, store.unread]).toEqual([2, 1])
  })

  test('marks one, several and all emails as read', async () => {
    const { store, answers } = await opened(page(['3', '2', '1']))
    await store.markRead(['3'])
    expect(store.emails.map((mail) => store.isUnread(mail))).toEqual([false, true, true])
    expect([await store.markAllRead(), store.unread]).toEqual([7, 0])
    answers.whole = refusal('unavailable', 503)
    await expect(store.markRead(['1'])).rejects.toThrow()
  })

  test('shows the fields of the list where the whole email is refused, and why', async () => {
    const { store, answers } = await opened(page(['1']))
    answers.whole = refusal('rate_limited', 429)
    const limited = await store.read('1')
    expect([limited.summary?.id, limited.problem?.code, store.unread]).toEqual(['1', 'rate_limited', 1])
    answers.whole = refusal('api_key_missing', 401)
    expect(await store.read('1')).toMatchObject({
      summary: { id: '1' },
      problem: { code: 'api_key_missing' },
    })
    answers.whole = refusal('unavailable', 503)
    expect(await store.read('1')).toEqual({ problem: answers.whole })
    answers.whole = refusal('rate_limited', 429)
    answers.summary = refusal('unavailable', 503)
    expect(await store.read('1')).toMatchObject({ summary: undefined, problem: { code: 'rate_limited' } })
    answers.whole = refusal('email_not_found', 404)
    expect((await store.read('1')).problem?.code).toBe('email_not_found')
    expect(store.isGone('1')).toBe(true)
  })

  test('finds no email that is being deleted, and those of a search', async () => {
    const { store } = await opened(page(['2', '1']), page(['0']))
    store.search.type('old')
    await jest.advanceTimersByTimeAsync(1000)
    expect([store.find('0')?.id, store.find('2')?.id, store.find('9')]).toEqual(['0', '2', undefined])
    store.deletions.add(['0'])
    expect([store.find('0'), store.isGone('0'), store.shown]).toEqual([undefined, true, []])
    store.close()
    await jest.advanceTimersByTimeAsync(0)
    expect(store.deletions.pending.size).toBe(0)
  })
})

describe('the requests of an inbox', () => {
  let requests: string[]
  let answer: object
  let status: number

  beforeEach(() => {
    requests = []
    status = 200
    globalThis.fetch = async (path, init) => {
      const headers = new Headers(init?.headers)
      const keys = ['X-API-Key', 'X-Domain-Key'].map((name) => headers.get(name)).filter(Boolean)
      requests.push([init?.method, path, init?.keepalive && 'keepalive', ...keys].filter(Boolean).join(' '))
      const type = status < 400 ? 'application/json' : 'application/problem+json'
      return Response.json(answer, { status, headers: { 'Content-Type': type } })
    }
  })
  afterEach(() => {
    credentials.apiKey = undefined
    credentials.setDomainKey('mayfly.test', '')
  })

  test('each asks for what it needs, with the domain key', async () => {
    credentials.setDomainKey('mayfly.test', 'sesame')
    const expires_at = new Date(NOW + 3_600_000).toISOString()
    const list = { emails: [email('01')], next_cursor: null }
    answer = { ...list, deleted: 3, marked: 4, links: [], link_check: true, expires_at }
    const api = new MailApi(ADDRESS)
    await api.list({})
    await api.list({ cursor: '2', filter: { from: 'a b' }, limit: 1, text: 5 })
    expect([(await api.summary('01'))?.id, await api.summary('02')]).toEqual(['01', undefined])
    await api.remove('1')
    expect([await api.clear(), await api.markAllRead(), await api.checkLinks('1')]).toEqual([3, 4, []])
    await api.part('/part')
    const listPath = '/api/public/emails/bot%2B1%40mayfly.test'
    expect(requests).toEqual([
      `GET ${listPath}?limit=100&text_limit=200 sesame`,
      `GET ${listPath}?from=a+b&limit=1&text_limit=5&cursor=2 sesame`,
      `GET ${listPath}?limit=1&text_limit=16384&cursor=02 sesame`,
      `GET ${listPath}?limit=1&text_limit=16384&cursor=03 sesame`,
      'POST /api/session',
      `DELETE ${PATH}/1 keepalive sesame`,
      `DELETE ${PATH} keepalive sesame`,
      `POST ${PATH}/read sesame`,
      'GET /api/info',
      `POST ${PATH}/1/link-check sesame`,
      'GET /part sesame',
    ])
  })

  test('an operator checks links with the key of this browser', async () => {
    credentials.apiKey = 'mf_operator'
    credentials.setDomainKey('mayfly.test', 'sesame')
    answer = { links: [], link_check: false }
    await new MailApi(ADDRESS).checkLinks('1')
    expect(requests.at(-1)).toBe(`POST ${PATH}/1/link-check mf_operator sesame`)
    // Where everyone may, the key is not needed.
    answer = { links: [], link_check: true, expires_at: new Date(NOW + 3_600_000).toISOString() }
    await new MailApi(ADDRESS).checkLinks('1')
    expect(requests.at(-1)).toBe(`POST ${PATH}/1/link-check sesame`)
  })

  test('an email that is gone already is deleted; one that could not be deleted is not', async () => {
    status = 404
    answer = { code: 'email_not_found', title: '', detail: '' }
    await new MailApi(ADDRESS).remove('1')
    answer = { code: 'domain_not_found', title: '', detail: '' }
    await expect(new MailApi(ADDRESS).remove('1')).rejects.toMatchObject({ code: 'domain_not_found' })
  })
})
