/** The errors that a caller may see. The adapters map them to their protocol. */
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
  | 'operator_key_required'
  | 'cross_site'
  | 'link_check_refused'
  | 'not_found'
  | 'domain_not_found'
  | 'email_not_found'
  | 'attachment_not_found'
  | 'webhook_not_found'
  | 'method_not_allowed'
  | 'body_too_large'
  | 'range_not_satisfiable'
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
 * An error for the caller. `detail` says what to do next and never contains a secret, a stack, or
 * the text of another error. Any other error is reported as `internal_error`.
 */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly detail: string
  /** Fields of the answer beside the standard ones. */
  readonly extra: Readonly<Record<string, unknown>>
  /** Seconds until another attempt makes sense. */
  readonly retryAfter: number | undefined
  /** The code whose advice helps this caller, where it is not that of `code`. */
  readonly adviceOf: ProblemCode | undefined

  constructor(
    code: ProblemCode,
    detail: string,
    options: {
      extra?: Record<string, unknown>
      retryAfter?: number
      cause?: unknown
      adviceOf?: ProblemCode
    } = {},
  ) {
    super(`${code}: ${detail}`, { cause: options.cause })
    this.name = 'Problem'
    this.code = code
    this.detail = detail
    this.extra = options.extra ?? {}
    this.retryAfter = options.retryAfter
    this.adviceOf = options.adviceOf
  }
}

/** All faults of a configuration, one in a line. */
export class ConfigError extends Error {
  readonly faults: string[]

  constructor(faults: string[], headline = 'The configuration is not valid') {
    super(`${headline}:\n${faults.map((fault) => `  ${fault}`).join('\n')}`)
    this.name = 'ConfigError'
    this.faults = faults
  }
}
