import type { Domain, Domains, Keys } from '../../access/ports.ts'
import { domainPart } from '../../address.ts'
import type { Clock } from '../../clock.ts'
import type { Email } from '../../inbox/email.ts'
import type { StoredEmail } from '../../inbox/ports.ts'
import { MINUTE_MS, SECOND_MS, WEBHOOK_TIMEOUT_MS } from '../../limits.ts'
import { deliveryId, fitted } from './payload.ts'
import {
  isPing,
  TIMED_OUT,
  type Webhook,
  type WebhookAnswer,
  type WebhookAttempt,
  type WebhookJob,
  type WebhookRequest,
  type WebhookSender,
  type WebhookStore,
} from './ports.ts'
import { nextAttempt } from './schedule.ts'

/** Where the emails of jobs are found; the store, or a cache of it. */
export interface WebhookEmails {
  /** Undefined for an email that was deleted or has expired. */
  find(address: string, id: string): Promise<Pick<StoredEmail, 'email'> | undefined>
}

export interface DeliveryParts {
  webhooks: Pick<WebhookStore, 'find' | 'remove' | 'activate'>
  emails: WebhookEmails
  domains: Pick<Domains, 'find'>
  keys: Pick<Keys, 'find'>
  sender: WebhookSender
  /** Returns the JSON of the email. */
  wire(email: Email): object
  clock: Clock
  /** From 0 to 1. */
  random: () => number
}

/** The result of one run of a job. */
export interface Outcome {
  /** When the job is due again (Unix ms); undefined when it has ended. */
  next: number | undefined
  /** Undefined when no request was sent. */
  attempt: WebhookAttempt | undefined
}

/** Pauses before the first and later checks of an email for a pending webhook. */
const HELD_MIN_MS = 5 * SECOND_MS
const HELD_MAX_MS = 15 * MINUTE_MS

const OVER: Outcome = { next: undefined, attempt: undefined }

/** Sends emails and pings to webhooks, one request for each call; the same on every host. */
export class WebhookDelivery {
  readonly #parts: DeliveryParts

  constructor(parts: DeliveryParts) {
    this.#parts = parts
  }

  /**
   * Runs the job once. Rejects only when the store does not answer; the job then stays as it is.
   */
  async attempt(job: WebhookJob): Promise<Outcome> {
    const { webhooks, emails, sender, clock, random, wire } = this.#parts
    const webhook = await webhooks.find(job.webhook)
    if (webhook === undefined) return OVER
    const domain = await this.#domainOf(webhook)
    if (domain === undefined) {
      await webhooks.remove(webhook.id)
      return OVER
    }
    if (isPing(job)) return this.#firstPing(webhook, job)
    // The mail of an earlier registration is not sent to the webhooks of a later one.
    if (job.email <= domain.visibleAfter) return OVER
    if (webhook.status === 'pending') return { next: heldUntil(webhook, clock()), attempt: undefined }
    // An email that was deleted or has expired is not sent.
    const email = (await emails.find(job.address, job.email))?.email
    if (email === undefined) return OVER
    const at = clock()
    const data = { domain: domainPart(job.address), email: wire(fitted(email)) }
    const body = JSON.stringify({
      type: 'email.received',
      timestamp: new Date(email.receivedAt).toISOString(),
      data,
    })
    const id = deliveryId(webhook.id, email.id)
    const answer = await answerOf(sender, { url: webhook.url, secret: webhook.secret, id, at, body })
    const retryAfter = 'status' in answer ? answer.retryAfterMs : undefined
    const next = isDone(answer) ? undefined : nextAttempt(job.attempts + 1, clock(), retryAfter, random)
    if ('status' in answer && answer.status === 410) await webhooks.remove(webhook.id)
    return { next, attempt: attemptOf('email.received', id, at, answer, next) }
  }

  /** Sends a `ping` once; a 2xx answer makes a pending webhook live. */
  async ping(webhook: Webhook, id: string): Promise<WebhookAttempt> {
    const { answer, at } = await this.#ping(webhook, id)
    return attemptOf('ping', id, at, answer, undefined)
  }

  async #firstPing(webhook: Webhook, job: WebhookJob): Promise<Outcome> {
    const { clock, random } = this.#parts
    if (webhook.status === 'live') return OVER
    const id = deliveryId(webhook.id, 'ping')
    const { answer, at } = await this.#ping(webhook, id)
    const retryAfter = 'status' in answer ? answer.retryAfterMs : undefined
    const next = isDone(answer) ? undefined : nextAttempt(job.attempts + 1, clock(), retryAfter, random)
    return { next, attempt: attemptOf('ping', id, at, answer, next) }
  }

  async #ping(webhook: Webhook, id: string): Promise<{ answer: WebhookAnswer; at: number }> {
    const { webhooks, sender, clock } = this.#parts
    const at = clock()
    const body = JSON.stringify({ type: 'ping', timestamp: new Date(at).toISOString(), data: {} })
    const answer = await answerOf(sender, { url: webhook.url, secret: webhook.secret, id, at, body })
    if ('status' in answer && answer.status === 410) await webhooks.remove(webhook.id)
    else if (isDone(answer)) await webhooks.activate(webhook.id)
    return { answer, at }
  }

  /**
   * Returns the domain of a webhook whose key is still valid, if the domain still has the key that
   * it had when the webhook was created.
   */
  async #domainOf(webhook: Webhook): Promise<Domain | undefined> {
    const { keys, domains, clock } = this.#parts
    const { target } = webhook
    const domain = 'domain' in target ? target.domain : domainPart(target.address)
    const [key, known] = await Promise.all([keys.find(webhook.keyHash), domains.find(domain)])
    const keyIsGood = key !== undefined && key.expiresAt > clock()
    return keyIsGood && known?.keyHash === webhook.domainKeyHash ? known : undefined
  }
}

/**
 * The answer to a request, or an error after WEBHOOK_TIMEOUT_MS and a second. The sender has a
 * time-out of its own; this timer makes sure that the place is released whatever happens on the
 * connection.
 */
async function answerOf(sender: WebhookSender, request: WebhookRequest): Promise<WebhookAnswer> {
  const ms = WEBHOOK_TIMEOUT_MS + SECOND_MS
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<WebhookAnswer>((resolve) => {
    timer = setTimeout(resolve, ms, { error: TIMED_OUT, ms })
  })
  try {
    return await Promise.race([sender.send(request), late])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Returns when to check an email of a pending webhook again, on a host that cannot hold its jobs
 * back: soon after the webhook was created, and less often the longer its pings fail.
 */
function heldUntil({ createdAt }: Webhook, now: number): number {
  return now + Math.min(Math.max((now - createdAt) / 4, HELD_MIN_MS), HELD_MAX_MS)
}

/** Whether the job has ended: delivered, or permanently refused. */
function isDone(answer: WebhookAnswer): boolean {
  return 'status' in answer && ((answer.status >= 200 && answer.status < 300) || answer.status === 410)
}

function attemptOf(
  type: WebhookAttempt['type'],
  delivery: string,
  at: number,
  answer: WebhookAnswer,
  next: number | undefined,
): WebhookAttempt {
  const [status, error] = 'status' in answer ? [answer.status, null] : [null, answer.error]
  return { at, delivery, type, status, error, ms: answer.ms, nextAt: next ?? null }
}
