import { afterEach, describe, expect, test } from '@jest/globals'
import { FILTER_NAMES } from '../../../core/inbox/filter.ts'
import { Mayfly } from '../../../packages/client/src/node.ts'
import { editDistance } from '../../../packages/client/src/options.ts'

/** These tests send no request: the client checks its options first. */
const mayfly = new Mayfly({ url: 'http://127.0.0.1:9', apiKey: 'mf_x' })
const inbox = await new Mayfly({ url: 'http://127.0.0.1:9', apiKey: 'mf_x' }).inbox({
  address: 'bot@mayfly.test',
  history: true,
})

describe('wrong options are a TypeError that names the mistake', () => {
  test.each<[string, (options: never) => unknown, unknown, string]>([
    [
      'a URL',
      (url) => new Mayfly(url),
      'http://127.0.0.1:8025',
      "takes an object such as { url: 'http://127.0.0.1:8025' }, not 'http://127.0.0.1:8025'",
    ],
    ['a typo', (options) => new Mayfly(options), { apikey: 'x' }, '`apikey`. Did you mean `apiKey`?'],
    ['null', (options) => new Mayfly(options), null, 'not null'],
    ['letters swapped', (options) => new Mayfly(options), { ulr: 'x' }, 'Did you mean `url`?'],
    ['another case', (options) => new Mayfly(options), { DOMAINKEY: 'x' }, 'Did you mean `domainKey`?'],
    ['a number', (options) => new Mayfly(options), { url: 5 }, '`url` must be a string, not 5'],
    [
      'a wrong time-out',
      (options) => new Mayfly(options),
      { timeout: '5' },
      "`timeout` must be a number of milliseconds from 0, not '5'",
    ],
  ])('new Mayfly() with %s', (_what, call, options, words) => {
    expect(() => call(options as never)).toThrow(TypeError)
    expect(() => call(options as never)).toThrow(words)
  })

  test.each<[string, (options: never) => Promise<unknown>, unknown, string]>([
    [
      'inbox() with an address',
      (options) => mayfly.inbox(options),
      'me@mayfly.test',
      "takes an object such as { address: 'bot@mayfly.test' }, not 'me@mayfly.test'",
    ],
    [
      'inbox() with a typo',
      (options) => mayfly.inbox(options),
      { adress: 'me@mayfly.test' },
      'Did you mean `address`?',
    ],
    [
      'waitForCode() with a typo',
      (options) => inbox.waitForCode(options),
      { subjct: 'x' },
      'waitForCode() has no option `subjct`. Did you mean `subject`?',
    ],
    [
      'waitForCode() with has',
      (options) => inbox.waitForCode(options),
      { has: 'code' },
      'has no option `has`',
    ],
    ['waitForCode() with a pattern', (options) => inbox.waitForCode(options), /\d/, 'not /\\d/'],
    ['waitForMail() with a string', (options) => inbox.waitForMail(options), 'Welcome', "not 'Welcome'"],
    [
      'waitForMail() with a number',
      (options) => inbox.waitForMail(options),
      { subject: 5 },
      '`subject` must be a string or a RegExp, not 5',
    ],
    [
      'waitForMail() with a wrong has',
      (options) => inbox.waitForMail(options),
      { has: 'codes' },
      "`has` must be one of 'code', 'link', 'action_link', 'attachment', not 'codes'",
    ],
    [
      'waitForMail() with a negative time-out',
      (options) => inbox.waitForMail(options),
      { timeout: -1 },
      '`timeout`',
    ],
    ['waitForMail() with NaN', (options) => inbox.waitForMail(options), { timeout: Number.NaN }, '`timeout`'],
    [
      'waitForMail() with a wrong signal',
      (options) => inbox.waitForMail(options),
      { signal: new AbortController() },
      '`signal` must be an AbortSignal',
    ],
    [
      'waitForMail() with null for a signal',
      (options) => inbox.waitForMail(options),
      { signal: null },
      '`signal` must be an AbortSignal, not null',
    ],
    [
      'waitForMail() with a typo of a name with capitals',
      (options) => inbox.waitForMail(options),
      { ornu: true },
      'Did you mean `orNull`?',
    ],
    [
      'expectNoMail() with a time-out, which it calls otherwise',
      (options) => inbox.expectNoMail(options),
      { timeout: 100 },
      `has no option \`timeout\`. It has: ${[...FILTER_NAMES, 'where', 'signal', 'within'].join(', ')}.`,
    ],
    [
      'waitForMails() without count',
      (options) => inbox.waitForMails(options),
      {},
      '`count` must be a whole number from 1',
    ],
    [
      'waitForMails() with count 0',
      (options) => inbox.waitForMails(options),
      { count: 0 },
      '`count` must be a whole number from 1',
    ],
    ['waitForLink() with a number', (options) => inbox.waitForLink(options), 5, 'not 5'],
    [
      'expectNoMail() with timeout',
      (options) => inbox.expectNoMail(options),
      { timeout: 5 },
      'has no option `timeout`',
    ],
    [
      'waitForMails() with a part',
      (options) => inbox.waitForMails(options),
      { count: 1.5 },
      '`count` must be a whole number from 1, not 1.5',
    ],
    [
      'inbox() with a number for a choice',
      (options) => mayfly.inbox(options),
      { history: 1 },
      '`history` must be true or false, not 1',
    ],
    [
      'waitForCode() with a text for a pattern',
      (options) => inbox.waitForCode(options),
      { pattern: 'x' },
      "`pattern` must be a RegExp, not 'x'",
    ],
    [
      'waitForMail() with a text for a predicate',
      (options) => inbox.waitForMail(options),
      { where: 'x' },
      "`where` must be a function, not 'x'",
    ],
    [
      'waitForMail() with a number for a text',
      (options) => inbox.waitForMail(options),
      { q: 5 },
      '`q` must be a string, not 5',
    ],
    [
      'waitForLink() with wrong options behind a match',
      (options) => inbox.waitForLink('/terms', options),
      { has: 'link' },
      'waitForLink() has no option `has`',
    ],
    [
      'waitForMail() with the name of a method of all objects',
      (options) => inbox.waitForMail(options),
      { constructor: 'x' },
      'has no option `constructor`',
    ],
    [
      'expectNoMail() with a wrong time',
      (options) => inbox.expectNoMail(options),
      { within: -1 },
      'expectNoMail(): `within` must be a number of milliseconds from 0, not -1',
    ],
    [
      'expectNoMail() with orNull',
      (options) => inbox.expectNoMail(options),
      { orNull: true },
      'has no option `orNull`',
    ],
    [
      'request() with a typo',
      async (options) => mayfly.request({ path: '/api/info' }, options),
      { timeoutMs: 5 },
      'request() has no option `timeoutMs`. Did you mean `timeout`?',
    ],
    ...(
      [
        [undefined, "`path` must be a path that begins with a slash, such as '/api/info', not ''"],
        [{}, "`path` must be a path that begins with a slash, such as '/api/info', not ''"],
        [
          { path: 'api/info' },
          "`path` must be a path that begins with a slash, such as '/api/info', not 'api/info'",
        ],
        [
          { path: '/api/info', method: 'CONNECT' },
          "`method` must be 'GET', 'POST' or 'DELETE', not 'CONNECT'",
        ],
        [{ path: '/api/info', query: 'x=1' }, "`query` must be an object, not 'x=1'"],
        [{ path: '/api/info', body: {} }, "a `body` needs a `method` such as 'POST'"],
        [{ path: '/api/info', method: 'POST', body: 1n }, 'BigInt'],
        [{ path: '/api/info', method: 'POST', body: () => {} }, '`body` must be JSON'],
        [{ path: '/api/info', open: 'yes' }, "`open` must be true or false, not 'yes'"],
        [{ path: '/api/info', headers: {} }, 'request() has no option `headers`'],
      ] as const
    ).map(
      ([request, words]) =>
        [
          `request() of ${String(request && Object.entries(request))}`,
          async (wrong: never) => mayfly.request(wrong),
          request,
          words,
        ] as [string, (options: never) => Promise<unknown>, unknown, string],
    ),
    ['mail() with an empty id', (options) => inbox.mail(options), '', 'takes the id of a mail'],
    ['latest() with a typo', (options) => inbox.latest(options), { SUBJCT: 'x' }, 'Did you mean `subject`?'],
    ['mails() with a typo', (options) => inbox.mails(options), { form: 'x' }, 'Did you mean `from`?'],
    ['mail() without an id', (options) => inbox.mail(options), undefined, 'takes the id of a mail'],
    [
      'stream() with a typo',
      (options) => inbox.stream(options).next(),
      { sinal: 1 },
      'Did you mean `signal`?',
    ],
  ])('%s', async (_what, call, options, words) => {
    const error = await call(options as never).then(
      () => undefined,
      (reason: unknown) => reason,
    )
    expect(error).toBeInstanceOf(TypeError)
    expect((error as Error).message).toContain(words)
  })
})

const FILTERS = [...FILTER_NAMES, 'where']
const WAIT = [...FILTERS, 'timeout', 'signal', 'orNull']
const WAIT_FOR_KIND = WAIT.filter((name) => name !== 'has')
const SUBJECT = "{ subject: 'Welcome' }"

/** Every call that has options, with the options that it has, in the order in which messages name them. */
test.each<[call: string, make: (options: never) => unknown, example: string, options: string[]]>([
  [
    'inbox()',
    (wrong) => mayfly.inbox(wrong),
    "{ address: 'bot@mayfly.test' }",
    ['domain', 'prefix', 'address', 'history'],
  ],
  ['mails()', (wrong) => mayfly.mails(wrong), "{ to: 'jo@example.com' }", FILTERS],
  ['waitForMail()', (wrong) => mayfly.waitForMail(wrong), "{ to: 'jo@example.com' }", WAIT],
  ['clear()', (wrong) => mayfly.clear(wrong), "{ to: 'jo@example.com' }", FILTER_NAMES],
  ['stream()', (wrong) => mayfly.stream(wrong).next(), '{ signal: controller.signal }', ['signal']],
  [
    'request()',
    async (wrong) => mayfly.request({ path: '/api/info' }, wrong),
    '{ timeout: 5_000 }',
    ['timeout', 'signal'],
  ],
  ['waitForMail()', (wrong) => inbox.waitForMail(wrong), SUBJECT, WAIT],
  ['waitForMails()', (wrong) => inbox.waitForMails(wrong), '{ count: 2 }', [...WAIT, 'count', 'exactly']],
  ['waitForCode()', (wrong) => inbox.waitForCode(wrong), SUBJECT, [...WAIT_FOR_KIND, 'pattern']],
  ['waitForLink()', (wrong) => inbox.waitForLink(undefined, wrong), SUBJECT, WAIT_FOR_KIND],
  [
    'expectNoMail()',
    (wrong) => inbox.expectNoMail(wrong),
    '{ within: 2_000 }',
    [...FILTERS, 'signal', 'within'],
  ],
  ['mails()', (wrong) => inbox.mails(wrong), SUBJECT, FILTERS],
  ['mails()', (wrong) => inbox.latest(wrong), SUBJECT, FILTERS],
  ['stream()', (wrong) => inbox.stream(wrong).next(), '{ signal: controller.signal }', ['signal']],
])('%s names itself, an example and its options', async (call, make, example, options) => {
  const message = (wrong: unknown) =>
    (async () => make(wrong as never))().catch(({ message }: Error) => message)
  const named = `${call} has no option \`unknownOption\`. It has: ${options.join(', ')}.`
  expect([await message({ unknownOption: 1 }), await message(/x/)]).toEqual([
    named,
    `${call} takes an object such as ${example}, not /x/.`,
  ])
})

describe('a key', () => {
  afterEach(() => {
    delete process.env.MAYFLY_API_KEY
  })

  test.each([' mf_x', 'mf_x\n', '\tmf_x\r\n'])('is %j without its white space', async (key) => {
    expect(await new Mayfly({ apiKey: key }).apiKey()).toBe('mf_x')
    process.env.MAYFLY_API_KEY = key
    expect(await new Mayfly().apiKey()).toBe('mf_x')
  })

  test.each(['secret\nsecret', 'secret€', 'clé', 'secret\0'])(
    'with a character that no key has is refused: %j',
    (key) => {
      const words = (option: string, variable: string) =>
        new TypeError(`\`${option}\` or ${variable} has a character that no key has.`)
      expect(() => new Mayfly({ apiKey: key })).toThrow(words('apiKey', 'MAYFLY_API_KEY'))
      expect(() => new Mayfly({ domainKey: key })).toThrow(words('domainKey', 'MAYFLY_DOMAIN_KEY'))
    },
  )
})

test.each([
  ['', '', 0],
  ['abc', '', 3],
  ['', 'abc', 3],
  ['abc', 'abc', 0],
  ['abc', 'abd', 1],
  ['abc', 'xbc', 1],
  ['abc', 'ac', 1],
  ['ac', 'abc', 1],
  ['abc', 'bc', 1],
  ['abcd', 'badc', 3],
  ['kitten', 'sitting', 3],
  ['saturday', 'sunday', 3],
  ['timeout', 'within', 6],
  ['aaaa', 'bbbb', 4],
])('from "%s" to "%s" there are %d edits', (a, b, edits) => {
  expect([editDistance(a, b), editDistance(b, a)]).toEqual([edits, edits])
})

test('an option that is undefined counts as not given', async () => {
  expect(new Mayfly({ url: undefined, timeout: undefined } as object).url).toBe('http://127.0.0.1:8025')
})

test.each([
  ['http://a.test/', 'http://a.test'],
  ['http://a.test//', 'http://a.test'],
  ['HTTP://A.Test:80/below//?a=1#b', 'http://a.test/below'],
])('the URL %s is that of the service at %s', (given, url) => {
  expect(new Mayfly({ url: given, apiKey: 'mf_x' }).url).toBe(url)
})
