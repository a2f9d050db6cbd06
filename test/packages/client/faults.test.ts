import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { Mayfly } from '../../../packages/client/src/node.ts'
import { type RunningMayfly, startMayfly } from '../../../packages/mayfly/src/start.ts'
import { sendMail } from '../../support/mail.ts'
import { refuse, sendJson, startProxy, startStub, type TestProxy } from './proxy.ts'

/** Faults that the service itself does not produce: other servers, proxies, and rate limits. */
describe('faults', () => {
  let service: RunningMayfly
  let open: TestProxy[] = []

  beforeAll(async () => {
    service = await startMayfly()
  })
  afterAll(() => service?.stop())
  afterEach(async () => {
    await Promise.all(open.map((server) => server.close()))
    open = []
  })

  const proxy = async (...args: Parameters<typeof startProxy>) => opened(await startProxy(...args))
  const stub = async (...args: Parameters<typeof startStub>) => opened(await startStub(...args))
  function opened(server: TestProxy): TestProxy {
    open.push(server)
    return server
  }

  test('without a server the error says so at once, and what to do', async () => {
    const { url, close } = await startStub(() => {})
    await close()
    await expect(new Mayfly({ url, apiKey: 'mf_x' }).inbox()).rejects.toMatchObject({
      code: 'unreachable',
      message: `No service answers at ${url} (ECONNREFUSED). Start one with \`mayfly\`, or set MAYFLY_URL (or \`url\`) to the URL of yours.`,
    })
  })

  test('for a foreign server the error says so at once', async () => {
    const { url } = await stub((response) => response.end('<html>'))
    await expect(new Mayfly({ url, apiKey: 'mf_x' }).inbox()).rejects.toMatchObject({
      code: 'not_mayfly',
      message: expect.stringContaining('without /api'),
    })
  })

  test('a refusal is no sign of a URL that ends with /api', async () => {
    const { url } = await stub((response) => refuse(response, 403, 'domain_key_invalid'))
    await expect(new Mayfly({ url: `${url}/api`, apiKey: 'mf_x' }).inbox()).rejects.toMatchObject({
      code: 'domain_key_invalid',
    })
  })

  test('a mail that could not be read is read again', async () => {
    let refusals = 0
    const email = { id: '01', address: 'a@x.test' }
    const { url } = await stub((response, path) => {
      if (!path.endsWith('/01')) sendJson(response, { emails: [email], next_cursor: null })
      else if (refusals++ === 0) refuse(response, 500, 'internal_error')
      else sendJson(response, { email: { ...email, body_html: '<p>Hello' } })
    })
    const inbox = await new Mayfly({ url, apiKey: 'mf_x' }).inbox({ address: 'a@x.test', history: true })
    const [mail] = await inbox.mails()
    await expect(mail!.html()).rejects.toMatchObject({ code: 'internal_error' })
    expect([await mail!.html(), await mail!.html(), refusals]).toEqual(['<p>Hello', '<p>Hello', 2])
  })

  test.each([
    [429, { 'Retry-After': '1' }],
    [503, {}],
    [502, {}],
    [504, {}],
  ])(
    'a response %d is followed by another attempt, after the time in Retry-After',
    async (status, headers) => {
      let refusals = 0
      const { url } = await proxy(service.url, {
        answer: (response, path) => {
          if (!path.includes('/wait') || refusals > 0) return false
          refusals++
          refuse(response, status, 'rate_limited', headers)
          return true
        },
      })
      const inbox = await new Mayfly({ url, apiKey: service.apiKey }).inbox()
      const code = inbox.waitForCode({ timeout: 20_000 })
      await sendMail(service.smtp, { to: inbox.address, text: 'Your code is 445566.' })
      expect(await code).toBe('445566')
      expect(refusals).toBe(1)
    },
  )

  test('for a rate limit that lasts longer than the time-out, the error says what to do', async () => {
    const { url, requests } = await proxy(service.url, {
      answer: (response, path) => {
        if (path.includes('/wait')) refuse(response, 429, 'rate_limited', { 'Retry-After': '59' })
        return path.includes('/wait')
      },
    })
    const inbox = await new Mayfly({ url, apiKey: 'mf_x' }).inbox()
    await expect(inbox.waitForCode()).rejects.toMatchObject({
      code: 'rate_limited',
      message: expect.stringContaining('MAYFLY_API_KEYS'),
    })
    expect(requests.filter((request) => request.includes('/wait'))).toHaveLength(1)
  })

  test('a key quota that lasts longer than the time-out is an error at once', async () => {
    const { url } = await stub((response) =>
      refuse(response, 429, 'key_quota_exceeded', { 'Retry-After': '3600' }),
    )
    await expect(new Mayfly({ url }).apiKey()).rejects.toMatchObject({ code: 'key_quota_exceeded' })
  })

  test('a mail that could not be read is requested again by the next call', async () => {
    let requests = 0
    const { url } = await stub((response) => {
      if (++requests === 2) refuse(response, 500, 'internal_error')
      else sendJson(response, { email: { ...EMAIL, body_html: '<b>Hello</b>' } })
    })
    const inbox = await new Mayfly({ url, apiKey: 'mf_x' }).inbox({ address: EMAIL.address, history: true })
    const mail = await inbox.mail(EMAIL.id)
    await expect(mail.html()).rejects.toMatchObject({ code: 'internal_error' })
    expect([await mail.html(), await mail.html(), requests]).toEqual(['<b>Hello</b>', '<b>Hello</b>', 3])
  })

  test('an answer that breaks off is requested again', async () => {
    let requests = 0
    const { url } = await stub((response) => {
      if (++requests > 1) return sendJson(response, { email: EMAIL })
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000' })
      response.write('{"email":', () => response.destroy())
    })
    const inbox = await new Mayfly({ url, apiKey: 'mf_x' }).inbox({ address: EMAIL.address, history: true })
    expect([(await inbox.mail(EMAIL.id)).id, requests]).toEqual([EMAIL.id, 2])
  })

  test('a redirect to another server is followed without the keys', async () => {
    const received: unknown[] = []
    const bucket = await stub((response, _path, { headers }) => {
      received.push([headers['x-api-key'], headers['x-domain-key']])
      response.end('raw message')
    })
    const { url } = await stub((response, path) => {
      if (path.endsWith('/raw')) response.writeHead(302, { Location: `${bucket.url}/object` }).end()
      else sendJson(response, { email: EMAIL })
    })
    const mayfly = new Mayfly({ url, apiKey: 'mf_secret', domainKey: 'secret' })
    const mail = await (await mayfly.inbox({ address: 'a@mayfly.test', history: true })).mail(EMAIL.id)
    expect(new TextDecoder().decode(await mail.raw())).toBe('raw message')
    expect(received).toEqual([[undefined, undefined]])
  })
})

const EMAIL = {
  id: '01M7XY78NV3PTPJF56WG3ST56J',
  address: 'a@mayfly.test',
  codes: [],
  links: [],
  attachment_count: 0,
  attachments: [],
}
