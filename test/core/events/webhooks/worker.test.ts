import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import type { WebhookDelivery } from '../../../../core/events/webhooks/delivery.ts'
import type { WebhookJob, WebhookLane, WebhookOutbox } from '../../../../core/events/webhooks/ports.ts'
import { WebhookWorker } from '../../../../core/events/webhooks/worker.ts'
import {
  WEBHOOK_REQUESTS_PER_WEBHOOK as PER_WEBHOOK,
  WEBHOOK_REQUESTS_MAX,
  WEBHOOK_REQUESTS_PER_KEY,
} from '../../../../core/limits.ts'
import { eventually } from '../../../support/eventually.ts'

let worker: WebhookWorker | undefined

afterEach(() => worker?.stop())

/** An outbox that answers late: meanwhile requests end, and more jobs come. */
class Outbox implements WebhookOutbox {
  readonly waiting = new Map<string, WebhookJob>()
  /** How many of the next calls fail. */
  failing = { due: 0, jobs: 0, finish: 0 }
  looks = 0
  /** The webhooks whose jobs were read. */
  reads: string[] = []

  add(email: string, { webhook = 'w', due = 0 } = {}): void {
    this.waiting.set(email, { webhook, address: 'a@mayfly.test', email, attempts: 0, due })
  }

  onceAny(callback: () => void): void {
    callback()
  }

  /** The part of a webhook's name before the dash is its key, the part after an `@` its host. */
  async due(now: number): Promise<WebhookLane[]> {
    this.looks++
    this.#fail('due')
    const found = new Set(this.#due(now).map(({ webhook }) => webhook))
    await turn()
    return [...found].map((webhook) => ({
      webhook,
      keyHash: webhook.split('-')[0]!,
      host: webhook.split('@')[1] ?? webhook,
    }))
  }

  async jobs(webhook: string, now: number, limit: number): Promise<WebhookJob[]> {
    this.reads.push(webhook)
    this.#fail('jobs')
    const found = this.#due(now).filter((job) => job.webhook === webhook)
    await turn()
    // Jobs that have ended meanwhile are not returned, as in a store that reads at the end.
    return found.slice(0, limit).filter(({ email }) => this.waiting.has(email))
  }

  async nextDue(now: number): Promise<number | undefined> {
    const later = [...this.waiting.values()].map(({ due }) => due).filter((due) => due > now)
    return later.length === 0 ? undefined : Math.min(...later)
  }

  async finish(job: WebhookJob, next: number | undefined): Promise<void> {
    await turn()
    this.#fail('finish')
    if (next === undefined) this.waiting.delete(job.email)
    else this.waiting.set(job.email, { ...job, due: next, attempts: job.attempts + 1 })
  }

  #due(now: number): WebhookJob[] {
    return [...this.waiting.values()].filter(({ due }) => due <= now).sort((a, b) => a.due - b.due)
  }

  #fail(call: keyof typeof this.failing): void {
    if (this.failing[call] > 0) {
      this.failing[call]--
      throw new Error('the store does not answer')
    }
  }
}

/** Starts a worker whose requests end as `answer` says: with the time of the retry. */
function start(outbox: Outbox, answer: (job: WebhookJob) => Promise<number | undefined>) {
  const sent = { begun: [] as string[], open: 0, most: 0 }
  const delivery = {
    attempt: async (job: WebhookJob) => {
      sent.begun.push(job.email)
      sent.most = Math.max(sent.most, ++sent.open)
      const next = await answer(job)
      sent.open--
      return { next, attempt: undefined }
    },
  } as unknown as WebhookDelivery
  worker = new WebhookWorker(outbox, delivery, Date.now)
  return sent
}

const never = () => new Promise<never>(() => {})
const atOnce = async () => undefined

test('each job starts once, and a target never exceeds its limit, while jobs come and end', async () => {
  const outbox = new Outbox()
  const sent = start(outbox, () => sleep(2, undefined))
  for (let i = 0; i < 1000; i++) {
    outbox.add(`${i}`)
    worker!.wake()
    if (i % 10 === 0) await turn()
  }
  await eventually(
    'the end of all jobs',
    () => outbox.waiting,
    ({ size }) => size === 0,
  )
  expect(sent.begun.length).toBe(1000)
  expect(sent.most).toBe(PER_WEBHOOK)
})

test('a target that hangs delays no other target', async () => {
  const outbox = new Outbox()
  const sent = start(outbox, ({ webhook }) => (webhook === 'hangs' ? never() : atOnce()))
  for (let i = 0; i < 100; i++) outbox.add(`hangs ${i}`, { webhook: 'hangs' })
  for (let i = 0; i < 100; i++) outbox.add(`answers ${i}`, { webhook: 'answers' })
  worker!.wake()
  const answered = () => sent.begun.filter((email) => email.startsWith('answers'))
  await eventually('the requests to the target that answers', answered, ({ length }) => length === 100)
  expect(sent.open).toBe(PER_WEBHOOK)
  // While it has no place, its jobs are not even read.
  const reads = outbox.reads.filter((webhook) => webhook === 'hangs').length
  const { looks } = outbox
  worker!.wake()
  await eventually(
    'another look',
    () => outbox.looks,
    (count) => count > looks,
  )
  await sleep(10)
  expect(outbox.reads.filter((webhook) => webhook === 'hangs')).toHaveLength(reads)
})

test('one key, and one host, never exceed their limits, and delay no other', async () => {
  const outbox = new Outbox()
  const sent = start(outbox, ({ webhook }) => (webhook.startsWith('honest') ? atOnce() : never()))
  for (let i = 0; i < 40; i++) {
    // Twenty webhooks of one key to different hosts, and twenty of different keys to one host.
    for (let n = 0; n < 20; n++) outbox.add(`key ${n} ${i}`, { webhook: `one-${n}` })
    for (let n = 0; n < 20; n++) outbox.add(`host ${n} ${i}`, { webhook: `key${n}-@hangs.example` })
    outbox.add(`honest ${i}`, { webhook: 'honest-1' })
  }
  worker!.wake()
  const open = (of: string) => sent.begun.filter((email) => email.startsWith(of)).length
  await eventually(
    'the limits',
    () => ({ honest: open('honest'), key: open('key'), host: open('host') }),
    (begun) =>
      begun.honest === 40 && begun.key >= WEBHOOK_REQUESTS_PER_KEY && begun.host >= WEBHOOK_REQUESTS_PER_KEY,
  )
  await sleep(20)
  expect([open('key'), open('host')]).toEqual([WEBHOOK_REQUESTS_PER_KEY, WEBHOOK_REQUESTS_PER_KEY])
})

test('keys take turns for the places that become free', async () => {
  const outbox = new Outbox()
  const ends: (() => void)[] = []
  const sent = start(outbox, () => new Promise((resolve) => ends.push(() => resolve(undefined))))
  for (let key = 0; key < 40; key++) {
    // Each key has more to send than its share of all places.
    for (let i = 0; i < 60; i++) outbox.add(`${key} ${i}`, { webhook: `k${key}-w${i % 3}` })
  }
  worker!.wake()
  await eventually(
    'the open requests',
    () => sent.open,
    (count) => count === WEBHOOK_REQUESTS_MAX,
  )
  outbox.add('late', { webhook: 'k05-late' })
  // One round of all the keys.
  for (let n = 0; n < 45 && !sent.begun.includes('late'); n++) {
    const { length } = sent.begun
    ends.shift()!()
    await eventually(
      'another request',
      () => sent.begun.length,
      (count) => count > length,
    )
  }
  expect(sent.begun).toContain('late')
})

test('a key that has waited gets a place before one whose request has ended', async () => {
  const outbox = new Outbox()
  const ends: (() => void)[] = []
  const sent = start(outbox, () => new Promise((resolve) => ends.push(() => resolve(undefined))))
  const keys = Array.from({ length: WEBHOOK_REQUESTS_MAX + 1 }, (_, n) => `k${1000 + n}`)
  for (const key of keys) for (const n of [1, 2]) outbox.add(`${key} ${n}`, { webhook: key })
  worker!.wake()
  await eventually(
    'the open requests',
    () => sent.open,
    (count) => count === WEBHOOK_REQUESTS_MAX,
  )
  ends[0]!()
  const begun = await eventually(
    'another request',
    () => sent.begun,
    ({ length }) => length > WEBHOOK_REQUESTS_MAX,
  )
  expect([begun[0], begun.at(-1)]).toEqual([`${keys[0]} 1`, `${keys.at(-1)} 1`])
})

test('the keys that look for places at once get equal shares of them first', async () => {
  const outbox = new Outbox()
  const sent = start(outbox, never)
  const keys = Array.from({ length: 64 }, (_, key) => `k${key}`)
  for (const key of keys) for (let i = 0; i < PER_WEBHOOK; i++) outbox.add(`${key} ${i}`, { webhook: key })
  worker!.wake()
  await eventually(
    'the open requests',
    () => sent.open,
    (count) => count === WEBHOOK_REQUESTS_MAX,
  )
  const shares = Map.groupBy(sent.begun, (email) => email.split(' ')[0]!)
  expect(keys.map((key) => shares.get(key)?.length)).toEqual(keys.map(() => WEBHOOK_REQUESTS_MAX / 64))
})

test('the shares are those of the places that are still free', async () => {
  const outbox = new Outbox()
  const sent = start(outbox, never)
  const add = (key: string) => {
    for (let i = 0; i < 8; i++) outbox.add(`${key} ${i}`, { webhook: key })
  }
  const half = WEBHOOK_REQUESTS_MAX / 2
  for (let key = 0; key < half / 8; key++) add(`slow${key}`)
  worker!.wake()
  await eventually(
    'the open requests to slow targets',
    () => sent.open,
    (count) => count === half,
  )
  // As many keys as there are places left, those of the slow targets included.
  const keys = Array.from({ length: half - half / 8 }, (_, key) => `k${key}`)
  for (const key of keys) add(key)
  worker!.wake()
  await eventually(
    'the open requests',
    () => sent.open,
    (count) => count === WEBHOOK_REQUESTS_MAX,
  )
  const without = keys.filter((key) => !sent.begun.some((email) => email.startsWith(`${key} `)))
  expect(without).toEqual([])
})

test('jobs that are due before those under way get the free places, and no more', async () => {
  const outbox = new Outbox()
  const sent = start(outbox, never)
  for (let i = 1; i < PER_WEBHOOK; i++) outbox.add(`${i}`, { due: 5 })
  worker!.wake()
  await eventually(
    'the open requests',
    () => sent.open,
    (count) => count === PER_WEBHOOK - 1,
  )
  for (let i = 0; i < 10; i++) outbox.add(`earlier ${i}`)
  worker!.wake()
  await eventually(
    'the open requests',
    () => sent.open,
    (count) => count === PER_WEBHOOK,
  )
  worker!.wake()
  await sleep(10)
  expect(sent.begun.filter((email) => email.startsWith('earlier'))).toEqual(['earlier 0'])
})

test('the total never exceeds its limit, and a waiting job gets the place that becomes free', async () => {
  const outbox = new Outbox()
  const ends: (() => void)[] = []
  const sent = start(outbox, () => new Promise((resolve) => ends.push(() => resolve(undefined))))
  for (let n = 0; n < WEBHOOK_REQUESTS_MAX / PER_WEBHOOK; n++) {
    for (let i = 0; i < PER_WEBHOOK; i++) outbox.add(`${n} ${i}`, { webhook: `w${n}` })
  }
  worker!.wake()
  await eventually(
    'the open requests',
    () => sent.open,
    (count) => count === WEBHOOK_REQUESTS_MAX,
  )
  outbox.add('the last', { webhook: 'late' })
  worker!.wake()
  for (let i = 0; i < 50; i++) await turn()
  expect(sent.begun).not.toContain('the last')
  // The remaining places are for waiting jobs of other webhooks.
  for (const end of ends.slice(0, 2 * PER_WEBHOOK)) end()
  await eventually(
    'the last job',
    () => sent.begun,
    (begun) => begun.includes('the last'),
  )
  expect(sent.most).toBe(WEBHOOK_REQUESTS_MAX)
})

test('a retry happens, and not before it is due', async () => {
  const outbox = new Outbox()
  const times: number[] = []
  const sent = start(outbox, async ({ attempts }) => {
    times.push(Date.now())
    return attempts < 2 ? Date.now() + 50 : undefined
  })
  outbox.add('one')
  worker!.wake()
  await eventually(
    'the end of all jobs',
    () => outbox.waiting,
    ({ size }) => size === 0,
  )
  expect(sent.begun).toEqual(['one', 'one', 'one'])
  expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(49)
  expect(times[2]! - times[1]!).toBeGreaterThanOrEqual(49)
})

test('a job that comes during a look is found without another wake-up', async () => {
  const outbox = new Outbox()
  const sent = start(outbox, atOnce)
  worker!.wake()
  outbox.add('one')
  worker!.wake()
  await eventually(
    'a request',
    () => sent.begun,
    (begun) => begun.length === 1,
  )
  expect(outbox.looks).toBe(2)
})

test('several wake-ups during a look lead to one more look', async () => {
  const outbox = new Outbox()
  start(outbox, atOnce)
  for (let n = 0; n < 100; n++) worker!.wake()
  await sleep(20)
  expect(outbox.looks).toBe(2)
})

describe('with a fake clock', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] })
  })
  afterEach(() => {
    jest.useRealTimers()
  })

  /** Lets time pass, and waits for everything that it starts. */
  async function pass(ms: number): Promise<void> {
    jest.advanceTimersByTime(ms)
    for (let n = 0; n < 20; n++) await turn()
  }

  test('the earliest job wakes it, in any order of arrival, and one timer is enough', async () => {
    const outbox = new Outbox()
    const sent = start(outbox, async ({ email, attempts }) =>
      email === 'again' && attempts === 0 ? Date.now() + 300 : undefined,
    )
    const now = Date.now()
    outbox.add('third', { due: now + 200 })
    worker!.wake()
    await pass(0)
    outbox.add('first', { due: now + 50 })
    outbox.add('second', { due: now + 100 })
    outbox.add('again')
    worker!.wake()
    await pass(0)
    expect(sent.begun).toEqual(['again'])
    expect(jest.getTimerCount()).toBe(1)
    for (const [ms, email] of [
      [50, 'first'],
      [50, 'second'],
      [100, 'third'],
      [100, 'again'],
    ] as const) {
      await pass(ms - 1)
      const before = sent.begun.length
      await pass(1)
      expect(sent.begun.slice(before)).toEqual([email])
    }
    expect(jest.getTimerCount()).toBe(0)
  })

  test('a retry that became due while its result was stored is sent at once', async () => {
    const outbox = new Outbox()
    const sent = start(outbox, async ({ attempts }) => (attempts === 0 ? Date.now() - 1000 : undefined))
    const set = jest.spyOn(globalThis, 'setTimeout')
    outbox.add('late')
    worker!.wake()
    await pass(0)
    await pass(1)
    expect(sent.begun).toEqual(['late', 'late'])
    // Node prints a warning for a negative time.
    expect(Math.min(...set.mock.calls.map(([, ms = 0]) => ms))).toBe(0)
    set.mockRestore()
  })

  test('it looks each minute, in case the clock is set forward, and no more once it has stopped', async () => {
    const outbox = new Outbox()
    start(outbox, atOnce)
    outbox.add('later', { due: Date.now() + 600_000 })
    worker!.wake()
    await pass(0)
    await pass(59_999)
    expect(outbox.looks).toBe(1)
    await pass(1)
    expect(outbox.looks).toBe(2)
    await worker!.stop()
    expect(jest.getTimerCount()).toBe(0)
    worker!.wake()
    await pass(60_000)
    expect(outbox.looks).toBe(2)
  })

  test.each(['due', 'jobs'] as const)(
    'a store that does not answer (%s) is asked again after a second',
    async (call) => {
      const outbox = new Outbox()
      const sent = start(outbox, atOnce)
      outbox.add('one')
      outbox.failing[call] = 1
      worker!.wake()
      await pass(0)
      await pass(999)
      expect(sent.begun).toEqual([])
      await pass(1)
      expect(sent.begun).toEqual(['one'])
      expect(outbox.waiting.size).toBe(0)
    },
  )

  test('a store that fails when a place becomes free is asked again', async () => {
    const outbox = new Outbox()
    const sent = start(outbox, async ({ email }) => {
      if (email === '0') outbox.failing.jobs = PER_WEBHOOK
      return undefined
    })
    for (let i = 0; i <= PER_WEBHOOK; i++) outbox.add(`${i}`)
    worker!.wake()
    await pass(0)
    expect(outbox.waiting.size).toBe(1)
    await pass(1000)
    expect([outbox.failing.jobs, outbox.waiting.size]).toEqual([0, 0])
    expect(sent.begun).toHaveLength(PER_WEBHOOK + 1)
  })

  test('a store that fails when a webhook continues is asked again', async () => {
    const outbox = new Outbox()
    const ended = Promise.withResolvers<undefined>()
    const sent = start(outbox, () => ended.promise)
    outbox.add('one')
    worker!.wake()
    await pass(0)
    outbox.add('two')
    outbox.failing.jobs = 1
    ended.resolve(undefined)
    await pass(0)
    await pass(999)
    expect(sent.begun).toEqual(['one'])
    await pass(1)
    expect(sent.begun).toEqual(['one', 'two'])
  })

  test('a result that cannot be stored does not end the job: it is sent again after a second', async () => {
    const outbox = new Outbox()
    const sent = start(outbox, atOnce)
    outbox.add('one')
    outbox.failing.finish = 1
    worker!.wake()
    await pass(0)
    // It is due all the time, and the worker looks for it.
    worker!.wake()
    await pass(999)
    expect(sent.begun).toEqual(['one'])
    await pass(1)
    expect(sent.begun).toEqual(['one', 'one'])
    expect(outbox.waiting.size).toBe(0)
  })
})

test('a stop waits for the look that is under way, which begins no request any more', async () => {
  const outbox = new Outbox()
  const read = Promise.withResolvers<void>()
  const { jobs } = outbox
  outbox.jobs = async (...args) => {
    const found = await jobs.apply(outbox, args)
    await read.promise
    return found
  }
  const sent = start(outbox, atOnce)
  outbox.add('one')
  worker!.wake()
  await eventually('a read of the jobs', () => outbox.reads.length)
  let hasStopped = false
  const stopped = worker!.stop().then(() => {
    hasStopped = true
  })
  await turn()
  expect(hasStopped).toBe(false)
  read.resolve()
  await stopped
  expect([sent.begun, outbox.reads]).toEqual([[], ['w']])
})

test('without jobs it looks once and sleeps', async () => {
  const outbox = new Outbox()
  start(outbox, atOnce)
  worker!.wake()
  await sleep(50)
  expect(outbox.looks).toBe(1)
})

test('after a stop it starts no job and finishes none that was running', async () => {
  const outbox = new Outbox()
  let end = () => {}
  const sent = start(outbox, () => new Promise((resolve) => (end = () => resolve(undefined))))
  outbox.add('under way')
  worker!.wake()
  await eventually(
    'a request',
    () => sent.begun,
    (begun) => begun.length === 1,
  )
  outbox.add('too late')
  worker!.wake()
  await worker!.stop()
  end()
  worker!.wake()
  await sleep(20)
  expect(sent.begun).toEqual(['under way'])
  expect([...outbox.waiting.keys()]).toEqual(['under way', 'too late'])
})
