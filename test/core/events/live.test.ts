import { beforeEach, describe, expect, test } from '@jest/globals'
import type { Domain } from '../../../core/access/ports.ts'
import { newDomain } from '../../../core/access/registration.ts'
import { Live, type Sink } from '../../../core/events/live.ts'
import type { Change } from '../../../core/events/ports.ts'
import type { Email } from '../../../core/inbox/email.ts'
import type { MessageStore, ReplayBatch } from '../../../core/inbox/ports.ts'
import { STREAMS_PER_TOPIC } from '../../../core/limits.ts'
import { ulidSource } from '../../../core/ulid.ts'

/** The moments between the store's answer and an announcement, which no real store lets a test choose. */
describe('live delivery', () => {
  let announce: (announcement: Change) => void
  let replays: PromiseWithResolvers<ReplayBatch>[]
  let live: Live
  let seen: string[]
  let sink: Sink

  const nextId = ulidSource(Date.now, (size) => new Uint8Array(size))
  const domain = (name: string, key_hash: string | null = null): Domain => ({
    ...newDomain(name, 'verified', 0),
    key_hash,
    key_presented: key_hash !== null,
    visible_after: '',
    revision: '',
  })
  const email = (address = 'a@x.example') =>
    ({ id: nextId(), address, subject: '', codes: [], links: [], from: {} }) as unknown as Email
  const arrives = (one: Email) => announce({ type: 'email', domain: one.address.split('@')[1]!, email: one })
  const settled = () => new Promise((resolve) => setImmediate(resolve))

  beforeEach(() => {
    replays = []
    seen = []
    sink = {
      email: ({ email }) => seen.push(email.id),
      gap: (before) => seen.push(`gap before ${before}`),
      end: (reason) => seen.push(reason),
    }
    const emails = {
      replay: async function* () {
        const replay = Promise.withResolvers<ReplayBatch>()
        replays.push(replay)
        yield await replay.promise
      },
    } as unknown as MessageStore
    const announcements = {
      subscribe: (listener: (announcement: Change) => void) => {
        announce = listener
        return () => {}
      },
    }
    live = new Live(announcements, emails, Date.now)
  })

  const follow = (after?: string, client = 'c') =>
    live.follow({ topic: { address: 'a@x.example', domain: domain('x.example') }, after, client }, sink)

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
  })

  test('an announcement that comes long after the replay told it is no second event', async () => {
    const [one, two] = [email(), email()]
    follow(one.id)
    replays[0]!.resolve({ emails: [one] })
    await settled()
    arrives(one)
    arrives(two)
    expect(seen).toEqual([one.id, two.id])
  })

  test('a cut replay begins with a gap', async () => {
    const one = email()
    follow(one.id)
    replays[0]!.resolve({ missed_before: one.id, emails: [one] })
    await settled()
    expect(seen).toEqual([`gap before ${one.id}`, one.id])
  })

  test('a store that fails ends the stream, so that the client tries again', async () => {
    follow(nextId())
    replays[0]!.reject(new Error('down'))
    await settled()
    expect(seen).toEqual(['failed'])
    expect(live.count).toBe(0)
  })

  test('closed in the middle of a replay, it hears no more', async () => {
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
    announce({ type: 'domain', name: 'x.example', domain: { ...domain('x.example'), status: 'pending' } })
    announce({ type: 'domain', name: 'other.example', domain: undefined })
    expect(seen).toEqual([])
    announce({ type: 'domain', name: 'x.example', domain: changed })
    expect(seen).toEqual(['access changed'])
  })

  describe('a stream of a key', () => {
    const is = (changed: Domain) => announce({ type: 'domain', name: changed.name, domain: changed })
    const open = () =>
      live.follow(
        { topic: { keyHash: 'k', domains: [domain('x.example', 'k')] }, after: undefined, client: 'c' },
        sink,
      )

    test('has a domain in it from when the key is first shown for it, and goes on', () => {
      const close = open()
      is(domain('x.example', 'k'))
      arrives(email('z@x.example'))
      is({ ...domain('y.example', 'k'), key_presented: false })
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

    test('is left alone by a stranger who copies the record of the key', () => {
      open()
      for (const key of ['k', null, 'k', 'other', 'k']) {
        is({ ...domain('evil.example', key), key_presented: false })
        arrives(email('z@evil.example'))
      }
      announce({ type: 'domain', name: 'evil.example', domain: undefined })
      expect(seen).toEqual([])
      expect(live.count).toBe(1)
    })
  })

  test('mail from before the domain began anew is not shown, live or replayed', async () => {
    const [old, late, fresh] = [email(), email(), email()]
    const anew = { ...domain('x.example'), visible_after: late.id }
    const topic = { address: 'a@x.example', domain: anew }
    live.follow({ topic, after: old.id, client: 'c' }, sink)
    arrives(late)
    replays[0]!.resolve({ emails: [old, late, fresh] })
    await settled()
    live.follow({ topic, after: undefined, client: 'c' }, sink)
    arrives(late)
    expect(seen).toEqual([fresh.id])
  })

  test('a stream ends when its domain begins anew', () => {
    follow()
    announce({
      type: 'domain',
      name: 'x.example',
      domain: { ...domain('x.example'), visible_after: 'later' },
    })
    expect(seen).toEqual(['access changed'])
  })

  test('too many streams of one address are refused, and closing one makes room', () => {
    const closes = Array.from({ length: STREAMS_PER_TOPIC }, () => follow())
    expect(() => follow()).toThrow(/too_many_streams/)
    closes[0]!()
    follow()
  })

  test('stopping ends every stream, and lets none in again', () => {
    follow()
    follow(nextId())
    live.stop()
    expect(seen).toEqual(['stopping', 'stopping'])
    expect(live.count).toBe(0)
    expect(() => follow()).toThrow(/unavailable/)
  })

  test('waiting: an email that is there, one that comes, none, and a client that leaves', async () => {
    const topic = { address: 'a@x.example', domain: domain('x.example') }
    const wait = (there: Email | null, timeoutMs: number, signal = new AbortController().signal) =>
      live.wait(
        topic,
        { filter: {}, after: undefined },
        { client: 'c', timeoutMs, signal },
        async () => there,
      )
    const one = email()
    expect(await wait(one, 1000)).toBe(one)
    const waiting = wait(null, 10_000)
    await settled()
    arrives(one)
    expect(await waiting).toBe(one)
    expect(await wait(null, 1)).toBeNull()
    const controller = new AbortController()
    const left = wait(null, 10_000, controller.signal)
    controller.abort()
    expect(await left).toBeNull()
    expect(live.count).toBe(0)
  })
})
