import type { EmailFilter } from '../../inbox/email.ts'

/** Which emails a webhook tells of: those of an address, or of a whole domain. */
export type WebhookTarget = { address: string } | { domain: string }

export interface Webhook {
  id: string
  /** The API key that it belongs to, and ends with. */
  keyHash: string
  url: string
  /** `whsec_` and base64 (Standard Webhooks). Kept as it is, for it signs. */
  secret: string
  target: WebhookTarget
  filter: EmailFilter
  /** The key of its domain when it was made: with another one it ends. */
  domainKeyHash: string | null
  /** Unix times in ms. */
  createdAt: number
  expiresAt: number
}

/** One email that is to be told to one webhook. */
export interface WebhookJob {
  webhook: string
  address: string
  email: string
  /** How often it was tried already. */
  attempts: number
  /** Unix time in ms. */
  due: number
}

/** What came of one attempt. */
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
  /** When it is tried again; null for never. */
  nextAt: number | null
}

/** Webhooks, and what came of their attempts. */
export interface WebhookStore {
  /** False, and nothing is added, when the key has `limit` webhooks already, also among concurrent calls. */
  add(webhook: Webhook, limit: number): Promise<boolean>
  /** One that has expired is not there. */
  find(id: string): Promise<Webhook | undefined>
  /** Those of a key, oldest first. */
  list(keyHash: string): Promise<Webhook[]>
  /** Its jobs and attempts go with it. Idempotent. */
  remove(id: string): Promise<void>
  /** The latest 100, newest first. */
  attempts(id: string): Promise<WebhookAttempt[]>
  /** Keeps an attempt, such as one that no job stands for. */
  record(id: string, attempt: WebhookAttempt): Promise<void>
}

/** Jobs that are due, where the store itself keeps them (one machine). */
export interface WebhookOutbox {
  /** Calls back when there are webhooks, now or later: until then nothing needs to be looked for. */
  onceAny(callback: () => void): void
  /** Webhooks that have a job which is due at `now`. */
  due(now: number): Promise<string[]>
  /** The `limit` jobs of a webhook that have been due longest. */
  jobs(webhook: string, now: number, limit: number): Promise<WebhookJob[]>
  /** When the next job will be due; undefined when there is none. */
  nextDue(now: number): Promise<number | undefined>
  /** Ends the job, or sets when it is due again, and keeps the attempt; in one step. */
  settle(job: WebhookJob, next: number | undefined, attempt: WebhookAttempt | undefined): Promise<void>
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

export type WebhookAnswer =
  | { status: number; retryAfterMs?: number | undefined; ms: number }
  /** There was no answer, and why, in words for the webhook's owner. */
  | { error: string; ms: number }

/** Signs and sends a request to an address that may be called. Never rejects. */
export interface WebhookSender {
  send(request: WebhookRequest): Promise<WebhookAnswer>
  /** @throws Problem `invalid_webhook_url` for one that cannot be called, as far as that is known */
  check(url: string): Promise<void>
}
