import type { ProblemCode } from '../../core/errors.ts'

/** The HTTP form of a refusal. */
export interface ProblemKind {
  status: number
  title: string
  /** Advice for the caller; appended to the detail. */
  advice?: string
}

const NEW_KEY = 'POST /api/keys gives you one for free.'

export const PROBLEMS: Readonly<Record<ProblemCode, ProblemKind>> = {
  invalid_address: { status: 400, title: 'The address is not valid' },
  invalid_domain: { status: 400, title: 'The domain name is not valid' },
  invalid_query: { status: 400, title: 'A query parameter or header is not valid' },
  invalid_body: { status: 400, title: 'The request body is not valid' },
  invalid_webhook_url: { status: 400, title: 'The webhook cannot use this URL' },
  api_key_missing: {
    status: 401,
    title: 'An API key is needed',
    advice: `Send your key as X-API-Key, or to /mcp as "Authorization: Bearer". ${NEW_KEY}`,
  },
  api_key_invalid: { status: 401, title: 'The API key is unknown', advice: NEW_KEY },
  api_key_expired: { status: 401, title: 'The API key has expired', advice: NEW_KEY },
  domain_key_missing: {
    status: 401,
    title: 'A domain key is needed',
    advice: 'Send it as X-Domain-Key, or on a stream as the query parameter "key".',
  },
  domain_key_invalid: { status: 403, title: 'The domain key is wrong' },
  operator_key_required: {
    status: 403,
    title: 'An operator’s key is needed',
    advice:
      'Operator’s keys are those of MAYFLY_API_KEYS; without it, a service on loopback writes one to the key file.',
  },
  cross_site: { status: 403, title: 'A page of another site may not call this' },
  link_check_refused: { status: 403, title: 'Only the operator may check links' },
  not_found: { status: 404, title: 'The path does not exist' },
  domain_not_found: {
    status: 404,
    title: 'The domain is not registered here',
    advice:
      'GET /api/domains lists the domains that are; GET /api/domain/verify/<domain> registers one whose MX ' +
      'record points here.',
  },
  email_not_found: { status: 404, title: 'There is no such email' },
  attachment_not_found: { status: 404, title: 'There is no such attachment' },
  webhook_not_found: { status: 404, title: 'There is no such webhook' },
  method_not_allowed: { status: 405, title: 'The method is not allowed here' },
  body_too_large: { status: 413, title: 'The request body is too large' },
  range_not_satisfiable: { status: 416, title: 'The range has none of the bytes' },
  misdirected_request: { status: 421, title: 'The service does not have this host name' },
  rate_limited: { status: 429, title: 'Too many requests' },
  key_quota_exceeded: { status: 429, title: 'No more API keys for this network today' },
  domain_quota_exceeded: { status: 429, title: 'No more new domains for this network today' },
  webhook_quota_exceeded: { status: 429, title: 'No more webhooks for this key' },
  too_many_streams: { status: 429, title: 'Too many open streams' },
  internal_error: { status: 500, title: 'The service failed' },
  dns_unavailable: { status: 503, title: 'DNS did not answer' },
  unavailable: { status: 503, title: 'The service is temporarily unavailable' },
}
