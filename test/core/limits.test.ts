import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import * as limits from '../../core/limits.ts'

const { SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS } = limits
const KIB = 1024
const MIB = 1024 * KIB

/** The contract in one line. */
const CONTRACT = readFileSync(new URL('../../docs/contract.md', import.meta.url), 'utf8').replace(/\s+/g, ' ')

test('units of time are those of the clock', () => {
  const midnight = Date.UTC(2026, 0, 1)
  expect(midnight + DAY_MS).toBe(Date.UTC(2026, 0, 2))
  expect(midnight + HOUR_MS).toBe(Date.UTC(2026, 0, 1, 1))
  expect(midnight + MINUTE_MS).toBe(Date.UTC(2026, 0, 1, 0, 1))
  expect(midnight + SECOND_MS).toBe(Date.UTC(2026, 0, 1, 0, 0, 1))
})

test.each([
  `at most ${limits.SUMMARY_TEXT_BYTES / KIB} KiB, cut at a character boundary`,
  `confirmation links first, without duplicates, at most ${limits.LINKS_MAX} |`,
  `\`timeout\` seconds (1 to ${limits.WAIT_MAX_SECONDS}, default ${limits.WAIT_DEFAULT_SECONDS})`,
  `{success, limit: ${limits.API_KEYS_PER_CLIENT_PER_DAY}, remaining, resets_at}`,
  `rate_limit: {limit: ${limits.API_KEY_REQUESTS_PER_MINUTE}, window_seconds: 60}`,
  `JSON \`{purpose}\` with at most ${limits.PURPOSE_MAX_CHARACTERS} characters`,
  `\`limit\` 1 to ${limits.LIST_MAX} (default ${limits.LIST_DEFAULT})`,
  `\`text_limit\` 0 to ${limits.SUMMARY_TEXT_BYTES} (bytes`,
  `ends when its JSON reaches ${limits.LIST_BYTES / MIB} MiB`,
  `with \`q\` examines at most ${limits.SEARCH_READ_BYTES / MIB} MiB of text`,
  `at least ${limits.KEY_MISSING_MS / MINUTE_MS} minutes apart`,
  `Wrong domain keys: ${limits.WRONG_DOMAIN_KEYS_PER_MINUTE} a minute per client address`,
  `Verifications: ${limits.VERIFICATIONS_PER_MINUTE} a minute per client address`,
  `A DNS answer is cached for ${limits.DNS_ANSWER_MS / SECOND_MS} s.`,
  `API key: ${limits.API_KEY_REQUESTS_PER_MINUTE} accepted requests per clock minute`,
  `Keys: ${limits.API_KEYS_PER_CLIENT_PER_DAY} per 24 hours and client address`,
  `New domains: ${limits.DOMAINS_PER_CLIENT_PER_DAY} per 24 hours and client address`,
  `(#5 to #8): ${limits.KEYLESS_REQUESTS_PER_MINUTE} requests a minute per client address`,
  `\`retry: ${limits.RECONNECT_MIN_MS}\` and a comment`,
  `a comment is sent at least every ${limits.KEEP_ALIVE_MS / SECOND_MS} s`,
  `precedes the newest ${limits.REPLAY_MAX.toLocaleString('en')}.`,
  `\`GET /api/sse/:address?also=<address>&also=…\`, at most ${limits.STREAM_ADDRESSES_MAX}, each`,
  `${limits.WEBHOOKS_PER_KEY} per key, then 429 \`webhook_quota_exceeded\``,
  `with at most ${limits.WEBHOOK_TEXT_BYTES / KIB} KiB of \`body_text\``,
  `the time-out is ${limits.WEBHOOK_TIMEOUT_MS / SECOND_MS} s`,
  `lists the last ${limits.WEBHOOK_ATTEMPTS_KEPT} attempts`,
  `at most ${limits.WEBHOOK_REQUESTS_PER_KEY} concurrent attempts`,
  `that were redirected to, at most ${limits.LINK_REDIRECTS_MAX};`,
  `${limits.LINK_MS / SECOND_MS} s for a link, ${limits.LINK_CHECK_MS / SECOND_MS} s in all; ${limits.LINK_HOSTS_AT_ONCE} hosts at a time`,
  `${limits.LINK_CHECKS_AT_ONCE} checks at a time in a process`,
  `for the retention time (${limits.RETENTION_MS / HOUR_MS} hours by default), up to ${limits.MESSAGE_BYTES / MIB} MB a message`,
  `| MAYFLY_RETENTION_HOURS | ${limits.RETENTION_MS / HOUR_MS} |`,
  `| MAYFLY_MAX_MESSAGE_BYTES | ${limits.MESSAGE_BYTES} |`,
  `JSON answers of ${limits.COMPRESSED_BYTES / KIB} KB and more are compressed`,
  `more than ${limits.SMTP_CONNECTIONS_PER_CLIENT} connections of one client address`,
  `or ${limits.SMTP_COMMANDS_WITHOUT_MAIL} commands without a mail 421`,
  `over ${limits.RECIPIENTS_MAX} recipients 452`,
  `${limits.API_KEY_REQUESTS_PER_MINUTE} requests a minute, ${limits.API_KEY_VALID_MS / DAY_MS} days.`,
  `valid for ${limits.PAGE_SESSION_VALID_MS / HOUR_MS} hours, ${limits.PAGE_SESSION_REQUESTS_PER_MINUTE} requests a minute, ${limits.PAGE_SESSIONS_PER_CLIENT_PER_DAY} sessions a day per client address`,
])('the contract says "%s"', (sentence) => {
  expect(CONTRACT).toContain(sentence)
})

test('an answer fits into what carries it', () => {
  // Standard Webhooks: receivers accept 20 KB.
  expect(limits.WEBHOOK_BODY_BYTES).toBeLessThan(20_000)
  // API Gateway ends a request after 29 s.
  expect(limits.LINK_CHECK_MS).toBeLessThan(29 * SECOND_MS)
  expect(limits.WAIT_MAX_SECONDS).toBeLessThan(29)
  // One mail to as many recipients as there may be is no reason to evict a stream.
  expect(limits.STREAM_BURST_BYTES).toBeGreaterThan(2 * limits.RECIPIENTS_MAX * limits.SUMMARY_TEXT_BYTES)
  // A key that hangs leaves places of its host to others, and so does one webhook to those of its key.
  expect(2 * limits.WEBHOOK_REQUESTS_PER_WEBHOOK).toBeLessThan(limits.WEBHOOK_REQUESTS_PER_KEY)
})
