import type { ApiProblem } from './problem.ts'

/** What a person reads about a problem: what happened, and what to do. The API's own words are for programs. */
const WORDS: Partial<Record<ApiProblem['code'], [title: string, detail: string]>> = {
  invalid_address: ['This is not an email address', 'An address looks like name@example.com.'],
  invalid_domain: ['This is not a domain name', 'A domain looks like example.com.'],
  invalid_webhook_url: ['This URL cannot receive webhooks', ''],
  api_key_missing: ['An API key is required', 'Generate one on the API keys page. It is free.'],
  api_key_invalid: ['This API key is not valid', 'Copy the whole key, or generate a new one.'],
  api_key_expired: ['This API key has expired', 'Keys are valid for 30 days. Generate a new one.'],
  domain_key_missing: ['This domain is private', 'Enter its domain key.'],
  domain_key_invalid: ['Wrong domain key', 'If you changed the key in DNS, verify the domain again.'],
  domain_public: [
    'Mail of this domain is public',
    'Only private domains have a page for all mail. Open an address of this domain, or make it private.',
  ],
  domain_not_found: ['This service does not accept mail for that domain', 'Choose another domain.'],
  cross_site: ['This request came from another site', 'Open the page on this service itself.'],
  operator_key_required: ['Only the operator of this service may see this', 'Save the operator’s API key.'],
  link_check_refused: ['Only the operator of this service may check links', 'Save the operator’s API key.'],
  email_not_found: ['This email no longer exists', 'It was deleted or has expired.'],
  attachment_not_found: ['This attachment no longer exists', 'Its email was deleted or has expired.'],
  webhook_not_found: ['This webhook no longer exists', 'It was deleted, or its API key was revoked.'],
  webhook_quota_exceeded: ['This API key has 20 webhooks, the maximum', 'Delete one first.'],
  rate_limited: ['Too many requests', 'Wait a minute, then try again.'],
  key_quota_exceeded: [
    'You have used today’s 5 API keys for this network',
    'Use one of those keys, or come back tomorrow.',
  ],
  domain_quota_exceeded: ['Your network has added its 20 domains for today', 'Come back tomorrow.'],
  too_many_streams: ['Too many open inboxes', 'Close some tabs. This page then reconnects by itself.'],
  dns_unavailable: [
    'The DNS servers of this domain did not answer',
    'Nothing has changed. Try again in a minute.',
  ],
  internal_error: ['Something went wrong on the server', 'Try again. If it persists, report the request id.'],
  unavailable: ['The service is not ready', 'Try again in a moment.'],
}

export function inWords(problem: ApiProblem): { title: string; detail: string } {
  const [title, detail] = WORDS[problem.code] ?? [problem.title, problem.detail]
  return { title, detail: detail || problem.detail }
}
