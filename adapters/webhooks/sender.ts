import { Webhook } from 'standardwebhooks'
import { Problem } from '../../core/errors.ts'
import {
  TIMED_OUT,
  type WebhookAnswer,
  type WebhookRequest,
  type WebhookSender,
} from '../../core/events/webhooks/ports.ts'
import { SECOND_MS, WEBHOOK_TIMEOUT_MS } from '../../core/limits.ts'
import { orTimeout, requestTarget, type TargetAnswer, wordsFor } from './request.ts'
import {
  type Lookup,
  NoAddressError,
  resolveTarget,
  systemLookup,
  TargetError,
  type TargetRules,
} from './target.ts'

/**
 * The body of an answer is discarded: the sender reads at most this number of bytes, for at most
 * this time.
 */
const ANSWER_BYTES_MAX = 64 * 1024
const ANSWER_BODY_MS = SECOND_MS
/** A longer Retry-After would outlive the email. */
const RETRY_AFTER_MAX_MS = 24 * 3600 * SECOND_MS

/**
 * Sends webhooks by HTTP, signed as Standard Webhooks says
 * (github.com/standard-webhooks/standard-webhooks).
 */
export class HttpWebhookSender implements WebhookSender {
  readonly #rules: TargetRules
  readonly #userAgent: string
  readonly #lookup: Lookup

  /** @param lookup resolves the names of targets; the system's resolver unless given */
  constructor(rules: TargetRules, version: string, lookup: Lookup = systemLookup) {
    this.#rules = rules
    this.#userAgent = `Mayfly/${version}`
    this.#lookup = lookup
  }

  async check(url: string): Promise<void> {
    try {
      await resolveTarget(url, this.#rules, this.#lookup)
    } catch (error) {
      // A name without an address may have one when mail arrives. An address that is refused is
      // refused now.
      if (error instanceof NoAddressError) return
      if (error instanceof TargetError) throw new Problem('invalid_webhook_url', error.message)
      throw error
    }
  }

  async send({ url, secret, id, at, body }: WebhookRequest): Promise<WebhookAnswer> {
    const started = performance.now()
    const ms = () => Math.round(performance.now() - started)
    const signal = AbortSignal.timeout(WEBHOOK_TIMEOUT_MS)
    try {
      const date = new Date(at)
      const headers = {
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(body),
        'User-Agent': this.#userAgent,
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at / SECOND_MS)),
        'webhook-signature': new Webhook(secret).sign(id, date, body),
      }
      const target = await orTimeout(resolveTarget(url, this.#rules, this.#lookup), signal)
      const taken = await requestTarget(target, { method: 'POST', headers, body }, signal)
      discardBody(taken)
      const { statusCode = 0, headers: answered } = taken.answer
      return { status: statusCode, retryAfterMs: retryAfter(answered['retry-after'], at), ms: ms() }
    } catch (error) {
      return {
        error: signal.aborted ? TIMED_OUT : wordsFor(error),
        ms: ms(),
      }
    }
  }
}

/** Reads the body for a moment, so that the target can finish sending it. Only the status matters. */
function discardBody({ request, answer }: TargetAnswer): void {
  let bytes = 0
  const end = setTimeout(() => request.destroy(), ANSWER_BODY_MS)
  answer.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > ANSWER_BYTES_MAX) request.destroy()
  })
  answer.on('close', () => clearTimeout(end))
}

/** In ms, from seconds or a date (RFC 9110, section 10.2.3); undefined for anything else. */
function retryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  const ms = /^\d+$/.test(header) ? Number(header) * SECOND_MS : Date.parse(header) - now
  return ms > 0 ? Math.min(ms, RETRY_AFTER_MAX_MS) : undefined
}
