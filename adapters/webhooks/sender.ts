import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { Webhook } from 'standardwebhooks'
import { Problem } from '../../core/errors.ts'
import type { WebhookAnswer, WebhookRequest, WebhookSender } from '../../core/events/webhooks/ports.ts'
import { SECOND_MS, WEBHOOK_TIMEOUT_MS } from '../../core/limits.ts'
import { resolveTarget, type Target, TargetError, type TargetRules, targetUrl } from './target.ts'

/** Of an answer's body nothing is wanted; more and longer than this it is not taken. */
const ANSWER_BYTES_MAX = 64 * 1024
const ANSWER_BODY_MS = SECOND_MS
/** A target that asks for more than a day would outlive the email. */
const RETRY_AFTER_MAX_MS = 24 * 3600 * SECOND_MS

/** What the system says of a connection, in words for the webhook's owner. */
const ERRORS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The target refused the connection.',
  ECONNRESET: 'The target ended the connection.',
  EHOSTUNREACH: 'The target cannot be reached.',
  ENETUNREACH: 'The target cannot be reached.',
  CERT_HAS_EXPIRED: 'The certificate of the target has expired.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate of the target is signed by nobody else.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate of the target is signed by nobody known.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The certificate of the target is signed by nobody known.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate of the target is for another name.',
}

/** Sends webhooks by HTTP, signed as Standard Webhooks says (github.com/standard-webhooks/standard-webhooks). */
export class HttpWebhookSender implements WebhookSender {
  readonly #rules: TargetRules
  readonly #userAgent: string

  constructor(rules: TargetRules, version: string) {
    this.#rules = rules
    this.#userAgent = `Mayfly/${version}`
  }

  async check(url: string): Promise<void> {
    try {
      targetUrl(url, this.#rules)
      // A name that does not resolve just now may do so when there is mail; what is refused, is refused now.
      await resolveTarget(url, this.#rules).catch((error) => {
        if (!(error instanceof TargetError) || !/no address/.test(error.message)) throw error
      })
    } catch (error) {
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
      const target = await orTimeout(resolveTarget(url, this.#rules), signal)
      const { statusCode = 0, headers: answered } = await post(target, headers, body, signal)
      return { status: statusCode, retryAfterMs: retryAfter(answered['retry-after'], at), ms: ms() }
    } catch (error) {
      return {
        error: signal.aborted ? 'The target did not answer in 15 seconds.' : wordsFor(error),
        ms: ms(),
      }
    }
  }
}

/** Resolves with the head of the answer; a redirect is an answer as any other. */
function post(
  { url, address, family }: Target,
  headers: Record<string, string | number>,
  body: string,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
      method: 'POST',
      headers,
      signal,
      // A connection of its own, to the address that was checked.
      agent: false,
      lookup: (_name, options, done) => {
        if (options.all) (done as unknown as (e: null, a: object[]) => void)(null, [{ address, family }])
        else done(null, address, family)
      },
    })
    request.on('error', reject)
    request.on('response', (answer) => {
      // The status is all that is wanted. What comes after it is taken for a moment, so that the target sees its
      // answer arrive, but not for as long or as much as it likes.
      let bytes = 0
      const end = setTimeout(() => request.destroy(), ANSWER_BODY_MS)
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > ANSWER_BYTES_MAX) request.destroy()
      })
      answer.on('error', () => {})
      answer.on('close', () => clearTimeout(end))
      resolve(answer)
    })
    request.end(body)
  })
}

function orTimeout<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('timeout')), { once: true })
    promise.then(resolve, reject)
  })
}

/** Seconds or a date (RFC 9110, section 10.2.3); undefined for none or one that is neither. */
function retryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  const ms = /^\d+$/.test(header) ? Number(header) * SECOND_MS : Date.parse(header) - now
  return ms > 0 ? Math.min(ms, RETRY_AFTER_MAX_MS) : undefined
}

function wordsFor(error: unknown): string {
  if (error instanceof TargetError) return error.message
  return ERRORS[(error as NodeJS.ErrnoException).code ?? ''] ?? 'The request could not be sent.'
}
