import type { ProblemCode } from '../../core/errors.ts'

/** What to do about each refusal. */
export const ADVICE: Record<ProblemCode, string> = {
  invalid_address: 'Send a complete address such as bot42@example.com, percent-encoded in the path.',
  invalid_domain: 'Send a domain name of at least two labels, such as example.com.',
  invalid_query: 'The detail names the parameter and what it takes.',
  invalid_body: 'Send no body, or a JSON object as the detail says.',
  api_key_missing: 'Send your key in the header X-API-Key. A key is free.',
  api_key_invalid: 'Check that the key was copied whole: it begins with mf_ and ends with a checksum.',
  api_key_expired: 'Keys are valid for 30 days. Generate a new one.',
  domain_key_missing: 'The domain is private. Send its key in X-Domain-Key, or as ?key= on streams.',
  domain_key_invalid:
    'The key is not the one in the domain’s DNS. If it was changed there, verify the domain again.',
  webhook_not_found: 'The webhook was deleted, ended with its key, or belongs to another key.',
  webhook_quota_exceeded: 'A key has twenty webhooks. Delete one that is not needed.',
  invalid_webhook_url:
    'Give an https URL on the public internet. A service on your own machine takes http and loopback too.',
  cross_site:
    'Call from your own server, or send an API key: a page of another site may not do this without one.',
  not_found: 'The path is none of this service. The API reference has all of them.',
  domain_not_found: 'Mail for this domain is not taken here. The domains page shows which records it needs.',
  email_not_found: 'The email was deleted, has expired, or belongs to another address.',
  attachment_not_found: 'Attachments are numbered from 0; the email lists them.',
  method_not_allowed: 'The header Allow names the methods of this path.',
  body_too_large: 'Send less: a request body has at most 8 KiB.',
  misdirected_request:
    'Call the service by its address, localhost or the host of MAYFLY_BASE_URL; MAYFLY_CORS_ORIGINS is for pages.',
  rate_limited:
    'Wait as long as Retry-After says. To wait for mail, use /wait or a stream instead of asking again and again.',
  key_quota_exceeded:
    'Five keys a day for each client address. Use one of those, or wait as long as Retry-After says.',
  domain_quota_exceeded: 'Twenty new domains a day for each client address. Come back later.',
  too_many_streams:
    'Close streams that are not needed; one stream of a domain key covers all addresses of its domains.',
  internal_error: 'The fault is ours. Try again, and report the request id if it stays.',
  dns_unavailable:
    'The DNS servers of the domain did not answer. Nothing was changed; check again in a minute.',
  unavailable: 'Try again shortly, as Retry-After says.',
}
