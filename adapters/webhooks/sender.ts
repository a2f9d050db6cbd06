import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { Webhook } from 'standardwebhooks'
import { Problem } from '../../core/errors.ts'
import {
  TIMED_OUT,
  type WebhookAnswer,
  type WebhookRequest,
  type WebhookSender,
} from '../../core/events/webhooks/ports.ts'
import { SECOND_MS, WEBHOOK_TIMEOUT_MS } from '../../core/limits.ts'
import {
  type Lookup,
  NoAddressError,
  resolveTarget,
  systemLookup,
  type Target,
  TargetError,
  type TargetRules,
  targetUrl,
} from './target.ts'

/**
 * The body of an answer is discarded: the sender reads at most this number of bytes, for at most
 * this time.
 */
const ANSWER_BYTES_MAX = 64 * 1024
const ANSWER_BODY_MS = SECOND_MS
/** A longer Retry-After would outlive the email. */
const RETRY_AFTER_MAX_MS = 24 * 3600 * SECOND_MS

/** The system's error codes in words for the webhook's owner. */
const ERRORS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The target refused the connection.',
  ECONNRESET: 'The target ended the connection.',
  EHOSTUNREACH: 'The target cannot be reached.',
  ENETUNREACH: 'The target cannot be reached.',
  CERT_HAS_EXPIRED: 'The certificate of the target has expired.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate of the target is self-signed.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate of the target is not signed by a known authority.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The certificate of the target is not signed by a known authority.',
  UPGRADED: 'The target answered 101 Switching Protocols, which is no answer to a POST.',
  NO_ANSWER: 'The target ended the connection without an answer.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate of the target is for another name.',
}

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
      targetUrl(url, this.#rules)
      // A name without an address may have one when mail arrives. An address that is refused is
      // refused now.
      await resolveTarget(url, this.#rules, this.#lookup).catch((error) => {
        if (!(error instanceof NoAddressError)) throw error
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
      const target = await orTimeout(resolveTarget(url, this.#rules, this.#lookup), signal)
      const { statusCode = 0, headers: answered } = await post(target, headers, body, signal)
      return { status: statusCode, retryAfterMs: retryAfter(answered['retry-after'], at), ms: ms() }
    } catch (error) {
      return {
        error: signal.aborted ? TIMED_OUT : wordsFor(error),
        ms: ms(),
      }
    }
  }
}

/**
 * Resolves with the head of the answer, also of a redirect, which is not followed. Settles on every
 * end of the connection: Node emits neither 'response' nor 'error' for an upgrade.
 */
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
      // A new connection, to the address that was checked: the name is not resolved again.
      agent: false,
      lookup: (_name, options, done) => {
        if (options.all) done(null, [{ address, family }])
        else done(null, address, family)
      },
    })
    request.on('error', reject)
    request.on('upgrade', (_answer, socket) => {
      socket.destroy()
      reject(Object.assign(new Error('upgraded'), { code: 'UPGRADED' }))
    })
    request.on('close', () => reject(Object.assign(new Error('closed'), { code: 'NO_ANSWER' })))
    signal.addEventListener('abort', () => reject(new Error('timeout')), { once: true })
    request.on('response', (answer) => {
      discardBody(request, answer)
      resolve(answer)
    })
    request.end(body)
  })
}

/** Reads the body for a moment, so that the target can finish sending it. Only the status matters. */
function discardBody(request: ClientRequest, answer: IncomingMessage): void {
  let bytes = 0
  const end = setTimeout(() => request.destroy(), ANSWER_BODY_MS)
  answer.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > ANSWER_BYTES_MAX) request.destroy()
  })
  answer.on('error', () => {})
  answer.on('close', () => clearTimeout(end))
}

function orTimeout<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('timeout')), { once: true })
    promise.then(resolve, reject)
  })
}

/** In ms, from seconds or a date (RFC 9110, section 10.2.3); undefined for anything else. */
function retryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  const ms = /^\d+$/.test(header) ? Number(header) * SECOND_MS : Date.parse(header) - now
  return ms > 0 ? Math.min(ms, RETRY_AFTER_MAX_MS) : undefined
}

function wordsFor(error: unknown): string {
  if (error instanceof TargetError) return error.message
  return ERRORS[(error as NodeJS.ErrnoException).code ?? ''] ?? 'The request could not be sent.'
}
