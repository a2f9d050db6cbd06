import type { Problem } from './wire.ts'

/**
 * Any error of this library; its message says what to do.
 *
 * @example
 * try {
 *   await inbox.waitForCode()
 * } catch (error) {
 *   if (error instanceof MayflyError && error.code === 'unreachable') {
 *     console.error('Run `mayfly` first.')
 *   }
 *   throw error
 * }
 */
export class MayflyError extends Error {
  override name = 'MayflyError'
  /**
   * A `code` of the service's problem responses (`api_key_expired`, `domain_not_found`, …), or
   * `unreachable`, `not_mayfly`, `invalid_url`, `timeout`, `unexpected_mail`.
   */
  readonly code: string
  /** HTTP status; undefined when the error is not a response of the service. */
  readonly status: number | undefined
  /** Finds the request in the service's log. */
  readonly requestId: string | undefined

  /** The message without its advice. */
  readonly reason: string
  /** The last part of the message, which names options of this library. */
  readonly advice: string | undefined

  constructor(
    code: string,
    reason: string,
    more: { status?: number; requestId?: string; cause?: unknown; advice?: string | undefined } = {},
  ) {
    super(more.advice === undefined ? reason : `${reason} ${more.advice}`, { cause: more.cause })
    this.reason = reason
    this.advice = more.advice
    this.code = code
    this.status = more.status
    this.requestId = more.requestId
  }
}

/** Advice for users of this library; the service's own advice is about HTTP. */
const ADVICE: Record<string, string> = {
  api_key_invalid:
    'Does MAYFLY_API_KEY (or `apiKey`) belong to this service? Without it, a key is created automatically.',
  api_key_expired: 'Without MAYFLY_API_KEY (or `apiKey`), a new key is created automatically.',
  key_quota_exceeded: 'Set MAYFLY_API_KEY (or `apiKey`) to a key that you have.',
  domain_key_missing: 'Pass it as `new Mayfly({ domainKey })`, or set MAYFLY_DOMAIN_KEY.',
  domain_not_found: 'GET /api/domains lists the domains of this service; `inbox({ domain })` selects one.',
  rate_limited:
    'All workers that share a key share its 120 requests a minute, which is about 60 tests with one wait each. ' +
    'Your own service has no limit for you: set MAYFLY_API_KEYS there and MAYFLY_API_KEY here to the same key. ' +
    'On a service of others, give each worker a key of its own, or allow more time with `timeout`.',
}

/** The error for a problem response of the service. */
export function problemError({ code, title, detail, status, request_id }: Problem): MayflyError {
  return new MayflyError(code, [`${title}.`, detail].filter(Boolean).join(' '), {
    status,
    requestId: request_id,
    advice: ADVICE[code],
  })
}
