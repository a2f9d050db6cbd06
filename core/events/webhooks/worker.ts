import type { Clock } from '../../clock.ts'
import { MINUTE_MS, SECOND_MS, WEBHOOK_REQUESTS_MAX, WEBHOOK_REQUESTS_PER_TARGET } from '../../limits.ts'
import type { WebhookDelivery } from './delivery.ts'
import type { WebhookJob, WebhookOutbox } from './ports.ts'

/** A store that does not answer is asked again. */
const AGAIN_MS = SECOND_MS
/** Time that was set forward is noticed after so long. */
const LONGEST_SLEEP_MS = MINUTE_MS

/**
 * Sends what is in the outbox, on one machine. Each webhook has its own few requests at a time, so that a target which
 * hangs holds up no other; what is in the outbox and not being sent is on the disk only.
 */
export class WebhookWorker {
  readonly #outbox: WebhookOutbox
  readonly #delivery: WebhookDelivery
  readonly #clock: Clock
  /** Requests under way, by webhook. */
  readonly #lanes = new Map<string, Set<string>>()
  #count = 0
  #timer: NodeJS.Timeout | undefined
  /** When the timer fires, by performance.now(). */
  #wakesAt = 0
  #looking: Promise<void> | undefined
  #again = false
  #stopped = false

  constructor(outbox: WebhookOutbox, delivery: WebhookDelivery, clock: Clock) {
    this.#outbox = outbox
    this.#delivery = delivery
    this.#clock = clock
  }

  /** There may be something to send. */
  wake(): void {
    if (this.#stopped) return
    if (this.#looking !== undefined) {
      this.#again = true
      return
    }
    this.#looking = this.#look()
      .catch(() => this.#sleep(AGAIN_MS))
      .finally(() => {
        this.#looking = undefined
        if (!this.#again) return
        this.#again = false
        this.wake()
      })
  }

  /** Begins no more requests; what is under way and has no answer yet is sent again after the next start. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#looking
  }

  async #look(): Promise<void> {
    const now = this.#clock()
    for (const webhook of await this.#outbox.due(now)) await this.#fill(webhook)
    const next = await this.#outbox.nextDue(now)
    if (next !== undefined) this.#sleep(next - this.#clock())
  }

  /** Begins as many requests of a webhook as there is room for. */
  async #fill(webhook: string): Promise<void> {
    if (this.#stopped || this.#room(this.#lanes.get(webhook)) <= 0) return
    // Those under way are due as well, and may be the first of them.
    const jobs = await this.#outbox.jobs(webhook, this.#clock(), WEBHOOK_REQUESTS_PER_TARGET)
    // Others fill the same lane meanwhile: it is looked at, and filled, only now and in one go.
    const lane = this.#lanes.get(webhook) ?? new Set()
    const fresh = jobs.filter(({ email }) => !lane.has(email)).slice(0, Math.max(this.#room(lane), 0))
    if (fresh.length === 0 || this.#stopped) return
    this.#lanes.set(webhook, lane)
    for (const job of fresh) void this.#run(job, lane)
  }

  #room(lane: Set<string> | undefined): number {
    return Math.min(WEBHOOK_REQUESTS_PER_TARGET - (lane?.size ?? 0), WEBHOOK_REQUESTS_MAX - this.#count)
  }

  async #run(job: WebhookJob, lane: Set<string>): Promise<void> {
    lane.add(job.email)
    this.#count++
    try {
      const { next, attempt } = await this.#delivery.attempt(job)
      if (this.#stopped) return
      await this.#outbox.settle(job, next, attempt)
      if (next !== undefined) this.#sleep(next - this.#clock())
    } catch {
      // The store did not answer: the job is where it was.
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS).unref())
    } finally {
      lane.delete(job.email)
      if (lane.size === 0) this.#lanes.delete(job.webhook)
      const full = this.#count-- === WEBHOOK_REQUESTS_MAX
      // Where there was no room for others, they get what has become free; otherwise it is this one's.
      if (full) this.wake()
      else await this.#fill(job.webhook).catch(() => this.#sleep(AGAIN_MS))
    }
  }

  /** Looks again after this time at the latest. */
  #sleep(ms: number): void {
    const wait = Math.min(Math.max(ms, 0), LONGEST_SLEEP_MS)
    const at = performance.now() + wait
    if (this.#timer !== undefined && this.#wakesAt <= at) return
    clearTimeout(this.#timer)
    this.#wakesAt = at
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.wake()
    }, wait).unref()
  }
}
