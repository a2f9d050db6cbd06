import { WEBHOOK_REQUESTS_MAX, WEBHOOK_REQUESTS_PER_KEY, WEBHOOK_REQUESTS_PER_WEBHOOK } from '../../limits.ts'
import { Quota } from '../../quota.ts'
import type { WebhookLane } from './ports.ts'

/**
 * The places of webhook requests: WEBHOOK_REQUESTS_MAX in all, and WEBHOOK_REQUESTS_PER_KEY of one
 * API key and to one target host. The keys share the places of a host, so that each leaves as many
 * to the others as it holds, and one webhook has WEBHOOK_REQUESTS_PER_WEBHOOK at most.
 */
export class Places {
  readonly #all = new Quota(WEBHOOK_REQUESTS_MAX, {
    perClient: WEBHOOK_REQUESTS_PER_KEY,
    usual: WEBHOOK_REQUESTS_PER_KEY,
  })
  /** The places of each host that has any, by key; and of each key, by webhook. */
  readonly #hosts = new Map<string, Quota>()
  readonly #keys = new Map<string, Quota>()

  get taken(): number {
    return this.#all.taken
  }

  has({ webhook, keyHash, host }: WebhookLane): boolean {
    return (
      this.#all.has(keyHash) &&
      (this.#hosts.get(host)?.has(keyHash) ?? true) &&
      (this.#keys.get(keyHash)?.has(webhook) ?? true)
    )
  }

  enter({ webhook, keyHash, host }: WebhookLane): void {
    this.#all.enter(keyHash)
    enter(this.#hosts, host, keyHash, WEBHOOK_REQUESTS_PER_KEY)
    enter(this.#keys, keyHash, webhook, WEBHOOK_REQUESTS_PER_WEBHOOK)
  }

  leave({ webhook, keyHash, host }: WebhookLane): void {
    this.#all.leave(keyHash)
    leave(this.#hosts, host, keyHash)
    leave(this.#keys, keyHash, webhook)
  }
}

/** @param perClient the most places of one client in a quota that is new */
function enter(quotas: Map<string, Quota>, name: string, client: string, perClient: number): void {
  const quota = quotas.get(name) ?? new Quota(WEBHOOK_REQUESTS_PER_KEY, { perClient })
  quota.enter(client)
  quotas.set(name, quota)
}

function leave(quotas: Map<string, Quota>, name: string, client: string): void {
  const quota = quotas.get(name)!
  quota.leave(client)
  if (quota.taken === 0) quotas.delete(name)
}
