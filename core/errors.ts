/** What can go wrong for a caller, by code. What each is on a wire, the adapters say. */
export type ProblemCode =
  | 'invalid_address'
  | 'invalid_domain'
  | 'invalid_query'
  | 'invalid_body'
  | 'invalid_webhook_url'
  | 'api_key_missing'
  | 'api_key_invalid'
  | 'api_key_expired'
  | 'domain_key_missing'
  | 'domain_key_invalid'
  | 'cross_site'
  | 'not_found'
  | 'domain_not_found'
  | 'email_not_found'
  | 'attachment_not_found'
  | 'webhook_not_found'
  | 'method_not_allowed'
  | 'body_too_large'
  | 'misdirected_request'
  | 'rate_limited'
  | 'key_quota_exceeded'
  | 'domain_quota_exceeded'
  | 'webhook_quota_exceeded'
  | 'too_many_streams'
  | 'internal_error'
  | 'dns_unavailable'
  | 'unavailable'

/**
 * A refusal that the caller may see. `detail` says what to do next; it never holds a secret, a stack, or the
 * text of another error. Anything thrown that is no Problem is reported as `internal_error`.
 */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly detail: string
  /** Members that the answer carries beside the standard ones. */
  readonly extra: Readonly<Record<string, unknown>>
  /** Seconds after which a new try makes sense. */
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

/** Everything that is wrong with the configuration, a line each. */
export class ConfigError extends Error {
  readonly faults: string[]

  constructor(faults: string[], headline = 'The configuration is not valid') {
    super(`${headline}:\n${faults.map((fault) => `  ${fault}`).join('\n')}`)
    this.name = 'ConfigError'
    this.faults = faults
  }
}
