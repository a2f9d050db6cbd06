import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { eventually } from '../support/eventually.ts'
import { type RunningService, startService } from '../support/service.ts'
import { SmtpClient } from '../support/smtp-client.ts'

/** That each setting reaches the part of the service that it is for; other suites test what that part does. */
describe('a service with no setting at its default', () => {
  let service: RunningService

  beforeAll(async () => {
    service = await startService({
      MAYFLY_DOMAINS: 'hidden.example=key,mail.example',
      MAYFLY_MX_HOST: 'mx.acme.example',
      MAYFLY_BASE_URL: 'https://front.acme.example/box',
      MAYFLY_RETENTION_HOURS: '3',
      MAYFLY_MAX_MESSAGE_BYTES: '123456',
      MAYFLY_SMTP_FAULTS: 'off',
      MAYFLY_SMTP_AUTH: 'off',
      MAYFLY_TLS: 'self-signed',
      MAYFLY_SEND_APIS: 'off',
      MAYFLY_CATCHER_APIS: 'off',
      MAYFLY_CORS_ORIGINS: 'https://app.acme.example',
      MAYFLY_TRUST_PROXY: '127.0.0.1',
      MAYFLY_LOG_LEVEL: 'debug',
    })
  })
  afterAll(() => service?.stop())

  /** The status of a request, whose Host fetch does not let a program choose, and its headers. */
  async function ask(path: string, headers: Record<string, string> = {}, method = 'GET') {
    const sent = request(`${service.http}${path}`, { method, headers }).end()
    const [answer] = await once(sent, 'response')
    answer.resume()
    return answer as { statusCode: number; headers: Record<string, string | undefined> }
  }

  test('SMTP has its name, its size, STARTTLS and no AUTH', async () => {
    const socket = connect(service.smtp)
    const next = async () => String((await once(socket, 'data'))[0])
    expect(await next()).toBe('220 mx.acme.example ESMTP\r\n')
    socket.write('EHLO client.test\r\n')
    const extensions = (await next()).split('\r\n').map((line) => line.slice(4))
    socket.destroy()
    expect(extensions).toEqual(expect.arrayContaining(['SIZE 123456', 'STARTTLS']))
    expect(extensions.filter((line) => line.startsWith('AUTH'))).toEqual([])
  })

  test('an address requests no fault, and its mail is kept as long as is set', async () => {
    const client = await SmtpClient.open(service.smtp)
    expect(await client.send('s@example.org', ['bot+smtp.450@mail.example'], 'Subject: x\r\n\r\ny')).toMatch(
      /^250 /,
    )
    client.close()
    const list = await fetch(`${service.http}/api/public/emails/bot+smtp.450@mail.example`)
    const [email] = (await list.json()).emails
    expect(Date.parse(email.expires_at) - Date.parse(email.received_at)).toBe(3 * 3_600_000)
  })

  test.each([
    ['mx.acme.example', 200],
    ['mail.example', 200],
    ['hidden.example', 200],
    ['front.acme.example', 200],
    ['other.example', 421],
  ])('HTTP at the name %s: %s', async (Host, status) => {
    expect((await ask('/api/health', { Host })).statusCode).toBe(status)
  })

  test('pages of another origin are allowed if the setting names it', async () => {
    const allowed = async (Origin: string) =>
      (await ask('/api/domains', { Origin })).headers['access-control-allow-origin']
    expect(await allowed('https://app.acme.example')).toBe('https://app.acme.example')
    expect(await allowed('https://other.example')).toBeUndefined()
  })

  test.each([
    ['POST', '/resend/emails'],
    ['POST', '/ses'],
    ['GET', '/api/v1/messages'],
    ['GET', '/api/v2/messages'],
  ])('neither send nor catcher APIs are there: %s %s', async (method, path) => {
    expect((await ask(path, {}, method)).statusCode).toBe(404)
  })

  test('the address of a client is the one that its proxy names', async () => {
    const left = async (client: string) => {
      const init = { method: 'POST', headers: { 'X-Forwarded-For': client } }
      return (await (await fetch(`${service.http}/api/keys`, init)).json()).remaining
    }
    const [first, again, other] = [
      await left('203.0.113.1'),
      await left('203.0.113.1'),
      await left('203.0.113.2'),
    ]
    expect([first - again, other]).toEqual([1, first])
  })

  test('the first steps show the base URL and the first domain without a key', () => {
    expect(service.output()).toContain('In a browser:     https://front.acme.example/box/\n')
    expect(service.output()).toContain(
      'https://front.acme.example/box/api/public/emails/hello@mail.example\n',
    )
  })

  test('the log has each request', async () => {
    const id = (await ask('/api/health')).headers['x-request-id']
    const line = await eventually('the line of a request', () =>
      service
        .output()
        .split('\n')
        .find((one) => one.includes(`"requestId":"${id}"`)),
    )
    expect(JSON.parse(line)).toMatchObject({
      msg: 'request',
      method: 'GET',
      path: '/api/health',
      status: 200,
      ms: expect.any(Number),
    })
  })
})
