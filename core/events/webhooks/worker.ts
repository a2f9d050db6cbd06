import type { Clock } from '../../clock.ts'
import { MINUTE_MS, SECOND_MS, WEBHOOK_REQUESTS_MAX, WEBHOOK_REQUESTS_PER_KEY } from '../../limits.ts'
import type { WebhookDelivery } from './delivery.ts'
import { Places } from './places.ts'
import type { WebhookJob, WebhookLane, WebhookOutbox } from './ports.ts'
import { roundRobin } from './round-robin.ts'

/** The pause before a store that did not answer is asked again. */
const RETRY_MS = SECOND_MS
/** The longest sleep: after it a clock that was set forward is noticed. */
const SLEEP_MAX_MS = MINUTE_MS

/**
 * Sends the jobs of the outbox, on one machine. Keys and hosts have a bounded number of requests at
 * once (Places), and the keys take turns for the places, so a target that hangs delays only its own
 * deliveries. Jobs that are not being sent stay on the disk.
 */
export class WebhookWorker {
  readonly #outbox: WebhookOutbox
  readonly #delivery: WebhookDelivery
  readonly #clock: Clock
  /** The jobs that are being sent (`nameOf`). */
  readonly #sending = new Set<string>()
  readonly #places = new Places()
  /** The key that got a place last: the next turn begins with the key after it. */
  #lastKey = ''
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

  /** Looks for jobs that are due. */
  wake(): void {
    if (this.#stopped) return
    if (this.#looking !== undefined) {
      this.#again = true
      return
    }
    this.#looking = this.#look()
      .catch(() => this.#sleep(RETRY_MS))
      .finally(() => {
        this.#looking = undefined
        if (!this.#again) return
        this.#again = false
        this.wake()
      })
  }

  /**
   * Begins no more requests; a request that has no answer yet is sent again after the next start.
   */
  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#looking
  }

  async #look(): Promise<void> {
    const now = this.#clock()
    const lanes = roundRobin(await this.#outbox.due(now), this.#lastKey)
    const keys = new Set(lanes.map(({ keyHash }) => keyHash)).size
    // First an equal share of the free places for each key, then what is left.
    const share = Math.max(1, Math.floor((WEBHOOK_REQUESTS_MAX - this.#places.taken) / keys))
    for (const lane of lanes) await this.#fill(lane, share)
    for (const lane of lanes) await this.#fill(lane)
    const next = await this.#outbox.nextDue(now)
    if (next !== undefined) this.#sleep(next - this.#clock())
  }

  /** Begins as many requests of a webhook as there are places for, `most` at most. */
  async #fill(lane: WebhookLane, most = WEBHOOK_REQUESTS_PER_KEY): Promise<void> {
    if (this.#stopped || !this.#places.has(lane)) return
    // Jobs that are being sent are due as well, and may be the first of them.
    const jobs = await this.#outbox.jobs(lane.webhook, this.#clock(), WEBHOOK_REQUESTS_PER_KEY)
    // Other calls may have filled the same lane during the read, so it is checked again without a
    // pause.
    for (const job of jobs.filter((job) => !this.#sending.has(nameOf(job))).slice(0, most)) {
      if (this.#stopped || !this.#places.has(lane)) return
      void this.#send(job, lane)
    }
  }

  async #send(job: WebhookJob, lane: WebhookLane): Promise<void> {
    this.#places.enter(lane)
    this.#sending.add(nameOf(job))
    this.#lastKey = lane.keyHash
    try {
      const { next, attempt } = await this.#delivery.attempt(job)
      if (this.#stopped) return
      await this.#outbox.finish(job, next, attempt)
      if (next !== undefined) this.#sleep(next - this.#clock())
    } catch {
      // The store did not answer, so the job is due as before.
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref())
    } finally {
      const othersWait = !this.#places.has(lane)
      this.#sending.delete(nameOf(job))
      this.#places.leave(lane)
      // If others wait for the place, the next in turn gets it; otherwise it stays with this
      // webhook.
      if (othersWait) this.wake()
      else await this.#fill(lane).catch(() => this.#sleep(RETRY_MS))
    }
  }

  /** Looks again after this time at the latest. */
  #sleep(ms: number): void {
    const wait = Math.min(Math.max(ms, 0), SLEEP_MAX_MS)
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

/** Tells a job from every other. Neither id contains a space. */
function nameOf({ webhook, email }: WebhookJob): string {
  return `${webhook} ${email}`
}
