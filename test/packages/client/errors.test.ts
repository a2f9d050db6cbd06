import { describe, expect, test } from '@jest/globals'
import { MayflyError, problemError } from '../../../packages/client/src/errors.ts'
import type { Http } from '../../../packages/client/src/http.ts'
import { Mail } from '../../../packages/client/src/mail.ts'
import { MailTimeoutError, UnexpectedMailError } from '../../../packages/client/src/wait-errors.ts'
import type { Email, Problem } from '../../../packages/client/src/wire.ts'

const problem = { title: 'Title', detail: 'Detail.', status: 429, request_id: 'r1' } as Problem

test.each([
  [
    'api_key_invalid',
    'Does MAYFLY_API_KEY (or `apiKey`) belong to this service? Without it, a key is created automatically.',
  ],
  ['api_key_expired', 'Without MAYFLY_API_KEY (or `apiKey`), a new key is created automatically.'],
  ['key_quota_exceeded', 'Set MAYFLY_API_KEY (or `apiKey`) to a key that you have.'],
  ['domain_key_missing', 'Pass it as `new Mayfly({ domainKey })`, or set MAYFLY_DOMAIN_KEY.'],
  [
    'domain_not_found',
    'GET /api/domains lists the domains of this service; `inbox({ domain })` selects one.',
  ],
  [
    'rate_limited',
    'All workers that share a key share its 120 requests a minute, which is about 60 tests with one wait each. ' +
      'Your own service has no limit for you: set MAYFLY_API_KEYS there and MAYFLY_API_KEY here to the same key. ' +
      'On a service of others, give each worker a key of its own, or allow more time with `timeout`.',
  ],
])('the error %s says what to do', (code, words) => {
  const error = problemError({ ...problem, code })
  expect(error).toMatchObject({ name: 'MayflyError', code, status: 429, requestId: 'r1' })
  expect(error.message).toBe(`Title. Detail. ${words}`)
})

test('an error without advice has the words of the service', () => {
  expect(problemError({ ...problem, code: 'x' }).message).toBe('Title. Detail.')
})

function mail(more: Partial<Email> = {}): Mail {
  const from = { name: 'Ann', address: 'ann@shop.example' }
  const received_at = '2026-11-23T08:00:00Z'
  const email = { from, subject: 'Hello', codes: [], links: [], action_link: null, received_at, ...more }
  return new Mail(email as Partial<Email> as Email, {} as Http)
}

const NOTHING = { arrived: [], earlier: [], refused: [] }
const AT = '  2026-11-23T08:00:00.000Z'
const action_link = { url: 'https://shop.example/a', text: 'Confirm', kind: 'confirm' } as const

test.each<[Partial<Email>, string]>([
  [{}, `${AT}  ann@shop.example  "Hello"  (no codes, no links)`],
  [{ from: { name: 'Ann', address: null } }, `${AT}  Ann  "Hello"  (no codes, no links)`],
  [{ from: { name: null, address: null } }, `${AT}  unknown sender  "Hello"  (no codes, no links)`],
  [{ codes: ['1'], links: ['a'] }, `${AT}  ann@shop.example  "Hello"  (1 code, 1 link, no action link)`],
  [
    { codes: ['1', '2'], links: ['a', 'b'], action_link },
    `${AT}  ann@shop.example  "Hello"  (2 codes, 2 links)`,
  ],
])('an error shows the mail %j in a line', (more, line) => {
  const arrived = [mail(more), mail()]
  const error = new MailTimeoutError(
    'a@mayfly.test',
    'code',
    { waitedMs: 1260, timeout: 1260 },
    { ...NOTHING, arrived },
  )
  expect(error.message).toBe(
    `No code arrived for a@mayfly.test within 1.3 s. These mails arrived:\n${line}\n${AT}  ann@shop.example  "Hello"  (no codes, no links)`,
  )
  expect(error).toMatchObject({
    name: 'MailTimeoutError',
    code: 'timeout',
    filter: 'code',
    waitedMs: 1260,
    arrived,
  })
  const unexpected = new UnexpectedMailError('a@mayfly.test', mail(more))
  expect(unexpected.message).toBe(`Expected no mail for a@mayfly.test, but this one arrived:\n${line}`)
  expect(unexpected).toMatchObject({ name: 'UnexpectedMailError', code: 'unexpected_mail' })
  expect(unexpected.mail.subject).toBe('Hello')
  expect([error instanceof MayflyError, unexpected instanceof MayflyError]).toEqual([true, true])
})

describe('a time-out that finds nothing says what it can', () => {
  const message = (
    found: Partial<typeof NOTHING>,
    waited = { waitedMs: 2000, timeout: undefined as number | undefined },
  ) => new MailTimeoutError('a@mayfly.test', 'mail', waited, { ...NOTHING, ...found }).message

  test('nothing at all', () => {
    expect(message({})).toBe(
      'No mail arrived for a@mayfly.test within 2 s. No other mail arrived either. Was it sent to this address, and to this service?',
    )
  })

  test('mail from before the inbox was opened, with the way out', () => {
    expect(message({ earlier: [mail({ subject: 'Early' })] as never })).toBe(
      `No mail arrived for a@mayfly.test within 2 s. Before this inbox was opened, there arrived:\n${AT}  ann@shop.example  "Early"  (no codes, no links)\nPass \`history: true\` to \`inbox()\`, or open the inbox before the mail is sent.`,
    )
  })

  test('refusals, beside mails that arrived', () => {
    const refused = [
      { at: '2026-11-23T08:00:00.000Z', recipient: 'a@mayfly.tset', code: 550, reply: '5.1.2 No.' },
    ]
    expect(message({ arrived: [mail()], refused } as never)).toBe(
      `No mail arrived for a@mayfly.test within 2 s.\nThese mails arrived:\n${AT}  ann@shop.example  "Hello"  (no codes, no links)\nThe service refused:\n  2026-11-23T08:00:00.000Z  a@mayfly.tset  550 5.1.2 No.`,
    )
  })

  test('mail of a similar address, one line each', () => {
    // The clock of the service may be ahead.
    const stray = ['a@mayfly.tset', 'b@mayfly.test'].map((address, i) =>
      mail({ address, received_at: new Date(Date.now() + 9000 - 12_000 * i).toISOString() }),
    )
    expect(message({ stray } as never)).toBe(
      'No mail arrived for a@mayfly.test within 2 s.\n' +
        'Mail for a@mayfly.tset arrived 0 s ago; this inbox is a@mayfly.test.\n' +
        'Mail for b@mayfly.test arrived 3 s ago; this inbox is a@mayfly.test.',
    )
  })

  test('the page that shows the wait, if the service has one', () => {
    const of = (activityUrl: string | null) => {
      const waited = { waitedMs: 2000, timeout: undefined }
      const error = new MailTimeoutError('a@mayfly.test', 'mail', waited, { ...NOTHING, activityUrl })
      return [error.activityUrl, error.message.split('\n')[1]]
    }
    expect([of(null), of('http://a.test')]).toEqual([
      [null, undefined],
      ['http://a.test', 'Why: http://a.test'],
    ])
  })

  test('a time-out of a few milliseconds was perhaps meant in seconds', () => {
    expect(message({}, { waitedMs: 41, timeout: 30 })).toContain(
      'within 30 ms (`timeout` is in milliseconds).',
    )
    expect(message({}, { waitedMs: 125, timeout: 120 })).toContain('within 120 ms (')
    expect(message({}, { waitedMs: 125, timeout: 121 })).toContain('within 121 ms.')
    expect(message({}, { waitedMs: 210, timeout: 200 })).toContain('within 200 ms.')
    expect(message({}, { waitedMs: 1000, timeout: 1000 })).toContain('within 1 s.')
    expect(message({}, { waitedMs: 2, timeout: 0 })).toContain('within 0 s.')
  })
})
