import type { EmailFilter } from '../../inbox/filter.ts'

/** Whose emails a webhook receives: those of an address, or of a whole domain. */
export type WebhookTarget = { address: string } | { domain: string }

export interface Webhook {
  id: string
  /** The API key that it belongs to, and ends with. */
  keyHash: string
  url: string
  /**
   * `pending` until a signed ping was answered with 2xx, because emails must not be sent to a
   * server whose owner did not agree. Emails wait until then.
   */
  status: 'pending' | 'live'
  /** `whsec_` and base64 (Standard Webhooks). Stored in plain text, because it signs. */
  secret: string
  target: WebhookTarget
  filter: EmailFilter
  /** The key of its domain when it was created; the webhook ends when the domain's key changes. */
  domainKeyHash: string | null
  /** Unix times in ms. */
  createdAt: number
  expiresAt: number
}

/** One email for one webhook, or its first ping (`isPing`). */
export interface WebhookJob {
  webhook: string
  /** Both are empty for a ping. */
  address: string
  email: string
  /** Attempts so far. */
  attempts: number
  /** Unix time in ms. */
  due: number
}

/** Whether the job is the ping that makes a webhook live. */
export function isPing(job: WebhookJob): boolean {
  return job.email === ''
}

/** The result of one attempt. */
export interface WebhookAttempt {
  /** Unix time in ms. */
  at: number
  /** `webhook-id` of the delivery. */
  delivery: string
  type: 'email.received' | 'ping'
  /** The answer's, or null with an `error`. */
  status: number | null
  error: string | null
  ms: number
  /** Unix time in ms of the next attempt; null for none. */
  nextAt: number | null
}

/** Webhooks, and what came of their attempts. */
export interface WebhookStore {
  /**
   * Adds a webhook; a store that is an outbox too adds the ping of a pending one in the same
   * transaction.
   * @returns false, and nothing is added, when the key has `limit` webhooks already, also among
   *   concurrent calls
   */
  add(webhook: Webhook, limit: number): Promise<boolean>
  /** One that has expired is not there. */
  find(id: string): Promise<Webhook | undefined>
  /** Those of a key, oldest first. */
  list(keyHash: string): Promise<Webhook[]>
  /** Makes a pending webhook live. Idempotent. */
  activate(id: string): Promise<void>
  /** Removes its jobs and attempts too. Idempotent. */
  remove(id: string): Promise<void>
  /** The latest 100, newest first. */
  attempts(id: string): Promise<WebhookAttempt[]>
  /** Keeps an attempt without a job, such as a test. */
  record(id: string, attempt: WebhookAttempt): Promise<void>
}

/** A webhook, and what its requests share with those of other webhooks. */
export interface WebhookLane {
  webhook: string
  keyHash: string
  /** The host and port of its URL. */
  host: string
}

/** Jobs that are due, where the store itself keeps them (one machine). */
export interface WebhookOutbox {
  /**
   * Calls back when there are webhooks, now or later. Before that no job needs to be looked for.
   */
  onceAny(callback: () => void): void
  /** Webhooks that have a job which is due at `now`; of a pending one only its ping counts. */
  due(now: number): Promise<WebhookLane[]>
  /** The `limit` jobs of a webhook that have been due longest; of a pending one only its ping. */
  jobs(webhook: string, now: number, limit: number): Promise<WebhookJob[]>
  /** When the next job will be due; undefined if no job is waiting. */
  nextDue(now: number): Promise<number | undefined>
  /**
   * Removes the job, or makes it due again at `next`, and stores the attempt, in one transaction.
   */
  finish(job: WebhookJob, next: number | undefined, attempt: WebhookAttempt | undefined): Promise<void>
}

export interface WebhookRequest {
  url: string
  secret: string
  /** `webhook-id`. */
  id: string
  /** Unix time in ms. */
  at: number
  body: string
}

/** The error of a target that took longer than WEBHOOK_TIMEOUT_MS. */
export const TIMED_OUT = 'The target did not answer in 15 seconds.'

export type WebhookAnswer =
  | { status: number; retryAfterMs?: number | undefined; ms: number }
  /** There was no answer, and why, in words for the webhook's owner. */
  | { error: string; ms: number }

/** Signs and sends a request to an address that may be called. Never rejects. */
export interface WebhookSender {
  send(request: WebhookRequest): Promise<WebhookAnswer>
  /**
   * @throws Problem `invalid_webhook_url` for one that cannot be called, as far as that is known
   */
  check(url: string): Promise<void>
}
