import type { ProblemCode } from '../../core/errors.ts'

/** What a caller does about each problem. */
export const ADVICE: Record<ProblemCode, string> = {
  invalid_address: 'Send a complete address such as bot42@example.com, percent-encoded in the path.',
  invalid_domain: 'Send a domain name of at least two labels, such as example.com.',
  invalid_query: 'The detail names the parameter and its valid values.',
  invalid_body: 'Send no body, or a JSON object as the detail describes.',
  invalid_webhook_url:
    'Use an https URL on the public internet. A service on your own machine also accepts http and loopback URLs.',
  api_key_missing: 'Send your key in the header X-API-Key. Keys are free.',
  api_key_invalid: 'Check that you copied the whole key: it begins with mf_ and ends with a checksum.',
  api_key_expired: 'Keys are valid for 30 days. Generate a new one.',
  domain_key_missing: 'The domain is private. Send its key in X-Domain-Key, or as ?key= on streams.',
  domain_key_invalid:
    'The key differs from the one in the domain’s DNS. If you changed it there, verify the domain again.',
  operator_key_required:
    'Send a key of MAYFLY_API_KEYS. A service on loopback without that variable writes its key to the key file of its user, where the SDK and the command find it.',
  cross_site:
    'Call from your own server, or send an API key. Pages of other sites may not do this without one.',
  link_check_refused:
    'The service itself requests the links, so only its operator may ask. Everyone may ask a service that only programs of its own machine can call.',
  not_found: 'The service has no such path. The API reference lists all of them.',
  domain_not_found:
    'This service does not accept mail for that domain. The domains page shows which DNS records it needs.',
  email_not_found: 'The email was deleted, has expired, or belongs to another address.',
  attachment_not_found: 'Check the number: attachments start at 0.',
  webhook_not_found: 'The webhook was deleted, ended with its key, or belongs to another key.',
  webhook_quota_exceeded: 'A key has at most 20 webhooks. Delete one that you do not need.',
  method_not_allowed: 'The header Allow names the methods of this path.',
  body_too_large: 'Send less: a request body has at most 8 KiB.',
  range_not_satisfiable: 'The header Content-Range of the answer has the size. Ask for bytes below it.',
  misdirected_request:
    'Call the service by its IP address, as localhost, or by a name that it knows: MAYFLY_BASE_URL sets its public one. MAYFLY_CORS_ORIGINS lists the origins whose pages may call.',
  rate_limited:
    'Wait for the seconds in Retry-After. To wait for mail, use /wait or a stream instead of repeated requests.',
  key_quota_exceeded:
    'A network gets 5 API keys a day. Use one of them, or wait for the seconds in Retry-After.',
  domain_quota_exceeded: 'A client address can add 20 domains a day. Come back later.',
  too_many_streams:
    'Close streams that you do not need. One stream can follow 20 addresses, or all domains of a domain key.',
  internal_error: 'The service has a fault. Try again, and report the request id if the problem persists.',
  dns_unavailable:
    'The DNS servers of the domain did not answer. Nothing has changed. Try again in a minute.',
  unavailable: 'Try again after the seconds in Retry-After.',
}
