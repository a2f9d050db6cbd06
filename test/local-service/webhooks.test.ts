import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { Webhook } from 'standardwebhooks'
import { eventually } from '../support/eventually.ts'
import { freshAddress, sendMail } from '../support/mail.ts'
import { type RunningService, startService } from '../support/service.ts'

interface Received {
  path: string
  headers: Record<string, string>
  body: string
}

/** How the target answers a request; by default with 204. */
type Answer = (request: IncomingMessage, response: ServerResponse) => void

const OPERATOR = 'the-key-of-the-operator'

const OK: Answer = (_request, response) => response.writeHead(204).end()

/** The fields of an API response. */
interface Json {
  [name: string]: unknown
}

describe('webhooks of one machine', () => {
  let service: RunningService
  let key: string
  let server: Server
  let target: string
  let received: Received[] = []
  const answers = new Map<string, Answer>()

  beforeAll(async () => {
    service = await startService({
      MAYFLY_DOMAINS: 'mayfly.test,private.test=open sesame',
      MAYFLY_API_KEYS: OPERATOR,
    })
    key = await newKey()
    server = createServer(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      const isPing = JSON.parse(body).type === 'ping'
      const path = isPing ? `${request.url!} ping` : request.url!
      received.push({ path, headers: request.headers as Record<string, string>, body })
      ;(answers.get(path) ?? OK)(request, response)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(async () => {
    server?.closeAllConnections()
    server?.close()
    await service?.stop()
  })
  beforeEach(() => {
    received = []
  })

  async function call(
    method: string,
    path: string,
    body?: object,
    headers?: Record<string, string>,
  ): Promise<Json> {
    const response = await fetch(service.http + path, {
      method,
      headers: headers ?? { 'X-API-Key': key },
      ...(body && { body: JSON.stringify(body) }),
    })
    // The status of a webhook overrides the HTTP status in the result.
    return { status: response.status, ...((await response.json()) as object) } as Json
  }

  const send = (to: string, subject: string, more: object = {}) =>
    sendMail(service.smtp, { to, subject, text: 'Your code is 482913', ...more })

  const newKey = async () => (await call('POST', '/api/keys', undefined, {})).key as string

  const at = (path: string) => received.filter((one) => one.path === path)

  const requests = (path: string, count: number) =>
    eventually(
      `${count} requests to ${path}`,
      () => at(path),
      ({ length }) => length >= count,
    )

  const deliveriesOf = (id: unknown, isEnough: (deliveries: Json[]) => boolean) =>
    eventually(
      'the deliveries',
      async () => (await call('GET', `/api/webhooks/${id}/deliveries`)).deliveries as Json[],
      isEnough,
    )

  test('an email is sent once, signed, to each webhook that matches it', async () => {
    const address = freshAddress()
    const made = await call('POST', '/api/webhooks', { url: `${target}/one`, address, subject: 'code' })
    expect(made).toMatchObject({
      status: 'pending',
      success: true,
      address,
      subject: 'code',
      url: `${target}/one`,
    })
    expect(made.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const operator = { 'X-API-Key': OPERATOR }
    const whole = { url: `${target}/domain`, domain: 'mayfly.test' }
    const domain = await call('POST', '/api/webhooks', whole, operator)

    await send(address, 'Something else')
    await send(address, 'Your CODE', { text: `Your code is 482913. ${'é'.repeat(5000)}` })
    await requests('/one', 1)
    await requests('/domain', 2)
    const [told] = at('/one')
    const data = new Webhook(made.secret as string).verify(told!.body, told!.headers) as {
      type: string
      timestamp: string
      data: { domain: string; email: { id: string; subject: string; codes: string[]; body_text: string } }
    }
    expect(data).toMatchObject({
      type: 'email.received',
      data: { domain: 'mayfly.test', email: { address } },
    })
    expect(data.data.email.subject).toBe('Your CODE')
    expect(data.data.email.codes).toEqual(['482913'])
    expect(Buffer.byteLength(data.data.email.body_text)).toBeLessThanOrEqual(4096)
    expect(data.data.email).toHaveProperty('body_text_truncated', true)
    expect(Buffer.byteLength(told!.body)).toBeLessThan(20_000)
    expect(told!.headers['webhook-id']).toBe(`msg_${made.id}_${data.data.email.id}`)
    expect(at('/one')).toHaveLength(1)

    const deliveries = await deliveriesOf(made.id, ({ length }) => length > 1)
    expect(deliveries).toMatchObject([
      { type: 'email.received', status: 204, error: null, next_attempt_at: null },
      { type: 'ping', status: 204, error: null, next_attempt_at: null },
    ])
    await call('DELETE', `/api/webhooks/${domain.id}`, undefined, operator)
  })

  test('a failed request is retried under the same id, after the time that the target asks for', async () => {
    const address = freshAddress()
    let tries = 0
    answers.set('/again', (_request, response) => {
      tries++
      if (tries === 1) response.writeHead(503, { 'Retry-After': '6' }).end()
      else OK(_request, response)
    })
    const { id } = await call('POST', '/api/webhooks', { url: `${target}/again`, address })
    await send(address, 'Again')
    await requests('/again', 2)
    const [first, second] = at('/again')
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id'])
    expect(second!.body).toBe(first!.body)
    const seconds = Number(second!.headers['webhook-timestamp']) - Number(first!.headers['webhook-timestamp'])
    expect(seconds).toBeGreaterThanOrEqual(6)
    const deliveries = await deliveriesOf(id, ({ length }) => length === 3)
    expect((deliveries as { status: number }[]).map(({ status }) => status)).toEqual([204, 503, 204])
  })

  test('a redirect is a failure, and 410 ends the webhook', async () => {
    const address = freshAddress()
    answers.set('/moved', (_request, response) =>
      response.writeHead(302, { Location: `${target}/elsewhere` }).end(),
    )
    answers.set('/gone', (_request, response) => response.writeHead(410).end())
    const moved = await call('POST', '/api/webhooks', { url: `${target}/moved`, address })
    const gone = await call('POST', '/api/webhooks', { url: `${target}/gone`, address })
    await send(address, 'Moved')
    await eventually(
      'the end of the webhook',
      () => call('GET', `/api/webhooks/${gone.id}`),
      ({ status }) => status === 404,
    )
    const deliveries = await deliveriesOf(moved.id, ({ length }) => length > 1)
    expect((deliveries as object[])[0]).toMatchObject({ status: 302, next_attempt_at: expect.any(String) })
    expect(at('/elsewhere')).toEqual([])
    await call('DELETE', `/api/webhooks/${moved.id}`)
  })

  test('a target that hangs, or sends an endless response, delays no other', async () => {
    const [slow, quick] = [freshAddress(), freshAddress()]
    answers.set('/hangs', () => {})
    answers.set('/endless', (_request, response) => {
      response.writeHead(200)
      const more = setInterval(() => response.write('x'.repeat(100_000)), 1)
      response.on('close', () => clearInterval(more))
    })
    await call('POST', '/api/webhooks', { url: `${target}/hangs`, address: slow })
    const endless = await call('POST', '/api/webhooks', { url: `${target}/endless`, address: slow })
    await call('POST', '/api/webhooks', { url: `${target}/quick`, address: quick })
    for (let i = 0; i < 60; i++) await send(slow, 'Slow')
    await requests('/hangs', 9)
    await send(quick, 'Quick')
    await requests('/quick', 1)
    // The slow target takes at most half of the places of the key, and leaves the rest to other
    // webhooks.
    expect(at('/hangs').length).toBeLessThanOrEqual(16)
    await requests('/endless', 60)
    await deliveriesOf(endless.id, (all) => all.filter(({ status }) => status === 200).length === 60)
  })

  test('a webhook is pending until a ping is answered with 2xx, and then receives the emails since its creation', async () => {
    const address = freshAddress()
    let agrees = false
    answers.set('/pending ping', (request, response) => {
      if (agrees) OK(request, response)
      else response.writeHead(500).end()
    })
    const made = await call('POST', '/api/webhooks', { url: `${target}/pending`, address })
    expect(made).toMatchObject({ status: 'pending' })
    await requests('/pending ping', 1)
    const [ping] = at('/pending ping')
    expect(new Webhook(made.secret as string).verify(ping!.body, ping!.headers)).toMatchObject({
      type: 'ping',
    })
    for (const subject of ['First', 'Second']) await send(address, subject)
    const { deliveries } = await call('GET', `/api/webhooks/${made.id}/deliveries`)
    expect(deliveries).toMatchObject([{ type: 'ping', status: 500, next_attempt_at: expect.any(String) }])
    expect(at('/pending')).toEqual([])
    agrees = true
    await requests('/pending', 2)
    expect(await call('GET', `/api/webhooks/${made.id}`)).toMatchObject({ status: 'live' })
    // The second ping repeats the same message.
    expect(new Set(at('/pending ping').map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  })

  test('a response with status 101 is a failed attempt, which is retried', async () => {
    const address = freshAddress()
    let tries = 0
    answers.set('/upgrade', (request, response) => {
      tries++
      if (tries > 1) OK(request, response)
      else
        request.socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n')
    })
    const { id } = await call('POST', '/api/webhooks', { url: `${target}/upgrade`, address })
    await send(address, 'Upgrade')
    await requests('/upgrade', 2)
    const deliveries = await deliveriesOf(id, ({ length }) => length === 3)
    expect(deliveries).toMatchObject([
      { status: 204 },
      { status: null, error: expect.stringContaining('101'), next_attempt_at: expect.any(String) },
      { type: 'ping' },
    ])
  })

  test('a test sends a ping, and returns its result', async () => {
    const made = await call('POST', '/api/webhooks', { url: `${target}/ping`, address: freshAddress() })
    expect(await call('POST', `/api/webhooks/${made.id}/test`)).toMatchObject({
      success: true,
      delivery: { type: 'ping', status: 204 },
    })
    const [ping] = at('/ping ping')
    expect(new Webhook(made.secret as string).verify(ping!.body, ping!.headers)).toMatchObject({
      type: 'ping',
    })

    const closed = await call('POST', '/api/webhooks', {
      url: 'http://127.0.0.1:1/',
      address: freshAddress(),
    })
    expect(await call('POST', `/api/webhooks/${closed.id}/test`)).toMatchObject({
      delivery: { status: null, error: 'The target refused the connection.' },
    })
  })

  test('an invalid webhook is rejected, and another key cannot see or change a webhook', async () => {
    const address = freshAddress()
    const url = `${target}/refused`
    const refused = async (body: object, status: number, code: string, headers?: Record<string, string>) =>
      expect(await call('POST', '/api/webhooks', body, headers)).toMatchObject({ status, code })
    await refused({ url: 'https://10.0.0.1/', address }, 400, 'invalid_webhook_url')
    await refused({ url: 'gopher://x', address }, 400, 'invalid_webhook_url')
    await refused({ url }, 400, 'invalid_body')
    await refused({ url, address, domain: 'mayfly.test' }, 400, 'invalid_body')
    await refused({ url, address, has: 'everything' }, 400, 'invalid_body')
    await refused({ url, address, subjct: 'x' }, 400, 'invalid_body')
    await refused({ url, address: 'nobody' }, 400, 'invalid_address')
    await refused({ url, domain: 'elsewhere.test' }, 404, 'domain_not_found')
    await refused({ url, domain: 'private.test' }, 401, 'domain_key_missing')
    // Only the operator receives all mail of a public domain: a self-issued key is not enough.
    await refused({ url, domain: 'mayfly.test' }, 401, 'domain_key_missing')
    const guessed = { 'X-API-Key': key, 'X-Domain-Key': 'a guess' }
    await refused({ url, domain: 'mayfly.test' }, 403, 'domain_key_invalid', guessed)
    await refused({ url, address }, 401, 'api_key_missing', {})
    const { id, secret } = await call('POST', '/api/webhooks', { url, address })
    const other = { 'X-API-Key': (await call('POST', '/api/keys', undefined, {})).key as string }
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/test'],
      ['GET', '/deliveries'],
    ] as const) {
      expect(await call(method, `/api/webhooks/${id}${path}`, undefined, other)).toMatchObject({
        status: 404,
        code: 'webhook_not_found',
      })
    }
    expect(await call('GET', '/api/webhooks', undefined, other)).toMatchObject({ webhooks: [] })
    expect(JSON.stringify(await call('GET', '/api/webhooks'))).not.toContain(secret as string)
    expect(service.output()).not.toContain(secret as string)
  })

  test('revoking a key ends its webhooks', async () => {
    const address = freshAddress()
    const own = { 'X-API-Key': (await call('POST', '/api/keys', undefined, {})).key as string }
    await call('POST', '/api/webhooks', { url: `${target}/revoked`, address }, own)
    await call('DELETE', '/api/keys/current', undefined, own)
    const probe = await call('POST', '/api/webhooks', { url: `${target}/probe`, address })
    await send(address, 'After the key')
    await requests('/probe', 1)
    expect(at('/revoked')).toEqual([])
    await call('DELETE', `/api/webhooks/${probe.id}`)
  })

  test('a webhook on a private domain requires its key', async () => {
    const address = freshAddress('private.test')
    const headers = { 'X-API-Key': key, 'X-Domain-Key': 'open sesame' }
    expect(await call('POST', '/api/webhooks', { url: `${target}/private`, address }, headers)).toMatchObject(
      { status: 'pending' },
    )
    await send(address, 'Private')
    await requests('/private', 1)
  })
})

test('a service that other machines reach rejects webhooks to its own machine', async () => {
  const service = await startService({ MAYFLY_HOST: '0.0.0.0', MAYFLY_API_KEYS: OPERATOR })
  try {
    const { port } = new URL(service.http)
    for (const url of [
      'http://127.0.0.1:9/',
      'https://127.0.0.1:9/',
      'https://localhost:9/',
      'http://8.8.8.8/',
    ]) {
      const answer = await fetch(`http://127.0.0.1:${port}/api/webhooks`, {
        method: 'POST',
        headers: { 'X-API-Key': OPERATOR },
        body: JSON.stringify({ url, address: 'bot@mayfly.test' }),
      })
      expect([url, answer.status, await answer.json()]).toMatchObject([
        url,
        400,
        { code: 'invalid_webhook_url' },
      ])
    }
  } finally {
    await service.stop()
  }
})
