import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import type { Sink } from '../../../core/events/sink.ts'
import { HELD_MAX, REPLAY_PATIENCE_MS, Subscription } from '../../../core/events/subscription.ts'
import { FairQueue } from '../../../core/fair-queue.ts'
import type { Email } from '../../../core/inbox/email.ts'
import type { ReplayBatch } from '../../../core/inbox/ports.ts'
import { CHANGE_FEED_LAG_MS } from '../../../core/limits.ts'
import { lastUlidOf, ulidSource } from '../../../core/ulid.ts'

/** A store, a feed and a client whose every step the test controls. */
describe('a subscription that catches up', () => {
  const FIRST = lastUlidOf(0)
  let stored: Email[]
  let replays: string[]
  /** Called before each batch is read. */
  let reading: (batch: number) => void | Promise<void>
  let seen: string[]
  let queue: FairQueue
  let taking: Promise<void> | undefined
  let sink: Sink
  let subscription: Subscription
  let failed: number
  let pauses: number

  /** Each in its own millisecond, as most are: a resumption goes back to a millisecond. */
  let time = Date.now() - CHANGE_FEED_LAG_MS / 2
  const nextId = ulidSource(
    () => ++time,
    (size) => new Uint8Array(size),
  )
  const email = (id = nextId(), address = 'a@x.example') => ({ id, address }) as unknown as Email
  const published = (one: Email) => subscription.offer({ domain: 'x.example', email: one })
  const arrives = (one = email()) => {
    stored.push(one)
    published(one)
    return one
  }

  async function* read(after: string): AsyncGenerator<ReplayBatch> {
    replays.push(after)
    const wanted = stored.filter(({ id }) => id > after).sort((a, b) => (a.id < b.id ? -1 : 1))
    for (let n = 0; n < wanted.length; n += 3) {
      await reading(n / 3)
      yield { emails: wanted.slice(n, n + 3) }
    }
  }

  const catchUp = (after = FIRST) =>
    subscription.catchUp({
      read,
      replays: queue,
      pause: async () => {
        pauses++
        await turn()
      },
      client: 'c',
      checkStillOpen: async () => {},
      isVisible: () => true,
      after,
      failed: () => failed++,
    })
  const ids = (emails: Email[]) => emails.map(({ id }) => id)

  beforeEach(() => {
    stored = Array.from({ length: 7 }, () => email())
    replays = []
    reading = () => {}
    seen = []
    taking = undefined
    failed = 0
    pauses = 0
    queue = new FairQueue(1)
    sink = {
      email: (event) => seen.push(event.email.id),
      gap: () => {},
      ready: () => taking,
      end: () => {},
    }
    subscription = new Subscription(sink)
  })
  afterEach(() => {
    jest.useRealTimers()
    subscription.close()
  })

  test('delivers what existed, then what came meanwhile, then what comes, each once', async () => {
    reading = (batch) => {
      if (batch === 1) for (let n = 0; n < HELD_MAX; n++) arrives()
    }
    await catchUp()
    arrives()
    expect(seen).toEqual(ids(stored))
    expect(replays).toHaveLength(1)
  })

  test.each([1, 20])(
    'reads the %d that it could not hold from the store, and keeps the order',
    async (more) => {
      let busy = true
      reading = (batch) => {
        if (batch !== 1 || !busy) return
        busy = false
        for (let n = 0; n < HELD_MAX + more; n++) arrives()
      }
      await catchUp()
      arrives()
      expect(seen).toEqual(ids(stored))
      expect(replays).toHaveLength(2)
    },
  )

  test('finds an email of another address that became visible late, with a lower id', async () => {
    const late = email(nextId(), 'b@x.example')
    stored.push(email())
    let busy = true
    reading = () => {
      if (!busy) return
      busy = false
      for (let n = 0; n < HELD_MAX + 1; n++) arrives()
      arrives(late)
    }
    await catchUp()
    expect(seen.toSorted()).toEqual(ids(stored).toSorted())
    expect(seen).toContain(late.id)
  })

  test('closed while its client reads nothing, it delivers nothing more and ignores a fault of the store', async () => {
    let take = () => {}
    reading = (batch) => {
      if (batch === 0)
        taking = new Promise((resolve) => {
          take = () => resolve()
        })
    }
    const done = catchUp()
    await turn()
    subscription.close()
    take()
    await done
    expect([seen, failed]).toEqual([[], 0])
  })

  test('closed during its replay, it delivers nothing that it held', async () => {
    reading = (batch) => {
      if (batch !== 1) return
      arrives()
      subscription.close()
    }
    await catchUp()
    expect(seen).toEqual(ids(stored.slice(0, 3)))
  })

  test('closed while it delivers what it held, it delivers no more of it', async () => {
    stored = []
    const held = [email(), email()]
    const taken = Promise.withResolvers<void>()
    const done = catchUp()
    for (const one of held) published(one)
    sink.ready = () => (seen.length === 0 ? undefined : taken.promise)
    await turn()
    expect(seen).toEqual(ids(held.slice(0, 1)))
    subscription.close()
    taken.resolve()
    await done
    expect([seen, failed, replays.length]).toEqual([ids(held.slice(0, 1)), 0, 1])
  })

  test('a client that asks for a moment before each batch gets them in one go', async () => {
    sink.ready = () => turn()
    await catchUp()
    expect(seen).toEqual(ids(stored))
    expect(replays).toHaveLength(1)
  })

  test('does not repeat an email whose change comes only now', async () => {
    const [before, last] = [stored[5]!, stored[6]!]
    const caughtUp = catchUp(last.id)
    published(before)
    await caughtUp
    published(last)
    published(before)
    const next = arrives()
    expect(seen).toEqual([next.id])
  })

  test('a change after the replay is no second event', async () => {
    await catchUp()
    for (const one of stored) published(one)
    expect(seen).toEqual(ids(stored))
  })

  describe('when the feed lags by more than it should', () => {
    const lags = async (addresses: string[]) => {
      jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] })
      // One of them is older than the feed should ever lag.
      stored = [email(lastUlidOf(1)), ...addresses.map((address) => email(nextId(), address))]
      await catchUp()
      jest.advanceTimersByTime(CHANGE_FEED_LAG_MS)
    }

    test('a stream of one address repeats nothing, however long after', async () => {
      await lags(['a@x.example', 'a@x.example'])
      for (const one of stored) published(one)
      const next = arrives()
      expect(seen).toEqual(ids(stored))
      expect(seen.at(-1)).toBe(next.id)
      expect(jest.getTimerCount()).toBe(0)
    })

    test('a stream of several forgets what it has sent, because it may be of 1,000', async () => {
      await lags(['a@x.example', 'b@x.example'])
      published(stored[1]!)
      expect(seen).toEqual([...ids(stored), stored[1]!.id])
    })
  })

  test('an email of another address with a lower id is no repeat', async () => {
    const early = email(nextId(), 'b@x.example')
    stored.push(email())
    await catchUp()
    published(early)
    expect(seen).toEqual([...ids(stored), early.id])
  })

  test('leaves no timer behind, neither of a patient wait nor of the emails that it remembers', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] })
    stored.push(email(nextId(), 'b@x.example'))
    sink.ready = () => turn()
    await catchUp()
    expect(jest.getTimerCount()).toBe(1)
    subscription.close()
    expect(jest.getTimerCount()).toBe(0)
  })

  test('a client that reads nothing has no turn, and continues where it was', async () => {
    let take = () => {}
    reading = (batch) => {
      if (batch === 1) {
        taking = new Promise((resolve) => {
          take = () => {
            taking = undefined
            resolve()
          }
        })
      }
    }
    const done = catchUp()
    await new Promise((resolve) => setTimeout(resolve, REPLAY_PATIENCE_MS * 1.5))
    expect(seen).toEqual(ids(stored.slice(0, 3)))
    const other = queue.enter('other')
    await other.ready
    other.leave()
    reading = () => {}
    take()
    await done
    expect(seen).toEqual(ids(stored))
  })

  test('waits for its turn, and gives it up when it is closed', async () => {
    const before = queue.enter('other')
    const done = catchUp()
    await new Promise((resolve) => setImmediate(resolve))
    expect(replays).toEqual([])
    subscription.close()
    await done
    before.leave()
    const next = queue.enter('other')
    await next.ready
    next.leave()
    expect(replays).toEqual([])
    expect(seen).toEqual([])
  })

  test('lets others run before it reads after a turn', async () => {
    const before = queue.enter('other')
    reading = (batch) => {
      if (batch === 0) expect(pauses).toBe(1)
    }
    const done = catchUp()
    before.leave()
    await done
    expect(seen).toEqual(ids(stored))
    expect(failed).toBe(0)
  })

  test('closed between two batches, it reads no more', async () => {
    reading = (batch) => {
      if (batch === 1) subscription.close()
    }
    await catchUp()
    expect(seen).toEqual(ids(stored.slice(0, 3)))
    expect(failed).toBe(0)
    const next = queue.enter('c')
    await next.ready
    next.leave()
  })

  test('lets others run between batches', async () => {
    const order: string[] = []
    reading = (batch) => {
      order.push(`batch ${batch}`)
      setImmediate(() => order.push(`other ${batch}`))
    }
    await catchUp()
    expect(order).toEqual(['batch 0', 'other 0', 'batch 1', 'other 1', 'batch 2', 'other 2'])
  })

  test('reports a fault of the store, and gives its turn back', async () => {
    reading = () => Promise.reject(new Error('down'))
    await catchUp()
    expect(failed).toBe(1)
    reading = () => {
      subscription.close()
      throw new Error('down')
    }
    await catchUp()
    expect(failed).toBe(1)
    const next = queue.enter('c')
    await next.ready
    next.leave()
  })
})
