/**
 * The product's vocabulary of refusals, which adapters/http/problem.ts maps to HTTP (RFC 9457). SMTP has its own
 * few (adapters/embedded/smtp.ts).
 */
export const PROBLEMS = {
  invalid_address: { status: 400, title: 'The address is not valid' },
  invalid_domain: { status: 400, title: 'The domain name is not valid' },
  invalid_query: { status: 400, title: 'A query parameter or header is not valid' },
  invalid_body: { status: 400, title: 'The request body is not valid' },
  api_key_missing: { status: 401, title: 'An API key is needed' },
  api_key_invalid: { status: 401, title: 'The API key is not known' },
  api_key_expired: { status: 401, title: 'The API key has expired' },
  domain_key_missing: { status: 401, title: 'A domain key is needed' },
  domain_key_invalid: { status: 403, title: 'The domain key does not fit' },
  not_found: { status: 404, title: 'There is nothing here' },
  domain_not_found: { status: 404, title: 'The domain is not registered here' },
  email_not_found: { status: 404, title: 'There is no such email' },
  attachment_not_found: { status: 404, title: 'There is no such attachment' },
  method_not_allowed: { status: 405, title: 'The method is not allowed here' },
  body_too_large: { status: 413, title: 'The request body is too large' },
  misdirected_request: { status: 421, title: 'This host name is not of this service' },
  rate_limited: { status: 429, title: 'Too many requests' },
  key_quota_exceeded: { status: 429, title: 'No more API keys for this address today' },
  domain_quota_exceeded: { status: 429, title: 'No more new domains for this address today' },
  too_many_streams: { status: 429, title: 'Too many open streams' },
  internal_error: { status: 500, title: 'Something went wrong here' },
  dns_unavailable: { status: 503, title: 'DNS gave no answer' },
  unavailable: { status: 503, title: 'The service cannot answer just now' },
} as const

export type ProblemCode = keyof typeof PROBLEMS

/**
 * A refusal that the caller may see. `detail` says what to do next; it never holds a secret, a stack, or the
 * text of another error. Anything thrown that is no Problem is reported as `internal_error`.
 */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly detail: string
  /** Members that the answer carries beside the standard ones. */
  readonly extra: Readonly<Record<string, unknown>>
  /** Seconds after which a new try makes sense; sent as Retry-After. */
  readonly retryAfter: number | undefined

  constructor(
    code: ProblemCode,
    detail: string,
    options: { extra?: Record<string, unknown>; retryAfter?: number; cause?: unknown } = {},
  ) {
    super(`${code}: ${detail}`, { cause: options.cause })
    this.name = 'Problem'
    this.code = code
    this.detail = detail
    this.extra = options.extra ?? {}
    this.retryAfter = options.retryAfter
  }
}
