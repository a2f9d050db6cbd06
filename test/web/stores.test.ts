import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { Deletions, UNDO_MS } from '../../web/inbox/deletions.ts'
import { InboxStore } from '../../web/inbox/inbox-store.ts'
import type { ListRequest, MailApi, MailSource, Page } from '../../web/inbox/mail-api.ts'
import { Search } from '../../web/inbox/search.ts'
import type { WholeEmail } from '../../web/lib/api.ts'
import { CredentialStore } from '../../web/lib/credentials.ts'
import { ApiProblem } from '../../web/lib/problem.ts'
import type { Subscription } from '../../web/stream/connect.ts'
import type { StreamEvent } from '../../web/stream/messages.ts'
import { email } from './email.ts'

/** The functions of a window that the stores call. */
beforeEach(() => {
  jest.useFakeTimers()
  Object.assign(globalThis, {
    addEventListener: () => {},
    localStorage: storage(),
    sessionStorage: storage(),
  })
  // The session is valid, so that no store requests one.
  localStorage.setItem('mayfly.session-ends', String(Date.now() + 3_600_000))
})
afterEach(() => {
  jest.useRealTimers()
})

function storage() {
  const values = new Map<string, string>()
  return {
    getItem: (name: string) => values.get(name) ?? null,
    setItem: (name: string, value: string) => void values.set(name, value),
    removeItem: (name: string) => void values.delete(name),
    names: () => [...values.keys()],
  }
}

const problem = (code: ApiProblem['code']) => new ApiProblem(code, '', '', { status: 503 })

/** What the page shows of the stores of a test: as they were when they last said that they had changed. */
const drawn: { now: () => string; last: string }[] = []
function drawing(now: () => unknown): () => void {
  const entry = { now: () => JSON.stringify(now()), last: '' }
  drawn.push(entry)
  return () => {
    entry.last = entry.now()
  }
}
/** Fails if a store has changed and the page does not show it. */
function expectDrawn(): void {
  for (const { now, last } of drawn) expect(last).toBe(now())
}
afterEach(() => {
  expectDrawn()
  drawn.splice(0)
})

function deletions(remove: (id: string) => Promise<void>, clear: () => Promise<number> = async () => 0) {
  const deleted: string[] = []
  const changed = drawing(() => [[...store.pending], store.done, store.problem?.code, store.isEmpty])
  const store = new Deletions({ remove, clear } satisfies Partial<MailApi> as unknown as MailApi, {
    changed,
    deleted: (ids) => deleted.push(...ids),
  })
  return { store, deleted }
}

/** A search of these emails, which the page draws. */
function searchOf(list: MailSource['list']): Search {
  const changed = drawing(() => [search.text, search.emails, search.problem?.code, search.isBusy])
  const search = new Search(list, changed)
  return search
}

describe('deletions', () => {
  test('are sent when the time for undoing them is over, and not earlier', async () => {
    const removed: string[] = []
    const { store, deleted } = deletions(async (id) => void removed.push(id))
    store.add(['a', 'b'])
    expect([store.has('a'), store.pending.size, removed]).toEqual([true, 2, []])
    expectDrawn()
    await jest.advanceTimersByTimeAsync(UNDO_MS - 1)
    expect(removed).toEqual([])
    await jest.advanceTimersByTimeAsync(1)
    expect([removed.sort(), deleted.sort(), store.done, store.has('a')]).toEqual([
      ['a', 'b'],
      ['a', 'b'],
      2,
      false,
    ])
  })

  test('can be undone', async () => {
    const removed: string[] = []
    const { store } = deletions(async (id) => void removed.push(id))
    store.add(['a'])
    store.undo()
    expectDrawn()
    await jest.advanceTimersByTimeAsync(2 * UNDO_MS)
    expect([removed, store.has('a'), store.isEmpty, store.done]).toEqual([[], false, true, undefined])
  })

  test('a second deletion sends the first one at once', async () => {
    const removed: string[] = []
    const { store } = deletions(async (id) => void removed.push(id))
    store.add(['a'])
    store.add(['b'])
    await jest.advanceTimersByTimeAsync(0)
    expect([removed, store.has('b'), [...store.pending]]).toEqual([['a'], true, ['b']])
  })

  test('each have their whole time for being undone, and their result is shown for four seconds', async () => {
    const removed: string[] = []
    const { store } = deletions(
      async (id) => void removed.push(id),
      async () => 300,
    )
    store.add(['a'])
    await jest.advanceTimersByTimeAsync(UNDO_MS - 1)
    store.add(['b'])
    await jest.advanceTimersByTimeAsync(UNDO_MS - 1)
    expect([removed, store.done]).toEqual([['a'], undefined])
    await jest.advanceTimersByTimeAsync(1)
    expect([removed, store.done]).toEqual([['a', 'b'], 1])
    await jest.advanceTimersByTimeAsync(3000)
    // There is nothing to undo any more.
    store.undo()
    await store.clear(['c'])
    await jest.advanceTimersByTimeAsync(3999)
    expect(store.done).toBe(300)
    store.undo()
    await jest.advanceTimersByTimeAsync(1)
    expect(store.done).toBeUndefined()
  })

  test('are sent by four requests at a time', async () => {
    let [current, most] = [0, 0]
    const { store, deleted } = deletions(async () => {
      most = Math.max(most, ++current)
      await new Promise((resolve) => setTimeout(resolve, 10))
      current--
    })
    store.add('abcdefghij')
    store.flush()
    await jest.advanceTimersByTimeAsync(100)
    expect([most, deleted.length]).toEqual([4, 10])
  })

  test('of a page that closes are sent at once', async () => {
    let leave = () => {}
    Object.assign(globalThis, {
      addEventListener: (type: string, listener: () => void) => {
        if (type === 'pagehide') leave = listener
      },
    })
    const removed: string[] = []
    const { store } = deletions(async (id) => void removed.push(id))
    store.add(['a'])
    leave()
    await jest.advanceTimersByTimeAsync(0)
    expect(removed).toEqual(['a'])
  })

  test('that fail restore the emails and show the reason', async () => {
    const { store, deleted } = deletions(async (id) => {
      if (id === 'b') throw problem('unavailable')
    })
    store.add(['a', 'b'])
    store.flush()
    expect([store.has('b'), store.isEmpty]).toEqual([true, false])
    expectDrawn()
    await jest.advanceTimersByTimeAsync(0)
    expect([deleted, store.has('b'), store.problem?.code, store.done]).toEqual([
      ['a'],
      false,
      'unavailable',
      undefined,
    ])
    expectDrawn()
    store.dismiss()
    expect(store.problem).toBeUndefined()
    expectDrawn()
    // The next deletion shows nothing of those before.
    store.add(['b'])
    store.flush()
    await jest.advanceTimersByTimeAsync(0)
    expect(store.problem?.code).toBe('unavailable')
    store.add(['c'])
    expect(store.problem).toBeUndefined()
    await jest.advanceTimersByTimeAsync(UNDO_MS)
    expect(store.done).toBe(1)
    store.add(['d'])
    expect(store.done).toBeUndefined()
  })

  test('open the session of the browser in advance, and need none that cannot be opened', async () => {
    const sent: string[] = []
    const hour = 3_600_000
    let isAway = false
    Object.assign(globalThis, {
      fetch: async (path: string, { method }: RequestInit) => {
        sent.push(`${method} ${path}`)
        if (isAway) throw new TypeError('offline')
        return Response.json({ expires_at: new Date(Date.now() + hour).toISOString() })
      },
    })
    const { store } = deletions(async () => {})
    store.add(['a'])
    await jest.advanceTimersByTimeAsync(0)
    store.add(['b'])
    expect(sent).toEqual(['POST /api/session'])
    isAway = true
    await jest.advanceTimersByTimeAsync(hour)
    store.add(['c'])
    await jest.advanceTimersByTimeAsync(0)
    expect(sent).toHaveLength(2)
  })

  test('of the whole inbox show how many emails the service deleted', async () => {
    const { store, deleted } = deletions(
      async () => {},
      async () => 300,
    )
    await store.clear(['a', 'b'])
    expect([store.done, deleted]).toEqual([300, ['a', 'b']])
  })

  test('of the whole inbox include the one that could still be undone', async () => {
    const removed: string[] = []
    const { store } = deletions(async (id) => void removed.push(id))
    store.add(['a'])
    await store.clear(['a', 'b'])
    await jest.advanceTimersByTimeAsync(2 * UNDO_MS)
    expect([removed, store.isEmpty]).toEqual([[], true])
  })
})

describe('a search', () => {
  const pages = (...answers: Page[]) => {
    const requests: ListRequest[] = []
    const list = async (request: ListRequest) => {
      requests.push(request)
      return answers.shift() ?? { emails: [], next_cursor: null }
    }
    return { api: { list } satisfies Partial<MailApi> as unknown as MailApi, requests }
  }

  test('sends one request for the typed text, with the filters', async () => {
    const { api, requests } = pages({ emails: [email('2'), email('1')], next_cursor: null })
    const search = searchOf(api.list)
    search.type('from:a')
    search.type('from:acme has:code')
    expect([search.emails, search.isBusy]).toEqual([[], true])
    expectDrawn()
    await jest.advanceTimersByTimeAsync(179)
    expect(requests).toEqual([])
    await jest.advanceTimersByTimeAsync(1)
    expect(requests).toEqual([{ filter: { from: 'acme', has: 'code' } }])
    expect(search.emails?.map(({ id }) => id)).toEqual(['2', '1'])
  })

  test('continues through pages without a match, up to a bound', async () => {
    const empty = Array.from({ length: 30 }, (_, i) => ({ emails: [], next_cursor: String(i) }))
    const { api, requests } = pages(...empty)
    const search = searchOf(api.list)
    search.type('needle')
    await jest.advanceTimersByTimeAsync(1000)
    expect([requests.length, search.more, search.isBusy]).toEqual([10, true, false])
    await search.older()
    expect(requests.length).toBe(20)
  })

  test('requests older results once, however often the end of the list is reached', async () => {
    const { api, requests } = pages(
      { emails: [email('2')], next_cursor: '2' },
      { emails: [email('1')], next_cursor: null },
    )
    const search = searchOf(api.list)
    search.type('acme')
    await jest.advanceTimersByTimeAsync(1000)
    await Promise.all([search.older(), search.older()])
    await search.older()
    expect(requests.map(({ cursor }) => cursor)).toEqual([undefined, '2'])
    expect([search.emails?.map(({ id }) => id), search.more]).toEqual([['2', '1'], false])
  })

  test('shows nothing of an answer that comes after its text has changed', async () => {
    const answers: ((page: Page | Error) => void)[] = []
    const signals: (AbortSignal | undefined)[] = []
    const search = searchOf((_, signal) => {
      signals.push(signal)
      return new Promise((resolve, reject) =>
        answers.push((page) => (page instanceof Error ? reject(page) : resolve(page))),
      )
    })
    const isAborted = () => signals.map((signal) => signal?.aborted)
    for (const text of ['one', 'two', 'three']) {
      search.type(text)
      // The request for another text is of no use any more.
      expect(isAborted()).toEqual(signals.map(() => true))
      await jest.advanceTimersByTimeAsync(180)
    }
    answers[0]?.({ emails: [email('1')], next_cursor: 'x' })
    answers[1]?.(problem('unavailable'))
    await jest.advanceTimersByTimeAsync(0)
    expect([search.emails, search.problem, search.isBusy, search.more]).toEqual([[], undefined, true, false])
    // An email that arrives asks again.
    search.renew()
    expect(isAborted()).toEqual([true, true, true, false])
    answers[3]?.({ emails: [email('3')], next_cursor: null })
    await jest.advanceTimersByTimeAsync(0)
    expect([search.emails?.length, search.isBusy]).toEqual([1, false])
    search.type('four')
    search.type('')
    await jest.advanceTimersByTimeAsync(1000)
    expect([answers.length, search.emails, search.isBusy]).toEqual([4, undefined, false])
    search.renew()
    expect(answers.length).toBe(4)
  })

  test('shows only emails that contain all words', async () => {
    const { api, requests } = pages({
      emails: [email('2', { subject: 'Acme code' }), email('1', { subject: 'Globex code' })],
      next_cursor: null,
    })
    const search = searchOf(api.list)
    search.type('code acme')
    await jest.advanceTimersByTimeAsync(1000)
    expect(search.emails?.map(({ id }) => id)).toEqual(['2'])
    // The page compares the text, so it asks for more of it.
    expect(requests).toEqual([{ filter: { q: 'code' }, text: 16_384 }])
  })

  test('that fails keeps no results of another text, and can be tried again', async () => {
    let isAway = false
    const list = async () => {
      if (isAway) throw problem('unavailable')
      return { emails: [email('1')], next_cursor: null }
    }
    const search = searchOf(list)
    search.type('acme')
    await jest.advanceTimersByTimeAsync(1000)
    isAway = true
    search.renew()
    await jest.advanceTimersByTimeAsync(0)
    expect([search.emails?.length, search.problem?.code]).toEqual([1, 'unavailable'])
    search.type('globex')
    await jest.advanceTimersByTimeAsync(1000)
    expect([search.emails, search.problem?.code]).toEqual([[], 'unavailable'])
    isAway = false
    await search.retry()
    expect([search.emails?.length, search.problem]).toEqual([1, undefined])
  })

  test('that fails shows the reason, and an empty field ends it', async () => {
    const list = async () => {
      throw problem('unavailable')
    }
    const search = searchOf(list)
    search.type('x')
    await jest.advanceTimersByTimeAsync(1000)
    expect(search.problem?.code).toBe('unavailable')
    search.type(' ')
    expect([search.emails, search.problem]).toEqual([undefined, undefined])
  })
})

describe('the emails that a page has read', () => {
  async function open() {
    const read: string[] = []
    let subscription: Subscription | undefined
    const list = async () => ({ emails: [], next_cursor: null })
    const whole = async (id: string) => {
      read.push(id)
      return email(id) as WholeEmail
    }
    const feed = {
      follow: (given: Subscription) => {
        subscription = given
      },
      leave: () => {},
    }
    const api = { list, whole } satisfies Partial<MailApi> as unknown as MailApi
    const store = new InboxStore('bot@mayfly.test', () => {}, { api, feed })
    await store.open()
    return { store, read, receive: (event: StreamEvent) => subscription?.receive({ type: 'event', event }) }
  }

  test('are requested once, up to twenty', async () => {
    const { store, read } = await open()
    const ids = Array.from({ length: 21 }, (_, n) => String(n))
    for (const id of [...ids, '20', '1']) await store.read(id)
    expect(read).toEqual(ids)
    await store.read('0')
    expect(read).toEqual([...ids, '0'])
  })

  test('are gone when the inbox was cleared, also those that are not in the list', async () => {
    const { store, receive } = await open()
    await store.read('1')
    receive({ type: 'inbox-cleared', address: 'bot@mayfly.test' })
    expect(store.isGone('1')).toBe(true)
  })
})

describe('credentials', () => {
  test('a domain key is kept for the tab only, an API key for the browser', () => {
    const store = new CredentialStore()
    store.setDomainKey('private.test', 'secret')
    store.apiKey = 'mf_1'
    const names = (area: unknown) => (area as ReturnType<typeof storage>).names()
    expect(names(localStorage)).toEqual(['mayfly.session-ends', 'mayfly.api-key'])
    expect(names(sessionStorage)).toEqual(['mayfly.domain-key.private.test'])
    expect(new CredentialStore().domainKey('private.test')).toBe('secret')
  })
})
