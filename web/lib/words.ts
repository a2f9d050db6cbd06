import type { ApiProblem } from './problem.ts'

/** What a person is told of a refusal: what happened, and what to do. The API's own words are for programs. */
const WORDS: Partial<Record<ApiProblem['code'], [what: string, todo: string]>> = {
  invalid_address: [
    'This is not an e-mail address',
    'An address looks like name@example.com: letters, digits, dots and dashes before the @, a domain after it.',
  ],
  invalid_domain: ['This is not a domain name', 'A domain looks like example.com.'],
  api_key_missing: ['This needs an API key', 'Take one for free on the Keys page.'],
  api_key_invalid: [
    'This API key is not known here',
    'Copy it again, whole, or take a new one on the Keys page.',
  ],
  api_key_expired: [
    'This API key has expired',
    'Keys are good for 30 days. Take a new one on the Keys page.',
  ],
  domain_key_missing: ['This domain is private', 'Enter its domain key.'],
  domain_key_invalid: [
    'This is not the key of the domain',
    'Check it, or verify the domain again if you changed it.',
  ],
  domain_not_found: [
    'Mail for this domain does not arrive here',
    'Choose another domain, or point this one here.',
  ],
  email_not_found: ['This mail is gone', 'It was deleted, or its time was up.'],
  attachment_not_found: ['This attachment is gone', 'Its mail was deleted, or its time was up.'],
  rate_limited: [
    'That was a lot in one minute',
    'Wait a moment; it goes on by itself when the minute is over.',
  ],
  key_quota_exceeded: [
    'No more keys for your network today',
    'Enter a key that you have, or come back tomorrow. Reading text and copying codes works without one.',
  ],
  domain_quota_exceeded: ['Too many new domains from your network today', 'Come back tomorrow.'],
  too_many_streams: [
    'Too many open inboxes',
    'Close tabs that you no longer need; this one tries again by itself.',
  ],
  dns_unavailable: [
    'The DNS servers of the domain did not answer',
    'Nothing was changed. Check again in a minute.',
  ],
  internal_error: [
    'Something went wrong on our side',
    'Try again. If it stays, tell the operator the request number.',
  ],
  unavailable: ['The service is not ready just now', 'Try again in a moment.'],
}

export function inWords(problem: ApiProblem): { title: string; detail: string } {
  const [title, detail] = WORDS[problem.code] ?? [problem.title, problem.detail]
  return { title, detail }
}
