import type { Domains, Keys } from '../../access/ports.ts'
import { domainPart } from '../../address.ts'
import type { Clock } from '../../clock.ts'
import type { Email } from '../../inbox/email.ts'
import type { MessageStore } from '../../inbox/ports.ts'
import { deliveryId, fitted } from './payload.ts'
import type {
  Webhook,
  WebhookAnswer,
  WebhookAttempt,
  WebhookJob,
  WebhookSender,
  WebhookStore,
} from './ports.ts'
import { nextAttempt } from './schedule.ts'

export interface DeliveryParts {
  webhooks: Pick<WebhookStore, 'find' | 'remove'>
  emails: Pick<MessageStore, 'find'>
  domains: Pick<Domains, 'find'>
  keys: Pick<Keys, 'find'>
  sender: WebhookSender
  /** The email as the wire has it. */
  wire(email: Email): object
  clock: Clock
  /** From 0 to 1. */
  random: () => number
}

/** What is to become of a job after an attempt: when it is due again, if it is, and what came of it. */
export interface Outcome {
  next: number | undefined
  attempt: WebhookAttempt | undefined
}

const OVER: Outcome = { next: undefined, attempt: undefined }

/** One attempt at telling a webhook of an email; the same on every host. */
export class WebhookDelivery {
  readonly #parts: DeliveryParts

  constructor(parts: DeliveryParts) {
    this.#parts = parts
  }

  /** Tries once. Rejects only when the store does not answer: then the job stays as it is. */
  async attempt(job: WebhookJob): Promise<Outcome> {
    const { webhooks, emails, sender, clock, random, wire } = this.#parts
    const webhook = await webhooks.find(job.webhook)
    if (webhook === undefined) return OVER
    if (!(await this.#mayKnow(webhook, domainPart(job.address)))) {
      await webhooks.remove(webhook.id)
      return OVER
    }
    // Deleted or expired: there is nothing to tell any more.
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
    const answer = await sender.send({ url: webhook.url, secret: webhook.secret, id, at, body })
    const retryAfter = 'status' in answer ? answer.retryAfterMs : undefined
    const next = isDone(answer) ? undefined : nextAttempt(job.attempts + 1, clock(), retryAfter, random)
    if ('status' in answer && answer.status === 410) await webhooks.remove(webhook.id)
    return { next, attempt: attemptOf('email.received', id, at, answer, next) }
  }

  /** Sends a `ping`, once. */
  async ping(webhook: Webhook, id: string): Promise<WebhookAttempt> {
    const { sender, clock } = this.#parts
    const at = clock()
    const body = JSON.stringify({ type: 'ping', timestamp: new Date(at).toISOString(), data: {} })
    const answer = await sender.send({ url: webhook.url, secret: webhook.secret, id, at, body })
    return attemptOf('ping', id, at, answer, undefined)
  }

  /** Whether its key is still good, and its domain still open as it was when the webhook was made. */
  async #mayKnow(webhook: Webhook, domain: string): Promise<boolean> {
    const { keys, domains, clock } = this.#parts
    const [key, known] = await Promise.all([keys.find(webhook.keyHash), domains.find(domain)])
    const keyIsGood = key !== undefined && key.expiresAt > clock()
    return keyIsGood && known !== undefined && known.keyHash === webhook.domainKeyHash
  }
}

/** Delivered, or refused for good. */
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
