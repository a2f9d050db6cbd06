import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { notificationOf } from '../../adapters/ses/notification.ts'
import { describeOnEmulator } from './emulator.ts'
import { type FaultyProxy, startFaultyProxy } from './faulty-proxy.ts'
import { CONFIGURATIONS } from './iam/configurations.ts'
import { type RunningFunction, startFunction } from './iam/running.ts'
import { DOMAIN, mailWith, openWorld, VERDICTS, type World } from './iam/world.ts'

const MAILS = 100
const ANNOUNCEMENTS = 3
/** Functions that store mail at the same time. */
const FUNCTIONS = 2
const BATCH_SIZE = 5
const KILLS = 9
/** lib/mail-in/inbound.ts */
const MAX_RECEIVE_COUNT = 24

interface Message {
  messageId: string
  body: string
  receives: number
}

/** A queue as SQS and Lambda use it: what a function fails or never answers comes again. */
class Queue {
  readonly deadLetters: Message[] = []
  readonly #messages: Message[]
  readonly #random: () => number

  constructor(bodies: string[], random: () => number) {
    this.#random = random
    this.#messages = bodies.map((body, i) => ({ messageId: String(i), body, receives: 0 }))
  }

  receive(): Message[] {
    const batch = Array.from({ length: BATCH_SIZE }, () => this.#take()).filter((one) => one !== undefined)
    for (const message of batch) message.receives++
    return batch
  }

  giveBack(messages: Message[]): void {
    for (const message of messages)
      (message.receives < MAX_RECEIVE_COUNT ? this.#messages : this.deadLetters).push(message)
  }

  /** A standard queue has no order. */
  #take(): Message | undefined {
    return this.#messages.splice(Math.floor(this.#random() * this.#messages.length), 1)[0]
  }
}

/** The same numbers in each run (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * Mail that is announced three times, out of order, while DynamoDB and S3 fail and lose answers and
 * the functions are killed after a write of which they never learn.
 */
describeOnEmulator('storing mail under faults', () => {
  let world: World
  let proxy: FaultyProxy
  let feed: { stop(): Promise<void> } | undefined
  const random = numbers(565)

  beforeAll(async () => {
    world = await openWorld()
    proxy = await startFaultyProxy(world.recorder.url, random)
  }, 60_000)
  afterAll(async () => {
    await feed?.stop()
    await proxy?.close()
    await world?.close()
  })

  test('each copy is stored once, and each event sent once and in order', async () => {
    const addresses = ['a', 'b', 'c', 'd'].map((name) => `${name}@${DOMAIN}`)
    const wanted = new Map<string, string[]>(addresses.map((address) => [address, []]))
    const bodies: string[] = []
    for (let i = 0; i < MAILS; i++) {
      const subject = `mail ${i}`
      const recipients = i % 5 === 0 ? addresses : [addresses[i % 4]!]
      for (const address of recipients) wanted.get(address)!.push(subject)
      const messageId = await world.putRaw(mailWith(subject, 'text', `attachment of ${i}`))
      const envelope = { messageId, mailFrom: 'a@x.example', recipients, verdicts: VERDICTS }
      const body = notificationOf({ ...envelope, receivedAt: Date.now() }, 'storagemessages')
      bodies.push(...Array.from({ length: ANNOUNCEMENTS }, () => body))
    }
    const events = new Map<string, string[]>(addresses.map((address) => [address, []]))
    feed = await world.follow((change) => {
      if (change.type === 'email') events.get(change.address)!.push(change.email.id)
    })
    const queue = new Queue([...bodies, 'poison'], random)
    let kills = 0
    const work = async (name: string): Promise<void> => {
      let started = 0
      let running: RunningFunction | undefined
      const start = async (): Promise<RunningFunction> => {
        const key = `${name}-${started++}`
        const { env } = CONFIGURATIONS['the smallest configuration']!().roles.find(
          (role) => role.name === 'InboundIngest',
        )!
        const settings = { ...world.environment(env!, key), AWS_ENDPOINT_URL: proxy.url }
        const found = await startFunction('ingest', settings)
        if (kills < KILLS)
          proxy.afterWrites(key, 1 + Math.floor(random() * 8), () => {
            kills++
            found.kill()
          })
        return found
      }
      for (let batch = queue.receive(); batch.length > 0; batch = queue.receive()) {
        running ??= await start()
        const Records = batch.map(({ messageId, body, receives }) => ({
          messageId,
          body,
          attributes: { ApproximateReceiveCount: String(receives) },
        }))
        try {
          const { batchItemFailures } = await running.invoke({ Records })
          const failed = new Set(
            batchItemFailures.map((one: { itemIdentifier: string }) => one.itemIdentifier),
          )
          queue.giveBack(batch.filter(({ messageId }) => failed.has(messageId)))
        } catch {
          running = undefined
          queue.giveBack(batch)
        }
      }
      await running?.stop()
    }
    await Promise.all(Array.from({ length: FUNCTIONS }, (_, i) => work(`ingest-${i}`)))

    expect(queue.deadLetters.map(({ body }) => body)).toEqual(['poison'])
    expect(kills).toBeGreaterThanOrEqual(KILLS)
    const { throttle, error, lost, slowDown } = proxy.faults
    expect(throttle + error + lost + slowDown).toBeGreaterThan(565)
    for (const address of addresses) {
      const { emails } = await world.store.emails.page(address, { limit: 100 })
      expect(emails.map(({ subject }) => subject).sort()).toEqual(wanted.get(address)!.sort())
      const ids = emails.map(({ id }) => id).sort()
      await until(() => events.get(address)!.length >= ids.length)
      expect(events.get(address)).toEqual(ids)
    }
  }, 600_000)
})

/** Waits for a condition; the test's time ends it. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 50))
}
