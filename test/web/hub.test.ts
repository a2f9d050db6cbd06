import { beforeEach, describe, expect, jest, test } from '@jest/globals'
import { EVERYTHING } from '../../web/lib/address.ts'
import { StreamHub } from '../../web/stream/hub.ts'
import type { ToPage } from '../../web/stream/messages.ts'

/** Replaces the EventSource of the browser: the hub must open as few as possible. */
class FakeSource {
  static open: FakeSource[] = []
  onopen = () => {}
  onerror = () => {}
  onmessage = (_: { data: string; lastEventId: string }) => {}
  readonly url: URL
  constructor(url: string) {
    this.url = new URL(url)
    FakeSource.open.push(this)
  }

  close() {
    FakeSource.open = FakeSource.open.filter((source) => source !== this)
  }

  /** The addresses that this stream follows. */
  get addresses(): string[] {
    const first = decodeURIComponent(this.url.pathname.split('/').at(-1) ?? '')
    return [first, ...this.url.searchParams.getAll('also')]
  }
}

describe('the stream hub of a browser', () => {
  let hub: StreamHub
  let network: (type: 'online' | 'offline') => void
  beforeEach(() => {
    jest.useFakeTimers()
    FakeSource.open = []
    const listeners: Record<string, () => void> = {}
    const addEventListener = (type: string, listener: () => void) =>
      Object.assign(listeners, { [type]: listener })
    const navigator = { onLine: true }
    network = (type) => {
      navigator.onLine = type === 'online'
      listeners[type]?.()
    }
    Object.assign(globalThis, { EventSource: FakeSource, addEventListener })
    Object.defineProperty(globalThis, 'navigator', { value: navigator, configurable: true })
    hub = new StreamHub('http://a.test')
  })

  function page(address: string, key?: string) {
    const received: ToPage[] = []
    const say = hub.connect((message) => received.push(message))
    say({ type: 'follow', address, key, visible: true })
    return {
      say,
      received,
      get state() {
        return received.findLast((message) => message.type === 'state')?.state
      },
      count: (type: ToPage['type']) => received.filter((message) => message.type === type).length,
    }
  }

  test('six windows share one stream, and the old one stays until the new one is open', () => {
    const pages = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => {
      const opened = page(`${name}@x.test`)
      FakeSource.open.at(-1)?.onopen()
      return opened
    })
    expect(FakeSource.open.map(({ addresses }) => addresses)).toEqual([
      ['a@x.test', 'b@x.test', 'c@x.test', 'd@x.test', 'e@x.test', 'f@x.test'],
    ])
    expect(pages.map(({ state }) => state)).toEqual(Array(6).fill('live'))
    // A new page must not make the other pages read their lists again.
    expect(pages.map((each) => each.count('opened'))).toEqual(Array(6).fill(1))
    const last = page('g@x.test')
    expect(FakeSource.open).toHaveLength(2)
    expect([last.state, pages[0]?.state]).toEqual(['connecting', 'live'])
    // That the old one breaks is of no importance, because the new one is about to be open.
    FakeSource.open[0]?.onerror()
    expect([FakeSource.open.length, pages[0]?.state, pages[0]?.count('broken')]).toEqual([1, 'live', 0])
    FakeSource.open.at(-1)?.onopen()
    expect([FakeSource.open.length, last.state, last.count('opened')]).toEqual([1, 'live', 1])
    // A page that comes when there is a stream for it need not wait.
    pages[0]?.say({ type: 'leave' })
    expect([page('a@x.test').state, FakeSource.open.length]).toEqual(['live', 1])
  })

  test('two windows of one inbox need no second stream', () => {
    page('a@x.test')
    FakeSource.open[0]?.onopen()
    const second = page('a@x.test')
    expect(FakeSource.open).toHaveLength(1)
    expect([second.state, second.count('opened')]).toEqual(['live', 1])
  })

  test('an event reaches the windows of its inbox only', () => {
    const [one, two] = [page('a@x.test'), page('b@x.test')]
    const source = FakeSource.open.at(-1)
    source?.onopen()
    const data = JSON.stringify({ type: 'new-email', email: { address: 'b@x.test', id: '2' } })
    source?.onmessage({ data, lastEventId: '2' })
    source?.onmessage({ data: '{"type":"inbox-cleared","address":"a@x.test"}', lastEventId: '' })
    source?.onmessage({ data: '{"type":"gap","missed_before":"1"}', lastEventId: '' })
    expect([one?.count('event'), two?.count('event')]).toEqual([2, 2])
  })

  test('a stream that breaks resumes from its last event', () => {
    const one = page('a@x.test')
    FakeSource.open[0]?.onopen()
    FakeSource.open[0]?.onmessage({ data: '{"type":"gap"}', lastEventId: '01ABC' })
    FakeSource.open[0]?.onmessage({ data: '{"type":"gap"}', lastEventId: '' })
    FakeSource.open[0]?.onerror()
    expect([one.state, one.count('broken'), FakeSource.open.length]).toEqual(['reconnecting', 1, 0])
    jest.advanceTimersByTime(1000)
    expect(FakeSource.open[0]?.url.searchParams.get('last_event_id')).toBe('01ABC')
    FakeSource.open[0]?.onopen()
    expect([one.state, one.count('opened')]).toEqual(['live', 2])
  })

  test('the pause before a new attempt grows with each failure, and is short again after a success', () => {
    page('a@x.test')
    const isOpenAfter = (ms: number) => {
      FakeSource.open[0]?.onerror()
      jest.advanceTimersByTime(ms)
      return FakeSource.open.length === 1
    }
    for (const longestMs of [1000, 2000, 4000]) {
      expect(isOpenAfter(longestMs / 2 - 1)).toBe(false)
      jest.advanceTimersByTime(longestMs)
      expect(FakeSource.open).toHaveLength(1)
    }
    for (let i = 0; i < 3; i++) {
      FakeSource.open[0]?.onopen()
      expect(isOpenAfter(1000)).toBe(true)
    }
    for (let i = 0; i < 10; i++) expect(isOpenAfter(30_000)).toBe(true)
    expect(isOpenAfter(14_999)).toBe(false)
    jest.advanceTimersByTime(15_001)
    expect(FakeSource.open).toHaveLength(1)
  })

  test('a page that comes during the pause opens the stream at once, and for all', () => {
    page('a@x.test')
    FakeSource.open[0]?.onerror()
    expect(page('b@x.test').state).toBe('reconnecting')
    jest.advanceTimersByTime(60_000)
    expect(FakeSource.open.map(({ addresses }) => addresses)).toEqual([['a@x.test', 'b@x.test']])
    FakeSource.open[0]?.onerror()
    page('b@x.test')
    expect(FakeSource.open).toHaveLength(1)
  })

  test('only the pages of the stream that opens are live', () => {
    const [one, two] = [page('a@x.test'), page('b@x.test')]
    FakeSource.open[0]?.onopen()
    expect([one.state, two.state, two.count('opened')]).toEqual(['live', 'connecting', 0])
    FakeSource.open[1]?.onopen()
    expect([one.count('opened'), two.state]).toEqual([1, 'live'])
  })

  test('a stream that nothing follows any more is not opened again', () => {
    const one = page('a@x.test')
    FakeSource.open[0]?.onerror()
    one.say({ type: 'leave' })
    jest.advanceTimersByTime(60_000)
    expect(FakeSource.open).toEqual([])
  })

  test('a page that comes back reads its list, and its stream does not begin where the one before ended', () => {
    const one = page('a@x.test')
    FakeSource.open[0]?.onopen()
    FakeSource.open[0]?.onmessage({ data: '{"type":"gap"}', lastEventId: '01ABC' })
    one.say({ type: 'leave' })
    const again = page('a@x.test')
    expect(FakeSource.open.map(({ url }) => url.searchParams.get('last_event_id'))).toEqual([null])
    FakeSource.open[0]?.onopen()
    expect([again.state, again.count('opened')]).toEqual(['live', 1])
  })

  test('a stream asks for every kind of event', () => {
    page('a@x.test')
    expect(FakeSource.open[0]?.url.searchParams.get('events')).toBe(
      'new-email,email-read,email-deleted,inbox-cleared',
    )
  })

  test('the pages of all mail share a stream, which begins with what arrives', () => {
    const pages = [page(EVERYTHING), page(EVERYTHING)]
    expect(FakeSource.open.map(({ url }) => [url.pathname, url.searchParams.get('last_event_id')])).toEqual([
      ['/api/sse', null],
    ])
    FakeSource.open[0]?.onopen()
    const data = JSON.stringify({ type: 'new-email', email: { address: 'b@x.test', id: '2' } })
    FakeSource.open[0]?.onmessage({ data, lastEventId: '2' })
    expect(pages.map((each) => each.count('event'))).toEqual([1, 1])
  })

  test('a page of a whole domain has a stream before the windows of other keys, however many there are', () => {
    const others = ['k1', 'k1', 'k2', 'k2', 'k3', 'k3'].map((key) => page('a@x.test', key))
    const whole = page('@p.test', 'sesame')
    for (const source of FakeSource.open) source.onopen()
    expect([whole.state, others.at(-1)?.state]).toEqual(['live', 'polling'])
  })

  test.each([
    [0, 500],
    [0.5, 750],
    [1, 1000],
  ])(
    'the first pause is of half a second to a second: with the random number %d it is %d ms',
    (random, ms) => {
      jest.spyOn(Math, 'random').mockReturnValue(random)
      page('a@x.test')
      FakeSource.open[0]?.onerror()
      jest.advanceTimersByTime(ms - 1)
      expect(FakeSource.open).toHaveLength(0)
      jest.advanceTimersByTime(1)
      expect(FakeSource.open).toHaveLength(1)
      jest.restoreAllMocks()
    },
  )

  test('a change of the network opens the streams again, because the old connections may be dead', () => {
    const one = page('a@x.test')
    FakeSource.open[0]?.onopen()
    const [first] = FakeSource.open
    network('offline')
    expect([one.state, FakeSource.open.length, FakeSource.open[0] === first]).toEqual([
      'reconnecting',
      1,
      false,
    ])
    FakeSource.open[0]?.onerror()
    expect([one.state, FakeSource.open.length]).toEqual(['offline', 0])
    network('online')
    expect([one.state, FakeSource.open.length]).toEqual(['reconnecting', 1])
    FakeSource.open[0]?.onopen()
    expect([one.state, one.count('opened')]).toEqual(['live', 2])
    jest.advanceTimersByTime(60_000)
    expect(FakeSource.open).toHaveLength(1)
  })

  test('a window that leaves after a refusal does not close the stream of the others', () => {
    const good = page('a@x.test')
    const bad = page('b@gone.test')
    FakeSource.open.at(-1)?.onerror()
    bad.say({ type: 'leave' })
    jest.advanceTimersByTime(1000)
    expect(FakeSource.open.map(({ addresses }) => addresses)).toEqual([['a@x.test']])
    FakeSource.open[0]?.onopen()
    expect(good.state).toBe('live')
  })

  test('inboxes with different keys get three streams, and the other inboxes are polled', () => {
    const pages = ['k1', 'k2', 'k3', 'k4'].map((key) => page('a@x.test', key))
    for (const source of FakeSource.open) source.onopen()
    expect(FakeSource.open).toHaveLength(3)
    expect(pages.map(({ state }) => state)).toEqual(['live', 'live', 'live', 'polling'])
    // It reads its list at once, then every five seconds.
    expect(pages[3]?.count('opened')).toBe(1)
    pages[0]?.say({ type: 'visible', visible: true })
    expect(pages[3]?.received).toHaveLength(2)
    jest.advanceTimersByTime(4999)
    expect(pages[3]?.count('opened')).toBe(1)
    jest.advanceTimersByTime(1)
    expect(pages[3]?.count('opened')).toBe(2)
    jest.advanceTimersByTime(10_000)
    expect(pages[3]?.count('opened')).toBe(4)
  })

  test('a window that becomes visible gets the stream of one that is hidden', () => {
    const pages = ['k1', 'k2', 'k3', 'k4'].map((key) => page('a@x.test', key))
    for (const source of FakeSource.open) source.onopen()
    pages[0]?.say({ type: 'visible', visible: false })
    for (const source of FakeSource.open) source.onopen()
    expect(pages.map(({ state }) => state)).toEqual(['polling', 'live', 'live', 'live'])
    expect(FakeSource.open.map(({ url }) => url.searchParams.get('key'))).toEqual(['k2', 'k3', 'k4'])
  })

  test('a page of a whole domain follows the stream of its key, from the first email and before inboxes', () => {
    const others = ['sesame', 'k2', 'k3'].map((key) => page('a@x.test', key))
    const whole = page('@p.test', 'sesame')
    const source = FakeSource.open.find(({ url }) => url.pathname === '/api/user-dashboard/sse')
    expect(source?.url.searchParams.get('key')).toBe('sesame')
    expect(source?.url.searchParams.get('last_event_id')).toBe('0'.repeat(26))
    expect(source?.url.searchParams.getAll('also')).toEqual([])
    for (const each of FakeSource.open) each.onopen()
    expect(FakeSource.open).toHaveLength(3)
    expect([whole.state, ...others.map(({ state }) => state)]).toEqual(['live', 'live', 'live', 'polling'])
    const arrive = (address: string) =>
      source?.onmessage({
        data: JSON.stringify({ type: 'new-email', email: { address } }),
        lastEventId: '01A',
      })
    arrive('anyone@p.test')
    arrive('anyone@same-key.test')
    expect([whole.count('event'), others[0]?.count('event')]).toEqual([1, 0])
    // A second page needs the emails that exist, so the stream begins again.
    const second = page('@p.test', 'sesame')
    expect(FakeSource.open.at(-1)).not.toBe(source)
    expect(FakeSource.open.at(-1)?.url.searchParams.get('last_event_id')).toBe('0'.repeat(26))
    FakeSource.open.at(-1)?.onopen()
    expect(second.state).toBe('live')
    // After a break only what was missed is sent.
    FakeSource.open.at(-1)?.onmessage({ data: '{"type":"gap"}', lastEventId: '01B' })
    FakeSource.open.at(-1)?.onerror()
    jest.advanceTimersByTime(1000)
    expect(FakeSource.open.at(-1)?.url.searchParams.get('last_event_id')).toBe('01B')
  })

  test('more than 20 inboxes need a second stream, and the last window that leaves closes it', () => {
    const pages = Array.from({ length: 21 }, (_, i) => page(`a${i}@x.test`))
    for (const source of [...FakeSource.open]) source.onopen()
    expect(FakeSource.open.map(({ addresses }) => addresses.length)).toEqual([20, 1])
    for (const each of pages) each.say({ type: 'leave' })
    expect(FakeSource.open).toHaveLength(0)
  })
})
