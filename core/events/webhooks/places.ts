import { WEBHOOK_REQUESTS_MAX, WEBHOOK_REQUESTS_PER_KEY } from '../../limits.ts'
import { Quota } from '../../quota.ts'
import type { WebhookLane } from './ports.ts'

/**
 * The places of webhook requests: WEBHOOK_REQUESTS_MAX in all, and WEBHOOK_REQUESTS_PER_KEY for one API key and for
 * one target host. Within a key or a host, a webhook holds at most as many places as it leaves free, so one whose
 * target hangs leaves half of them to the others.
 */
export class Places {
  readonly #all = new Quota(WEBHOOK_REQUESTS_MAX, {
    perClient: WEBHOOK_REQUESTS_PER_KEY,
    usual: WEBHOOK_REQUESTS_PER_KEY,
  })
  /** The places of each key and host that holds any, by webhook. */
  readonly #shared = new Map<string, Quota>()

  get taken(): number {
    return this.#all.taken
  }

  has(lane: WebhookLane): boolean {
    return (
      this.#all.has(lane.keyHash) &&
      sharedBy(lane).every((name) => this.#shared.get(name)?.has(lane.webhook) ?? true)
    )
  }

  enter(lane: WebhookLane): void {
    this.#all.enter(lane.keyHash)
    for (const name of sharedBy(lane)) {
      const quota = this.#shared.get(name) ?? new Quota(WEBHOOK_REQUESTS_PER_KEY)
      quota.enter(lane.webhook)
      this.#shared.set(name, quota)
    }
  }

  leave(lane: WebhookLane): void {
    this.#all.leave(lane.keyHash)
    for (const name of sharedBy(lane)) {
      const quota = this.#shared.get(name)
      quota?.leave(lane.webhook)
      if (quota?.taken === 0) this.#shared.delete(name)
    }
  }
}

function sharedBy({ keyHash, host }: WebhookLane): string[] {
  return [`key ${keyHash}`, `host ${host}`]
}
