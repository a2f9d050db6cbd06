import type { IncomingMessage } from 'node:http'
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import type { Inbox } from '../../../packages/client/src/inbox.ts'
import { PageKeyStore } from '../../../packages/client/src/keys.ts'
import { Mayfly } from '../../../packages/client/src/mayfly.ts'
import { refuse, sendJson, startStub, type TestProxy } from './proxy.ts'

const EMAIL = {
  id: '01M7XY78NV3PTPJF56WG3ST56J',
  address: 'a+b@mayfly.test',
  from: { name: 'Ann', address: 'ann@shop.example' },
  to: [{ name: null, address: 'a+b@mayfly.test' }],
  cc: [{ name: 'Bob', address: 'bob@shop.example' }],
  subject: 'Hello',
  body_text: 'x',
  codes: ['739105', '111222'],
  links: ['https://shop.example/a'],
  action_link: null,
  attachment_count: 2,
  received_at: '2026-11-23T08:00:00.000Z',
}
const ANSWER = {
  email: { ...EMAIL, attachments: [{ filename: 'a.csv' }] },
  emails: [EMAIL],
  next_cursor: null,
  order: 'oldest',
  deleted: 1,
  domain: 'mayfly.test',
  username: 'bot1',
  key: 'mf_new',
}

/** Requests, time limits and the environment, against a service that answers everything with the same JSON. */
describe('a client', () => {
  let server: TestProxy
  let received: { request: IncomingMessage; body: string }[]
  let refusal: ((response: Parameters<typeof refuse>[0]) => void) | undefined
  let answer: object
  const env = { ...process.env }

  beforeEach(async () => {
    // The clock does not move, so that no duration depends on the machine.
    jest.spyOn(performance, 'now').mockReturnValue(0)
    received = []
    refusal = undefined
    answer = ANSWER
    server = await startStub(async (response, _path, request) => {
      received.push({ request, body: Buffer.concat(await request.toArray()).toString() })
      if (refusal === undefined) sendJson(response, answer)
      else refusal(response)
    })
  })
  afterEach(async () => {
    jest.restoreAllMocks()
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name]
    Object.assign(process.env, env)
    await server.close()
  })

  const client = (more: object = {}) => new Mayfly({ url: server.url, apiKey: 'mf_x', ...more })
  const opened = (more: object = {}) => client(more).inbox({ address: EMAIL.address, history: true })
  /** Too many requests; after some more, no such thing, so that no client asks for ever. */
  const refuseAtFirst = (response: Parameters<typeof refuse>[0]) =>
    received.length > 9
      ? refuse(response, 404, 'not_found')
      : refuse(response, 429, 'rate_limited', { 'Retry-After': '0' })
  const query = (n = -1) =>
    Object.fromEntries(new URL(received.at(n)?.request.url ?? '', server.url).searchParams)

  test('takes its options from the environment unless they are given', async () => {
    Object.assign(process.env, {
      MAYFLY_URL: `${server.url}/`,
      MAYFLY_API_KEY: 'mf_env',
      MAYFLY_DOMAIN_KEY: 'env-secret',
      MAYFLY_TIMEOUT: '7000',
    })
    const seen = async (mayfly: Mayfly) => {
      await (await mayfly.inbox({ address: EMAIL.address, history: true })).waitForMail()
      const { 'x-api-key': key, 'x-domain-key': domainKey } = received.at(-1)?.request.headers ?? {}
      return [mayfly.url, key, domainKey, query().timeout]
    }
    expect(await seen(new Mayfly())).toEqual([server.url, 'mf_env', 'env-secret', '7'])
    process.env.MAYFLY_URL = 'http://127.0.0.1:9'
    const given = client({ domainKey: 'secret', timeout: 24_000 })
    expect(await seen(given)).toEqual([server.url, 'mf_x', 'secret', '24'])
  })

  test('shares the key of a page with other clients', async () => {
    const keys = [new Mayfly({ url: server.url }), new Mayfly({ url: server.url })]
    expect(await Promise.all(keys.map((mayfly) => mayfly.apiKey()))).toEqual(['mf_new', 'mf_new'])
    expect(received).toHaveLength(1)
  })

  test('needs no environment', () => {
    const descriptor = Object.getOwnPropertyDescriptor(globalThis, 'process')!
    Object.defineProperty(globalThis, 'process', { ...descriptor, value: undefined })
    try {
      expect(new Mayfly().url).toBe('http://127.0.0.1:8025')
    } finally {
      Object.defineProperty(globalThis, 'process', descriptor)
    }
  })

  test.each(['-1', 'soon'])('refuses %s as the time-out in its environment', (text) => {
    process.env.MAYFLY_TIMEOUT = '0'
    expect(() => new Mayfly()).not.toThrow()
    process.env.MAYFLY_TIMEOUT = text
    expect(() => new Mayfly()).toThrow(
      `MAYFLY_TIMEOUT must be a number of milliseconds from 0, not "${text}".`,
    )
  })

  test('has a service on this machine unless the environment says otherwise', () => {
    for (const url of [undefined, '']) {
      if (url === undefined) delete process.env.MAYFLY_URL
      else process.env.MAYFLY_URL = url
      expect(new Mayfly().url).toBe('http://127.0.0.1:8025')
    }
  })

  test.each([
    ['http://127.0.0.1:8025//', 'http://127.0.0.1:8025'],
    ['HTTPS://Mail.Example:443/below/?a=1#b', 'https://mail.example/below'],
  ])('of %s has the base URL %s', (url, base) => {
    expect(new Mayfly({ url }).url).toBe(base)
  })

  test('creates a key that says where it comes from', async () => {
    class Own extends Mayfly {
      readonly #store = new PageKeyStore()
      protected override get keyStore() {
        return this.#store
      }
    }
    const mayfly = new Own({ url: server.url })
    expect([await mayfly.apiKey(), await mayfly.apiKey()]).toEqual(['mf_new', 'mf_new'])
    expect(received.map(({ request, body }) => [request.method, request.url, body])).toEqual([
      ['POST', '/api/keys', '{"purpose":"created by @mayfly/client"}'],
    ])
    expect(received[0]?.request.headers).not.toHaveProperty('x-api-key')
    await mayfly.request({ path: '/api/x' })
    expect(received[1]?.request.headers).toMatchObject({ 'x-api-key': 'mf_new' })
  })

  test.each([
    [{ JEST_WORKER_ID: '1' }, '4'],
    [{ VITEST: 'true' }, '4'],
    [{}, '10'],
  ])('in the environment %j waits %s s', async (runner, seconds) => {
    delete process.env.JEST_WORKER_ID
    Object.assign(process.env, runner)
    await (await opened()).waitForMail()
    expect(query().timeout).toBe(seconds)
  })

  test.each([
    [Number.POSITIVE_INFINITY, '25'],
    [60_000, '25'],
    [2400, '3'],
    [900, '1'],
  ])('whose wait may take %d ms asks the service to hold it for %s s', async (timeout, seconds) => {
    await (await opened()).waitForMail({ timeout })
    expect(query()).toEqual({ timeout: seconds, order: 'oldest' })
  })

  test('sends the texts of a filter, and the newest mail when the inbox was opened', async () => {
    const inbox = await client().inbox({ address: EMAIL.address })
    const filter = { from: 'Ann', subject: 'Hell', has: 'code', q: 'x' } as const
    await inbox.waitForMail({ ...filter, timeout: 60_000 })
    expect(query()).toEqual({ ...filter, since: EMAIL.id, timeout: '25', order: 'oldest' })
    await inbox.mails(filter)
    expect(query()).toEqual({ ...filter, since: EMAIL.id, limit: '100' })
    await inbox.mails({ from: /ann/i, subject: /hello/i })
    expect(query()).toEqual({ since: EMAIL.id, limit: '100' })
  })

  const FILTER = { from: 'Ann', subject: 'Hell', q: 'x' }
  const where = () => true

  test.each<[string, object, unknown, (inbox: Inbox) => Promise<unknown>]>([
    [
      'waitForMail()',
      { has: 'link' },
      EMAIL.id,
      async (inbox) => (await inbox.waitForMail({ ...FILTER, has: 'link', where })).id,
    ],
    [
      'waitForMails()',
      { has: 'link' },
      [EMAIL.id],
      async (inbox) =>
        (await inbox.waitForMails({ ...FILTER, count: 1, has: 'link', where })).map(({ id }) => id),
    ],
    ['waitForCode()', { has: 'code' }, '739105', (inbox) => inbox.waitForCode({ ...FILTER, where })],
    [
      'waitForCode() with a pattern',
      {},
      '111222',
      (inbox) => inbox.waitForCode({ ...FILTER, pattern: /^1+2+$/, where }),
    ],
    // This service returns a mail without an action link.
    ['waitForLink()', { has: 'action_link' }, null, (inbox) => inbox.waitForLink({ ...FILTER, where })],
    [
      'waitForLink() with undefined',
      { has: 'action_link' },
      null,
      (inbox) => inbox.waitForLink(undefined, { ...FILTER, where }),
    ],
    [
      'waitForLink() with a match',
      { has: 'link' },
      'https://shop.example/a',
      (inbox) => inbox.waitForLink('shop', { ...FILTER, where }),
    ],
    [
      'expectNoMail()',
      { has: 'link' },
      'unexpected_mail',
      (inbox) =>
        inbox.expectNoMail({ ...FILTER, has: 'link', where, within: 4000 }).catch(({ code }) => code),
    ],
  ])('%s asks for %j besides its filter and returns %j', async (_what, more, result, call) => {
    const inbox = await opened()
    expect(await call(inbox)).toEqual(result)
    expect(received).toHaveLength(1)
    expect(query()).toEqual({ ...FILTER, ...more, timeout: '4', order: 'oldest' })
  })

  test.each<[string, (inbox: Inbox) => Promise<unknown>]>([
    ['code matches', (inbox) => inbox.waitForCode({ pattern: /^y/, where, timeout: 0 })],
    ['link matches', (inbox) => inbox.waitForLink('/other', { where, timeout: 0 })],
    [
      'predicate accepts, with a code that matches',
      (inbox) => inbox.waitForCode({ pattern: /^7/, where: () => false, timeout: 0 }),
    ],
    [
      'predicate accepts, with a link that matches',
      (inbox) => inbox.waitForLink('shop', { where: () => false, timeout: 0 }),
    ],
    // As of a predicate without `return`.
    [
      'predicate answers anything, with a code that matches',
      (inbox) => inbox.waitForCode({ pattern: /^7/, where: (() => {}) as never, timeout: 0 }),
    ],
    [
      'predicate answers anything, with a link that matches',
      (inbox) => inbox.waitForLink('shop', { where: (() => {}) as never, timeout: 0 }),
    ],
  ])('takes no mail of which no %s', async (_what, call) => {
    const inbox = await opened()
    await expect(call(inbox)).rejects.toMatchObject({ code: 'timeout' })
    expect((await inbox.waitForMail({ timeout: 0 })).id).toBe(EMAIL.id)
  })

  test('lists only the mails that its patterns and its predicate accept', async () => {
    const inbox = await opened()
    for (const [filter, count] of [
      [{ subject: /ello/ }, 1],
      [{ subject: /never/ }, 0],
      [{ from: /bob/ }, 0],
      [{ where: () => false }, 0],
    ] as const) {
      expect(await inbox.mails(filter)).toHaveLength(count)
      expect(await inbox.latest(filter)).toEqual(count === 0 ? null : expect.anything())
    }
  })

  test.each([
    [{}, 'bot1@mayfly.test', ['/api/domains/random', '/api/random-username']],
    [{ domain: 'shop.test', prefix: 'SignUp.a!b' }, 'SignUp.a!b-bot1@shop.test', ['/api/random-username']],
    [{ prefix: 'x' }, 'x-bot1@mayfly.test', ['/api/domains/random', '/api/random-username']],
  ])('opens with %j the address %s, without its key', async (options, address, urls) => {
    expect((await client().inbox(options)).address).toBe(address)
    expect(received.map(({ request }) => request.url)).toEqual(urls)
    for (const { request } of received) expect(request.headers).not.toHaveProperty('x-api-key')
  })

  test.each(['', ' ', 'a b', ' a', 'a ', 'a@b', '.a', 'a.', 'a..b', 'ä'])(
    'opens no address that begins with "%s"',
    async (prefix) => {
      await expect(client().inbox({ prefix })).rejects.toMatchObject({
        code: 'invalid_address',
        message: `No address can begin with "${prefix}", which is the prefix.`,
      })
      expect(received).toEqual([])
    },
  )

  test('takes no address as a domain', async () => {
    await expect(client().inbox({ domain: 'jo@shop.test' })).rejects.toMatchObject({
      code: 'invalid_address',
      message: '"jo@shop.test" is no domain. Pass the address of an inbox as `address: \'jo@shop.test\'`.',
    })
    expect(received).toEqual([])
  })

  test('gives a mail with its fields', async () => {
    const mail = await (await opened()).waitForMail()
    expect(JSON.parse(JSON.stringify(mail))).toMatchObject(EMAIL)
    const { id, address, from, to, cc, subject, text, code, codes, links, actionLink, receivedAt } = mail
    expect({ id, address, from, to, cc, subject, codes, links }).toEqual({
      id: EMAIL.id,
      address: EMAIL.address,
      from: EMAIL.from,
      to: EMAIL.to,
      cc: EMAIL.cc,
      subject: EMAIL.subject,
      codes: EMAIL.codes,
      links: EMAIL.links,
    })
    expect([text, code, actionLink, receivedAt]).toEqual([
      'x',
      '739105',
      null,
      new Date('2026-11-23T08:00:00.000Z'),
    ])
  })

  test('gives each attachment its own fields, and none from the eleventh on', async () => {
    const attachments = Array.from({ length: 10 }, (_, n) => ({
      filename: `${n}.pdf`,
      content_type: `application/${n}`,
      size: n,
      inline: n > 5,
    }))
    answer = { ...ANSWER, emails: [{ ...EMAIL, attachment_count: 11, attachments }] }
    const [mail] = await (await opened()).mails()
    expect(
      mail?.attachments.map(({ filename, contentType, size, inline }) => ({
        filename,
        content_type: contentType,
        size,
        inline,
      })),
    ).toEqual([...attachments, {}])
  })

  test('names a mail by its address and id', async () => {
    const inbox = await opened()
    const mail = await inbox.mail('a/b')
    await mail.whole()
    await mail.whole()
    await mail.raw()
    await mail.attachments[1]?.bytes()
    await mail.delete()
    const at = '/api/emails/a%2Bb%40mayfly.test'
    expect(received.map(({ request }) => `${request.method} ${request.url}`)).toEqual([
      `GET ${at}/a%2Fb`,
      `GET ${at}/${EMAIL.id}`,
      `GET ${at}/${EMAIL.id}/raw`,
      `GET ${at}/${EMAIL.id}/attachments/1`,
      `DELETE ${at}/${EMAIL.id}`,
    ])
    expect(await mail.attachments[0]?.info()).toEqual({ filename: 'a.csv' })
    await expect(mail.attachments[1]?.info()).rejects.toThrow('The mail has no attachment 1.')
  })

  test.each<[string, number, (inbox: Inbox, mayfly: Mayfly) => Promise<unknown>]>([
    ['opening an inbox', 4, (_, mayfly) => mayfly.inbox()],
    ['opening an address', 4, (_, mayfly) => mayfly.inbox({ address: 'a@mayfly.test' })],
    ['any other request', 30, (_, mayfly) => mayfly.request({ path: '/api/info' })],
    ['a request with a time-out', 5, (_, mayfly) => mayfly.request({ path: '/api/info' }, { timeout: 5000 })],
    ['a list', 30, (inbox) => inbox.mails()],
    ['a mail', 30, (inbox) => inbox.mail('1')],
    ['a whole mail', 30, async (inbox) => (await inbox.mails())[0]?.whole()],
    ['a raw mail', 30, async (inbox) => (await inbox.mails())[0]?.raw()],
    ['an attachment', 30, async (inbox) => (await inbox.mails())[0]?.attachments[0]?.bytes()],
    ['the deletion of a mail', 30, async (inbox) => (await inbox.mails())[0]?.delete()],
    ['clearing', 30, (inbox) => inbox.clear()],
    ['disposal', 5, (inbox) => inbox[Symbol.asyncDispose]()],
    ['a wait that only looks', 5, (inbox) => inbox.waitForMail({ timeout: 0 })],
    ['a wait', 20, (inbox) => inbox.waitForMail({ timeout: 20_000 })],
    [
      'a wait of a new inbox with the time-out of its client',
      20,
      async () => (await client({ timeout: 20_000 }).inbox()).waitForMail(),
    ],
    [
      'a wait for all mail with the time-out of its client',
      20,
      () => client({ timeout: 20_000 }).waitForMail(),
    ],
    ['a request that is held for 25 s', 35, (inbox) => inbox.waitForMail({ timeout: 60_000 })],
    ['a wait for none', 3, (inbox) => inbox.expectNoMail().catch(() => {})],
  ])('gives %s %d s', async (_what, seconds, call) => {
    const mayfly = client()
    const inbox = await opened()
    const timers = jest.spyOn(AbortSignal, 'timeout')
    await call(inbox, mayfly)
    // A timer is a little longer, because it may fire early.
    expect(new Set(timers.mock.calls.map(([ms]) => Math.floor(ms / 100) / 10))).toEqual(new Set([seconds]))
  })

  test('asks once, for 2 s at most, why a wait found nothing', async () => {
    const inbox = await client().inbox({ address: EMAIL.address })
    answer = { ...ANSWER, email: null, emails: [] }
    const isExplanation = (url = '') => /limit=5$|refusals|emails\?/.test(url)
    refusal = (response) =>
      isExplanation(received.at(-1)?.request.url) ? refuseAtFirst(response) : sendJson(response, answer)
    received = []
    const timers = jest.spyOn(AbortSignal, 'timeout')
    await expect(inbox.waitForMail({ timeout: 0 })).rejects.toMatchObject({ code: 'timeout' })
    expect(received.map(({ request }) => request.url).filter(isExplanation)).toEqual([
      '/api/emails/a%2Bb%40mayfly.test?limit=5',
      '/api/refusals',
      '/api/emails?limit=100&text_limit=0',
    ])
    expect(timers.mock.calls.slice(-3).map(([ms]) => Math.floor(ms / 100) / 10)).toEqual([2, 2, 2])
  })

  test('looks for one mail too many for a second more', async () => {
    const inbox = await opened()
    refusal = (response) =>
      received.filter(({ request }) => request.url?.includes('/wait')).length > 1
        ? refuse(response, 404, 'x')
        : sendJson(response, ANSWER)
    const timers = jest.spyOn(AbortSignal, 'timeout')
    await expect(inbox.waitForMails({ count: 1, exactly: true })).rejects.toMatchObject({ code: 'x' })
    expect(query().timeout).toBe('1')
    expect(Math.floor((timers.mock.lastCall?.[0] ?? 0) / 100)).toBe(10)
  })

  test('tries once to delete the mail of an inbox that is disposed of', async () => {
    const inbox = await opened()
    received = []
    refusal = refuseAtFirst
    await inbox[Symbol.asyncDispose]()
    expect(received).toHaveLength(1)
  })

  test.each([
    ['100%:50%25', '100%:50%'],
    ['ann:%zz', 'ann:%zz'],
    ['ann', 'ann:'],
    [':secret', ':secret'],
  ])('sends the credentials %s of a URL', async (credentials, sent) => {
    await client({ url: server.url.replace('//', `//${credentials}@`) }).request({ path: '/api/info' })
    expect(received[0]?.request.headers.authorization).toBe(`Basic ${btoa(sent)}`)
  })

  test('tries again for 30 s in all', async () => {
    refusal = (response) => refuse(response, 429, 'rate_limited', { 'Retry-After': '30' })
    await expect(client().request({ path: '/api/info' })).rejects.toMatchObject({ code: 'rate_limited' })
    await expect((await opened()).mails()).rejects.toMatchObject({ code: 'rate_limited' })
  })

  test('passes the reason of a signal on', async () => {
    const signal = AbortSignal.abort('by the caller')
    expect(() => client().request({ path: '/api/info' }, { signal })).toThrow('by the caller')
  })
})
