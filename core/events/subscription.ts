import { domainPart } from '../address.ts'
import type { Clock } from '../clock.ts'
import type { MessageStore, Scope } from '../inbox/ports.ts'
import { CHANGE_FEED_LAG_MS, HELD_MAX, REPLAY_MAX, REPLAY_PATIENCE_MS } from '../limits.ts'
import { lastUlidOf, ulidTime } from '../ulid.ts'
import type { NewEmail, Sink } from './sink.ts'
import type { Turn, Turns } from './turns.ts'

export interface CatchUp {
  store: Pick<MessageStore, 'replay'>
  /** Replays that are under way at once. */
  turns: Turns
  /** Between two pieces of a client's replay: a store may answer without giving up the thread, which belongs to all. */
  pause: (client: string) => Promise<void>
  client: string
  clock: Clock
  scope: () => Scope
  /** False for an email from before its domain was registered so. */
  isVisible: (event: NewEmail) => boolean
  /** Rejects when the stream may not be told what the store has just given. */
  checkStillOpen: () => Promise<void>
  /** What is newer than this id. */
  after: string
  /** The store did not answer. */
  failed: () => void
}

/**
 * The emails of one stream: first those that it missed, then live, none left out and none twice.
 *
 * It is offered what is announced from the beginning. While it catches up it holds a few of these, and where
 * there are more it goes back to the store for them. What came from the store may be announced later, so the ids
 * that are young enough for that are remembered for a while.
 */
export class Subscription {
  readonly sink: Sink
  #open = true
  /** What it missed begins after this id. */
  #after = ''
  /** Announced while it catches up; undefined when it is live. */
  #held: NewEmail[] | undefined
  /** The least id of what was announced and not held; from then on nothing is, for the order's sake. */
  #passedOver: string | undefined
  /** Told from the store, and perhaps to be announced yet. */
  #told: Set<string> | undefined
  #turn: Turn | undefined
  #forgetting: NodeJS.Timeout | undefined

  constructor(sink: Sink) {
    this.sink = sink
  }

  /** Takes what is announced. */
  offer(event: NewEmail): void {
    const { id } = event.email
    // The reader had it before it came back.
    if (id <= this.#after) return
    if (this.#held === undefined) this.#tell(event)
    else if (this.#passedOver !== undefined) this.#passedOver = id < this.#passedOver ? id : this.#passedOver
    else if (this.#held.length < HELD_MAX) this.#held.push(event)
    else this.#passedOver = id
  }

  close(): void {
    this.#open = false
    this.#held = undefined
    this.#told = undefined
    this.#turn?.end()
    clearTimeout(this.#forgetting)
  }

  /** To be called at once, before anything is offered. Never rejects. */
  async catchUp(from: CatchUp): Promise<void> {
    this.#after = from.after
    this.#held = []
    this.#told = new Set()
    const young = lastUlidOf(from.clock() - CHANGE_FEED_LAG_MS)
    try {
      for (let after: string | undefined = from.after; after !== undefined; after = this.#goBackTo()) {
        await this.#replay(from, after, young)
        await this.#tellHeld()
        if (!this.#open) return
      }
      this.#held = undefined
      this.#forgetLater()
    } catch {
      if (this.#open) from.failed()
    }
  }

  /** All that the store has after this id, at the pace of the reader. */
  async #replay(from: CatchUp, after: string, young: string): Promise<void> {
    for (let last: string | undefined = after; last !== undefined && this.#open; ) {
      this.#turn = from.turns.take(from.client)
      try {
        if (this.#turn.came !== undefined) {
          await this.#turn.came
          await from.pause(from.client)
        }
        if (this.#open) last = await this.#replayBatches(from, last, young)
      } finally {
        this.#turn.end()
      }
      // Whoever does not read has no turn and holds nothing meanwhile.
      await this.sink.ready()
    }
  }

  /** The id to go on after when the reader has not taken what it has; undefined when it has all. */
  async #replayBatches(from: CatchUp, after: string, young: string): Promise<string | undefined> {
    let last = after
    for await (const { missedBefore, emails } of from.store.replay(from.scope(), after, REPLAY_MAX)) {
      await from.checkStillOpen()
      if (!this.#open) return undefined
      if (missedBefore !== undefined) this.sink.gap(missedBefore)
      for (const email of emails) {
        const taken = this.sink.ready()
        if (taken !== undefined && !(await isWithin(taken, REPLAY_PATIENCE_MS))) return last
        if (!this.#open) return undefined
        const event = { domain: domainPart(email.address), email }
        if (from.isVisible(event)) this.#tell(event)
        if (email.id > young) this.#told!.add(email.id)
        last = email.id
      }
      await from.pause(from.client)
      if (!this.#open) return undefined
    }
    return undefined
  }

  async #tellHeld(): Promise<void> {
    for (let event = this.#held?.shift(); event !== undefined; event = this.#held?.shift()) {
      this.#tell(event)
      this.#told?.add(event.email.id)
      await this.sink.ready()
    }
  }

  /** Before the first of those that were not held, ids of the same ms included; undefined when all were. */
  #goBackTo(): string | undefined {
    const first = this.#passedOver
    this.#passedOver = undefined
    return first && lastUlidOf(ulidTime(first) - 1)
  }

  #tell(event: NewEmail): void {
    if (!this.#told?.has(event.email.id)) this.sink.email(event)
  }

  #forgetLater(): void {
    if (this.#told!.size === 0) this.#told = undefined
    else this.#forgetting = setTimeout(() => (this.#told = undefined), CHANGE_FEED_LAG_MS).unref()
  }
}

async function isWithin(work: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, ms, false)
  })
  try {
    return await Promise.race([work.then(() => true), late])
  } finally {
    clearTimeout(timer)
  }
}
