import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import type { Domain } from '../../../core/access/ports.ts'
import { newDomain } from '../../../core/access/registration.ts'
import { ALL_MAIL, type EventType, type Topic } from '../../../core/events/follower.ts'
import { Live } from '../../../core/events/live.ts'
import type { Change, ChangeFeed } from '../../../core/events/ports.ts'
import type { Sink } from '../../../core/events/sink.ts'
import { waitForEmail } from '../../../core/events/wait.ts'
import type { Email } from '../../../core/inbox/email.ts'
import type { MessageStore, ReplayBatch, Scope } from '../../../core/inbox/ports.ts'
import { STREAMS_MAX } from '../../../core/limits.ts'
import { lastUlidOf, ulidSource } from '../../../core/ulid.ts'

/** The moments between the store's answer and a change, which no real store lets a test choose. */
describe('live delivery', () => {
  let publish: (change: Change) => void
  let replays: PromiseWithResolvers<ReplayBatch>[]
  let scopes: Scope[]
  /** Where each replay began. */
  let replayedAfter: string[]
  let live: Live
  let seen: string[]
  let sink: Sink
  let emails: MessageStore
  let changeFeed: ChangeFeed
  let listening: number

  const nextId = ulidSource(Date.now, (size) => new Uint8Array(size))
  const domain = (name: string, keyHash: string | null = null): Domain => ({
    ...newDomain(name, 'verified', 0),
    keyHash,
    keyPresented: keyHash !== null,
    visibleAfter: '',
    revision: '',
  })
  const email = (address = 'a@x.example') =>
    ({ id: nextId(), address, subject: '', codes: [], links: [], from: {} }) as unknown as Email
  const arrives = (one: Email) =>
    publish({ type: 'email', domain: one.address.split('@')[1]!, address: one.address, email: one })
  const settled = async () => {
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
  }

  beforeEach(() => {
    replays = []
    scopes = []
    replayedAfter = []
    listening = 0
    seen = []
    sink = {
      email: ({ email }) => seen.push(email.id),
      gap: (before) => seen.push(`gap before ${before}`),
      ready: () => undefined,
      end: (reason) => seen.push(reason),
    }
    emails = {
      barrier: async () => {},
      replay: async function* (scope: Scope, after: string) {
        scopes.push(scope)
        replayedAfter.push(after)
        const replay = Promise.withResolvers<ReplayBatch>()
        replays.push(replay)
        yield await replay.promise
      },
    } satisfies Partial<MessageStore> as unknown as MessageStore
    changeFeed = {
      subscribe: (listener: (change: Change) => void) => {
        publish = listener
        listening++
        return () => listening--
      },
    }
    live = new Live(changeFeed, emails, Date.now)
  })

  const follow = (after?: string, client = 'c') =>
    live.follow(
      { topic: { addresses: ['a@x.example'], domains: [domain('x.example')] }, after, client },
      sink,
    )

  test('subscribes to the store only while a client follows something', () => {
    expect(listening).toBe(0)
    const [first, second] = [follow(), follow()]
    expect(listening).toBe(1)
    first()
    first()
    expect(listening).toBe(1)
    second()
    expect(listening).toBe(0)
    follow()
    expect(listening).toBe(1)
    live.stop()
    expect(listening).toBe(0)
  })

  test('mail that arrives during the replay comes after it, once', async () => {
    const [old, both, during, later] = [email(), email(), email(), email()]
    follow(old.id)
    arrives(both)
    arrives(during)
    expect(seen).toEqual([])
    replays[0]!.resolve({ emails: [old, both] })
    await settled()
    arrives(later)
    expect(seen).toEqual([old.id, both.id, during.id, later.id])
    expect(replayedAfter).toEqual([old.id])
  })

  test('a change long after the replay of its email is no second event', async () => {
    const [one, two] = [email(), email()]
    follow(one.id)
    replays[0]!.resolve({ emails: [one] })
    await settled()
    arrives(one)
    arrives(two)
    expect(seen).toEqual([one.id, two.id])
  })

  test('a stream without new emails replays none', async () => {
    const topic = { addresses: ['a@x.example'], domains: [domain('x.example')] }
    const events = new Set<EventType>(['email-read'])
    live.follow({ topic, after: nextId(), events, client: 'c' }, sink)
    await settled()
    expect([scopes, seen]).toEqual([[], []])
  })

  test('other work has its turn between two batches of a replay', async () => {
    const order: string[] = []
    emails.replay = async function* () {
      for (const batch of [0, 1]) {
        order.push(`batch ${batch}`)
        setImmediate(() => order.push('other'))
        yield { emails: [email()] }
      }
    }
    follow(nextId())
    await settled()
    expect(order).toEqual(['batch 0', 'other', 'batch 1', 'other'])
  })

  test('a replay ends when access has changed since the store was read', async () => {
    const checkStillOpen = () => Promise.reject(new Error('access has changed'))
    const topic = { addresses: ['a@x.example'], domains: [domain('x.example')] }
    live.follow({ topic, after: nextId(), checkStillOpen, client: 'c' }, sink)
    replays[0]!.resolve({ missedBefore: 'x', emails: [email()] })
    await settled()
    expect(seen).toEqual(['failed'])
  })

  test('with a barrier, a stream begins with the last id of the millisecond before', () => {
    live = new Live(changeFeed, emails, () => 1000)
    expect(live.startId(ALL_MAIL)).toBe(lastUlidOf(999))
  })

  test('a truncated replay begins with a gap', async () => {
    const one = email()
    follow(one.id)
    replays[0]!.resolve({ missedBefore: one.id, emails: [one] })
    await settled()
    expect(seen).toEqual([`gap before ${one.id}`, one.id])
  })

  test('a store that fails ends the stream, so that the client reconnects', async () => {
    follow(nextId())
    replays[0]!.reject(new Error('down'))
    await settled()
    expect(seen).toEqual(['failed'])
    expect(live.count).toBe(0)
  })

  test('a stream that is closed during a replay gets no more events', async () => {
    const close = follow(nextId())
    close()
    close()
    replays[0]!.resolve({ emails: [email()] })
    await settled()
    arrives(email())
    expect(seen).toEqual([])
    expect(live.count).toBe(0)
  })

  test.each<[string, Domain | undefined]>([
    ['gets a key', domain('x.example', 'k')],
    ['is unregistered', undefined],
  ])('a stream ends when its domain %s, and stays when nothing of the key changed', (_, changed) => {
    follow()
    publish({ type: 'domain', name: 'x.example', domain: { ...domain('x.example'), status: 'pending' } })
    publish({ type: 'domain', name: 'other.example', domain: undefined })
    expect(seen).toEqual([])
    publish({ type: 'domain', name: 'x.example', domain: changed })
    expect(seen).toEqual(['access changed'])
  })

  describe('a stream of several addresses', () => {
    const addresses = ['a@x.example', 'b@x.example', 'c@y.example']
    const open = () =>
      live.follow(
        {
          topic: { addresses, domains: [domain('x.example'), domain('y.example', 'k')] },
          after: undefined,
          client: 'c',
        },
        sink,
      )

    test('gets the emails of each, and of no other', () => {
      const close = open()
      const expected = addresses.map((address) => email(address))
      for (const one of [...expected, email('d@x.example'), email('a@y.example')]) arrives(one)
      expect(seen).toEqual(expected.map(({ id }) => id))
      expect(live.count).toBe(1)
      close()
      for (const address of addresses) arrives(email(address))
      expect(seen).toHaveLength(3)
      expect(live.count).toBe(0)
    })

    test.each([
      ['a key is added to one domain', domain('x.example', 'new')],
      ['the key of one domain changes', domain('y.example', 'other')],
      ['one domain becomes public', domain('y.example')],
    ])('ends when %s', (_, changed) => {
      open()
      publish({ type: 'domain', name: changed.name, domain: changed })
      expect(seen).toEqual(['access changed'])
      expect(live.count).toBe(0)
    })

    test('continues when its domains are published unchanged', () => {
      open()
      publish({ type: 'domain', name: 'y.example', domain: domain('y.example', 'k') })
      publish({ type: 'domain', name: 'z.example', domain: domain('z.example') })
      expect(seen).toEqual([])
    })

    test('replays all of them', () => {
      live.follow(
        { topic: { addresses, domains: [domain('x.example')] }, after: nextId(), client: 'c' },
        sink,
      )
      expect(scopes).toEqual([{ addresses }])
    })
  })

  describe('a stream of a key', () => {
    const is = (changed: Domain) => publish({ type: 'domain', name: changed.name, domain: changed })
    const open = () =>
      live.follow(
        { topic: { keyHash: 'k', domains: [domain('x.example', 'k')] }, after: undefined, client: 'c' },
        sink,
      )

    test('includes a domain from the moment its key is first presented, without ending', () => {
      const close = open()
      is(domain('x.example', 'k'))
      arrives(email('z@x.example'))
      is({ ...domain('y.example', 'k'), keyPresented: false })
      arrives(email('z@y.example'))
      expect(seen).toHaveLength(1)
      is(domain('y.example', 'k'))
      is(domain('y.example', 'k'))
      arrives(email('z@y.example'))
      expect(seen).toHaveLength(2)
      close()
      expect(live.count).toBe(0)
      arrives(email('z@y.example'))
      expect(seen).toHaveLength(2)
    })

    test('ends when one of its domains leaves, also one that joined later', () => {
      open()
      is(domain('x.example', 'other'))
      expect(seen).toEqual(['access changed'])
      open()
      is(domain('y.example', 'k'))
      is(domain('y.example'))
      expect(seen).toEqual(['access changed', 'access changed'])
      expect(live.count).toBe(0)
    })

    test('is not changed by a stranger who copies the key record', () => {
      open()
      for (const key of ['k', null, 'k', 'other', 'k']) {
        is({ ...domain('evil.example', key), keyPresented: false })
        arrives(email('z@evil.example'))
      }
      publish({ type: 'domain', name: 'evil.example', domain: undefined })
      expect(seen).toEqual([])
      expect(live.count).toBe(1)
    })
  })

  test('mail from an earlier registration of the domain is neither live nor replayed', async () => {
    const [old, late, fresh] = [email(), email(), email()]
    const anew = { ...domain('x.example'), visibleAfter: late.id }
    const topic = { addresses: ['a@x.example'], domains: [anew] }
    live.follow({ topic, after: old.id, client: 'c' }, sink)
    arrives(late)
    replays[0]!.resolve({ emails: [old, late, fresh] })
    await settled()
    live.follow({ topic, after: undefined, client: 'c' }, sink)
    arrives(late)
    expect(seen).toEqual([fresh.id])
  })

  test('mail that came after its domain got a key, and is published before that change, ends streams without the key', async () => {
    const end = live.follow(
      {
        topic: { addresses: ['a@x.example'], domains: [domain('x.example')] },
        after: undefined,
        client: 'c',
      },
      sink,
    )
    const [before, after] = [email(), email()]
    const arrived = { type: 'email', domain: 'x.example', address: 'a@x.example' } as const
    publish({ ...arrived, email: before, keyHash: null })
    publish({ ...arrived, email: after, keyHash: 'k' })
    publish({ ...arrived, email: email(), keyHash: null })
    expect(seen).toEqual([before.id, 'access changed'])
    end()
    seen = []
    const topic = { addresses: ['a@x.example'], domains: [domain('x.example', 'k')] }
    live.follow({ topic, after: undefined, client: 'c' }, sink)
    publish({ ...arrived, email: after, keyHash: 'k' })
    // Accepted before, stored after: a client with the key may see it.
    publish({ ...arrived, email: before, keyHash: null })
    expect(seen).toEqual([after.id, before.id])
    publish({ ...arrived, email: email(), keyHash: 'another' })
    expect(seen).toEqual([after.id, before.id, 'access changed'])
  })

  test('a stream ends when its domain is registered again', () => {
    follow()
    publish({
      type: 'domain',
      name: 'x.example',
      domain: { ...domain('x.example'), visibleAfter: 'later' },
    })
    expect(seen).toEqual(['access changed'])
  })

  test('a client cannot have more streams than remain for others, and closing one frees a place', () => {
    const closes = Array.from({ length: STREAMS_MAX / 2 }, () => follow(undefined, 'first'))
    expect(() => follow(undefined, 'first')).toThrow(
      expect.objectContaining({ code: 'too_many_streams', retryAfter: 5 }),
    )
    for (let n = 0; n < STREAMS_MAX / 4; n++) follow(undefined, 'second')
    expect(() => follow(undefined, 'second')).toThrow(/too_many_streams/)
    follow(undefined, 'third')
    expect(() => follow(undefined, 'second')).toThrow(/too_many_streams/)
    // Usual clients have 5,000, until only the reserved places are free.
    for (let n = 1; n < 3500; n++) follow(undefined, 'third')
    expect(() => follow(undefined, 'third')).toThrow(/too_many_streams/)
    for (let n = 0; n < 96; n++) follow(undefined, 'fourth')
    expect(() => follow(undefined, 'fourth')).toThrow(/too_many_streams/)
    for (const close of closes) close()
    follow(undefined, 'second')
    expect(live.count).toBe(STREAMS_MAX / 4 + 1 + 3500 + 96)
  })

  test('stopping ends every stream and admits no new one', () => {
    follow()
    follow(nextId())
    live.stop()
    expect(seen).toEqual(['stopping', 'stopping'])
    expect(live.count).toBe(0)
    expect(() => follow()).toThrow(expect.objectContaining({ code: 'unavailable', retryAfter: 2 }))
  })

  test('a gap in the changes ends every stream once, and new ones are admitted', () => {
    const topic = { keyHash: 'k', domains: [domain('x.example', 'k'), domain('y.example', 'k')] }
    live.follow({ topic, after: undefined, client: 'c' }, sink)
    follow()
    live.endAll()
    expect([seen, live.count]).toEqual([['stopping', 'stopping'], 0])
    follow()
    expect(live.count).toBe(1)
  })

  test.each([
    [20, 2000],
    [100, 10_000],
  ])(
    'the clients of %d streams that end together come back within %d ms, where 10 a second are opened',
    (count, ms) => {
      const told: (number | undefined)[] = []
      sink.end = (_, withinMs) => told.push(withinMs)
      live = new Live(changeFeed, emails, Date.now, { reconnectsPerSecond: 10 })
      for (let n = 0; n < count; n++) follow()
      live.stop()
      expect(told).toEqual(Array(count).fill(ms))
    },
  )

  test('a thousand streams a second are opened by default', () => {
    const told = new Set<number | undefined>()
    sink.end = (_, withinMs) => told.add(withinMs)
    live = new Live(changeFeed, emails, Date.now)
    for (let n = 0; n < 5000; n++) follow()
    live.stop()
    expect([...told]).toEqual([5000])
  })

  describe('waiting', () => {
    const wait = (
      there: () => Promise<Email | null>,
      timeoutMs: number,
      signal = new AbortController().signal,
      oldest = false,
    ) =>
      waitForEmail(
        live,
        {
          topic: { addresses: ['a@x.example'], domains: [domain('x.example')] },
          filter: { subject: '' },
          after: undefined,
          oldest,
          client: 'c',
          timeoutMs,
          signal,
        },
        there,
      )
    const nothing = async () => null
    const never = () => new Promise<null>(() => {})

    afterEach(() => expect(live.count).toBe(0))

    test('returns an existing email, or one that arrives', async () => {
      const one = email()
      expect(await wait(async () => one, 1000)).toBe(one)
      const waiting = wait(nothing, 10_000)
      await settled()
      arrives(one)
      expect(await waiting).toBe(one)
    })

    test('returns an email that arrives during the query', async () => {
      const one = email()
      const waiting = wait(never, 10_000)
      arrives(one)
      expect(await waiting).toBe(one)
    })

    test('for the oldest, an email that arrives meanwhile waits for the response of the store', async () => {
      let answer: (email: Email | null) => void = () => {}
      const store = new Promise<Email | null>((resolve) => {
        answer = resolve
      })
      const [older, newer] = [email(), email()]
      const waiting = wait(() => store, 10_000, undefined, true)
      arrives(newer)
      answer(older)
      expect(await waiting).toBe(older)
      const empty = wait(nothing, 10_000, undefined, true)
      arrives(newer)
      expect(await empty).toBe(newer)
    })

    test('for the oldest, ends with the response of the store if it has none and one has arrived', async () => {
      const store = Promise.withResolvers<Email | null>()
      const [first, second] = [email(), email()]
      const waiting = wait(() => store.promise, 10_000, undefined, true)
      arrives(first)
      arrives(second)
      store.resolve(null)
      expect(await waiting).toBe(first)
    })

    test('leaves nothing behind on the signal of its client', async () => {
      const { signal } = new AbortController()
      const waiting = wait(nothing, 10_000, signal)
      expect(getEventListeners(signal, 'abort')).toHaveLength(1)
      arrives(email())
      await waiting
      expect(getEventListeners(signal, 'abort')).toEqual([])
    })

    test('leaves no timer behind', async () => {
      jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] })
      try {
        const waiting = wait(nothing, 10_000)
        expect(jest.getTimerCount()).toBe(1)
        arrives(email())
        await waiting
        expect(jest.getTimerCount()).toBe(0)
      } finally {
        jest.useRealTimers()
      }
    })

    test('skips emails that are not newer than the id, or do not match', async () => {
      const [old, other, wanted] = [email(), email(), email()]
      const topic = { addresses: ['a@x.example'], domains: [domain('x.example')] }
      const filter = { subject: 'code' }
      const signal = new AbortController().signal
      const waiting = waitForEmail(
        live,
        { topic, filter, after: old.id, client: 'c', timeoutMs: 10_000, signal },
        nothing,
      )
      arrives({ ...old, subject: 'code' })
      arrives(other)
      arrives({ ...wanted, subject: 'code' })
      expect((await waiting)!.id).toBe(wanted.id)
    })

    test('ends at its time-out, even if the store does not answer', async () => {
      expect(await wait(nothing, 1)).toBeNull()
      expect(await wait(never, 1)).toBeNull()
    })

    test('ends when the client disconnects, and does not begin if it already has', async () => {
      const controller = new AbortController()
      const left = wait(never, 10_000, controller.signal)
      controller.abort()
      expect(await left).toBeNull()
      expect(await wait(async () => email(), 10_000, controller.signal)).toBeNull()
    })

    test('rejects when the store fails', async () => {
      await expect(wait(() => Promise.reject(new Error('down')), 10_000)).rejects.toThrow('down')
    })

    test('ends when the service stops', async () => {
      const waiting = wait(nothing, 10_000)
      live.stop()
      expect(await waiting).toBeNull()
    })
  })

  test('changes go only to the clients that follow the address or the domain', () => {
    const follows = (events: EventType[], topic: Topic) => {
      const got: string[] = []
      live.follow(
        { topic, after: undefined, events: new Set(events), client: 'c' },
        {
          email: () => got.push('new-email'),
          change: ({ type }) => got.push(type),
          gap: () => {},
          ready: () => undefined,
          end: () => {},
        },
      )
      return got
    }
    const on = (address: string): Topic => ({ addresses: [address], domains: [domain('x.example')] })
    const all: EventType[] = ['new-email', 'email-read', 'email-deleted', 'inbox-cleared']
    const everything = follows(all, on('a@x.example'))
    const reads = follows(['email-read'], { keyHash: 'k', domains: [domain('x.example', 'k')] })
    const usual = follows(['new-email'], on('a@x.example'))
    const elsewhere = follows(all, on('b@x.example'))
    const of = { domain: 'x.example', address: 'a@x.example' }
    arrives(email())
    publish({ type: 'email-read', ...of, id: '1' })
    publish({ type: 'email-deleted', ...of, id: '1' })
    publish({ type: 'inbox-cleared', ...of })
    expect(everything).toEqual(all)
    expect(reads).toEqual(['email-read'])
    expect(usual).toEqual(['new-email'])
    expect(elsewhere).toEqual([])
  })

  describe('the store sets a barrier at the id with which a new stream may resume', () => {
    const barriers: [Scope, string][] = []
    let answer: () => Promise<void>

    beforeEach(() => {
      barriers.length = 0
      answer = async () => {}
      emails.barrier = async (scope, id) => {
        barriers.push([scope, id])
        return answer()
      }
    })

    const opens = (topic: Topic, startId?: string) =>
      live.follow({ topic, after: undefined, startId, client: 'c' }, sink)
    const one: Topic = { addresses: ['a@x.example'], domains: [domain('x.example')] }
    const many: Topic = { keyHash: 'k', domains: [domain('x.example', 'k'), domain('y.example', 'k')] }

    test('for what it follows, where it has such an id', async () => {
      opens(one)
      opens(one, 'start')
      opens(many, 'start')
      await settled()
      expect(barriers).toEqual([
        [{ addresses: ['a@x.example'] }, 'start'],
        [{ domains: ['x.example', 'y.example'] }, 'start'],
      ])
      expect(seen).toEqual([])
    })

    test('for all of its domains when one joins, once', async () => {
      live = new Live(changeFeed, emails, () => 1000)
      opens(many)
      const joined = domain('z.example', 'k')
      publish({ type: 'domain', name: 'z.example', domain: joined })
      publish({ type: 'domain', name: 'z.example', domain: joined })
      await settled()
      expect(barriers).toEqual([[{ domains: ['x.example', 'y.example', 'z.example'] }, lastUlidOf(999)]])
    })

    test('or the stream ends, unless it has already ended', async () => {
      answer = () => Promise.reject(new Error('down'))
      opens(one, 'start')
      opens(one, 'start')()
      await settled()
      expect(seen).toEqual(['failed'])
      opens(many)
      for (const name of ['z.example', 'zz.example'])
        publish({ type: 'domain', name, domain: domain(name, 'k') })
      await settled()
      expect(seen).toEqual(['failed', 'failed'])
      expect(live.count).toBe(0)
    })
  })

  test('knows every address and every whole domain that a client follows', () => {
    follow()
    const topic: Topic = { keyHash: 'k', domains: [domain('y.example', 'k')] }
    const close = live.follow({ topic, after: undefined, client: 'c' }, sink)
    expect(live.followed()).toEqual(new Set(['a@x.example', 'y.example']))
    expect([live.follows('x.example'), live.follows('y.example')]).toEqual([false, true])
    close()
    expect(live.followed()).toEqual(new Set(['a@x.example']))
    expect(live.follows('y.example')).toBe(false)
  })

  test('changes of mail from an earlier registration are not published', () => {
    const [old, fresh] = [email(), email()]
    const ids: string[] = []
    const told: Sink = { ...sink, change: (change) => 'id' in change && ids.push(change.id) }
    const anew = { ...domain('x.example', 'k'), visibleAfter: old.id }
    const events: ReadonlySet<EventType> = new Set(['email-read'])
    const topics: Topic[] = [
      { addresses: ['a@x.example'], domains: [anew] },
      { keyHash: 'k', domains: [anew] },
    ]
    for (const topic of topics) live.follow({ topic, after: undefined, events, client: 'c' }, told)
    for (const { id } of [old, fresh]) {
      publish({ type: 'email-read', domain: 'x.example', address: 'a@x.example', id })
    }
    expect(ids).toEqual([fresh.id, fresh.id])
  })
})
