import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import * as limits from '../../core/limits.ts'

const { SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS } = limits
const KIB = 1024
const MIB = 1024 * KIB

/** A page of the documentation in one line. */
const page = (name: string) =>
  readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8').replace(/\s+/g, ' ')
const CONTRACT = page('contract')
/** A number as a page writes it: 22,000. */
const shown = (value: number) => value.toLocaleString('en')

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
  `has to read the emails (\`q\`, \`to\`) examines at most ${limits.SEARCH_READ_BYTES / MIB} MiB of text`,
  `at least ${limits.KEY_MISSING_MS / MINUTE_MS} minutes apart`,
  `Wrong domain keys: ${limits.WRONG_DOMAIN_KEYS_PER_MINUTE} a minute per client address`,
  `Verifications: ${limits.VERIFICATIONS_PER_MINUTE} a minute per client address`,
  `A DNS answer is cached for ${limits.DNS_ANSWER_MS / SECOND_MS} s.`,
  `API key: ${limits.API_KEY_REQUESTS_PER_MINUTE} accepted requests per clock minute`,
  `Keys: ${limits.API_KEYS_PER_CLIENT_PER_DAY} per 24 hours and client address`,
  `New domains: ${limits.DOMAINS_PER_CLIENT_PER_DAY} per 24 hours and client address`,
  `(#5 to #8): ${limits.KEYLESS_REQUESTS_PER_MINUTE} requests a minute per client address`,
  `\`retry: ${limits.RECONNECT_MIN_MS}\`, and an event with a name, an id and data`,
  `a comment is sent at least every ${limits.KEEP_ALIVE_MS / SECOND_MS} s`,
  `precedes the newest ${shown(limits.REPLAY_MAX)}.`,
  `\`GET /api/sse/:address?also=<address>&also=…\`, at most ${limits.STREAM_ADDRESSES_MAX}, each`,
  `${limits.WEBHOOKS_PER_KEY} per key, then 429 \`webhook_quota_exceeded\``,
  `with at most ${limits.WEBHOOK_TEXT_BYTES / KIB} KiB of \`body_text\``,
  `the time-out is ${limits.WEBHOOK_TIMEOUT_MS / SECOND_MS} s`,
  `lists the last ${limits.WEBHOOK_ATTEMPTS_KEPT} attempts`,
  `at most ${limits.WEBHOOK_REQUESTS_PER_KEY} concurrent attempts`,
  `that were redirected to, at most ${limits.LINK_REDIRECTS_MAX};`,
  `${limits.LINK_MS / SECOND_MS} s for a link, ${limits.LINK_CHECK_MS / SECOND_MS} s in all; ${limits.LINK_HOSTS_AT_ONCE} hosts at a time`,
  `${limits.LINK_CHECKS_AT_ONCE} checks at a time in a process`,
  `the last ${limits.REFUSALS_KEPT} recipients and messages that SMTP or a send API refused`,
  `for the retention time (${limits.RETENTION_MS / HOUR_MS} hours by default), up to ${limits.MESSAGE_BYTES / MIB} MB a message`,
  `| MAYFLY_RETENTION_HOURS | ${limits.RETENTION_MS / HOUR_MS} |`,
  `| MAYFLY_MAX_MESSAGE_BYTES | ${limits.MESSAGE_BYTES} |`,
  `JSON answers of ${limits.COMPRESSED_BYTES / KIB} KB and more are compressed`,
  `more than ${limits.SMTP_CONNECTIONS_PER_CLIENT} connections of one client address`,
  `or ${limits.SMTP_COMMANDS_WITHOUT_MAIL} commands (${limits.SMTP_ALL_COMMANDS_WITHOUT_MAIL} with those of mails) without a mail 421`,
  `over ${limits.RECIPIENTS_MAX} recipients 452`,
  `${limits.API_KEY_REQUESTS_PER_MINUTE} requests a minute, ${limits.API_KEY_VALID_MS / DAY_MS} days.`,
  `valid for ${limits.PAGE_SESSION_VALID_MS / HOUR_MS} hours, ${limits.PAGE_SESSION_REQUESTS_PER_MINUTE} requests a minute for all sessions of one client address together`,
])('the contract says "%s"', (sentence) => {
  expect(CONTRACT).toContain(sentence)
})

const { READING_LIMITS } = limits

test.each<[page: string, sentences: string[]]>([
  [
    'security',
    [
      `| DNS queries | ${limits.DNS_QUESTIONS} in ${limits.DNS_ANSWER_MS / SECOND_MS} s, then the newest answer is reused |`,
      `| request body | ${limits.REQUEST_BODY_BYTES / KIB} KiB | request |`,
      `| stored bytes that are read | ${limits.LIST_READ_BYTES / MIB} MiB, with \`q\` ${limits.SEARCH_READ_BYTES / MIB} MiB |`,
      `| stored bytes that are read without giving up the thread | ${limits.PAGE_READ_BYTES / MIB} MiB, about 10 ms;`,
      `of the address with the most bytes is evicted | ${limits.ANSWERS_WAITING_BYTES / MIB} MiB | process |`,
      `| a client that takes nothing | ${limits.STREAM_STALL_MS / SECOND_MS} s | connection |`,
      `| a stream that lags by more than ${limits.STREAM_BACKLOG_BYTES / MIB} MiB | ${limits.STREAM_BACKLOG_MS / SECOND_MS} s | stream |`,
      `| events that wait for one reader | ${limits.STREAM_BURST_BYTES / MIB} MiB | stream |`,
      `| connections that are not accepted yet | ${shown(limits.LISTEN_BACKLOG)}, or`,
      `| idle HTTP connections; above it the oldest are closed | ${limits.IDLE_CONNECTIONS_PER_CLIENT} | client address,`,
      `its address is refused for ${limits.REFUSED_MS / SECOND_MS} s, unless it is a proxy's | ${limits.PIPELINED_MAX}; ${shown(limits.PIPELINED_IN_ALL_MAX)} | connection; process |`,
      `| streams and waits | ${shown(limits.STREAMS_MAX)}; ${shown(limits.STREAMS_PER_CLIENT)} | process; client address |`,
      `The last ${limits.SMTP_CONNECTIONS_RESERVED} SMTP connections and the last ${shown(limits.HTTP_CONNECTIONS_RESERVED)} HTTP connections are kept for clients that hold few`,
      `| replays of streams at once; emails replayed | ${limits.REPLAYS_MAX}; ${shown(limits.REPLAY_MAX)} | process; stream |`,
      `| concurrent attempts | ${limits.WEBHOOK_REQUESTS_PER_KEY}; ${limits.WEBHOOK_REQUESTS_PER_KEY}; ${limits.WEBHOOK_REQUESTS_PER_WEBHOOK}; ${limits.WEBHOOK_REQUESTS_MAX} | API key; target host; webhook; process |`,
      `| checks at once | ${limits.LINK_CHECKS_AT_ONCE}; half of the free ones | process; client address |`,
    ],
  ],
  [
    'configuration',
    [
      `| ${shown(limits.SMTP_CONNECTIONS_MAX)} connections. If all are taken,`,
      `| ${limits.SMTP_CONNECTIONS_PER_CLIENT} connections of one client address`,
      `The last ${limits.SMTP_CONNECTIONS_RESERVED} go to addresses with few connections |`,
      `| ${limits.SMTP_COMMANDS_WITHOUT_MAIL} commands that are not part of a mail`,
      `| ${limits.SMTP_ALL_COMMANDS_WITHOUT_MAIL} commands of any kind since the last mail`,
      `| ${limits.RECIPIENTS_MAX} recipients of one message |`,
    ],
  ],
  [
    'reliability',
    [
      `| one header | ${READING_LIMITS.headerBytes / MIB} MiB, ${shown(READING_LIMITS.headerFields)} fields |`,
      `| encoded words that are decoded in all headers | ${shown(READING_LIMITS.encodedWords)} |`,
      `| parts, and the fields of their headers; multiparts inside one another | ${READING_LIMITS.parts}, ${shown(READING_LIMITS.partFields)}; ${READING_LIMITS.depth}, a deeper one`,
      `| addresses of From, To and Cc | ${READING_LIMITS.addresses} each, from the first ${READING_LIMITS.addressBytes / KIB} KiB |`,
      `| bytes stored beside the raw message | ${READING_LIMITS.derivedFactor} times its size and ${READING_LIMITS.derivedBytes / KIB} KiB |`,
      `(${limits.STREAM_BACKLOG_BYTES / MIB} MiB waiting for ${limits.STREAM_BACKLOG_MS / SECOND_MS} s, ${limits.STREAM_BURST_BYTES / MIB} MiB in all, or nothing taken for ${limits.STREAM_STALL_MS / SECOND_MS} s)`,
      `at most ${limits.REPLAY_BATCH} emails or ${limits.REPLAY_BATCH_BYTES / KIB} KiB at a time`,
    ],
  ],
  [
    'send-apis',
    [
      `(${shown(limits.TEMPLATES_MAX)} at most, ${limits.TEMPLATES_BYTES / MIB} MiB together)`,
      `\`MAYFLY_MAX_MESSAGE_BYTES\` and ${limits.RECIPIENTS_MAX} recipients`,
      `The bodies of all requests together have at most ${limits.SEND_BODIES_BYTES / MIB} MiB`,
      `wait, up to ${shown(limits.SEND_REQUESTS_WAITING)} of them,`,
      `A body up to ${limits.SEND_SMALL_BODY_BYTES / KIB} KiB never waits.`,
      `A body must arrive within ${limits.SEND_BODY_MS / SECOND_MS} s;`,
      `of one content have at most ${limits.SEND_COPIES_BYTES / MIB} MiB together.`,
      `All templates of one request take at most ${limits.TEMPLATE_RENDER_MS / SECOND_MS} s,`,
      `The header fields of a message have at most ${limits.SEND_HEADERS_BYTES / MIB} MiB, the data of an SES template ${limits.TEMPLATE_DATA_BYTES / KIB} KiB.`,
    ],
  ],
])('docs/%s.md has the bounds of the code', (name, sentences) => {
  const text = page(name)
  expect(sentences.filter((sentence) => !text.includes(sentence))).toEqual([])
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
