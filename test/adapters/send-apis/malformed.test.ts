import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { composed, renderMime } from '../../../adapters/send-apis/message.ts'
import { newAddress, startSendService, type TestService } from './setup.ts'

let service: TestService

beforeAll(async () => {
  service = await startSendService()
})

afterAll(() => service.stop())

function resend(fields: object, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${service.http}/resend/emails`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ from: 'shop@example.com', subject: 'x', text: 'x', ...fields }),
  })
}

test('no part of a request names a file or a URL', async () => {
  const to = newAddress()
  const body = {
    html: { path: '/etc/passwd' },
    attachments: [{ filename: 'x', path: '/etc/passwd', href: 'file:///etc/passwd' }],
  }
  expect((await resend({ to, ...body })).status).toBe(422)
  expect((await resend({ to, attachments: body.attachments })).status).toBe(422)
  expect((await resend({ to, text: 'x', html: '<img src="/etc/passwd">' })).status).toBe(200)
  expect((await service.email(to)).body_html).toContain('<img src="/etc/passwd">')
})

test.each([{ path: '/etc/hostname' }, { href: 'http://127.0.0.1:9' }])(
  'a message with the body %j, which the checks of requests refuse, is not made',
  async (reference) => {
    const body = { subject: 'x', text: 'x', html: reference as unknown as string }
    const lists = { to: [], cc: [], bcc: [], replyTo: [], headers: [], attachments: [] }
    const { raw } = composed({ ...body, ...lists, from: { name: '', address: 'a@shop.test' } }, 'id', 'id')
    await expect(raw(10_000)).rejects.toThrow('access rejected')
    await expect(renderMime(body)).rejects.toThrow('access rejected')
  },
)

test.each(['X-A: b', 'X A', '', 'X-Ä', 'Bcc', 'Content-Type', 'To'])(
  'the header name %j adds no other field',
  async (name) => {
    const [to, other] = [newAddress(), newAddress()]
    const answer = await resend({ to, headers: { [name]: other } })
    if (answer.status === 200) {
      const email = await service.email(to)
      const raw = String(await service.raw(to, email.id))
      expect(raw.split('\r\n\r\n')[0]).not.toContain(other)
    } else expect(answer.status).toBe(422)
    expect(await service.emails(other)).toEqual([])
  },
)

test.each([
  ['/resend/emails', '{"from":', 422],
  ['/resend/emails', '[]', 422],
  ['/resend/emails', 'null', 422],
  ['/resend/emails', '', 422],
  ['/resend/emails/batch', '{}', 422],
  ['/sendgrid/v3/mail/send', '{"personalizations":[]}', 400],
  ['/postmark/email/batch', '[1]', 200],
  ['/mailgun/v3/d/messages', 'from', 400],
  ['/ses/v2/email/outbound-emails', '{"Content":{}}', 400],
  [
    '/ses/v2/email/outbound-emails',
    '{"Content":{"Simple":{"Subject":{"Data":"x"},"Body":{"Text":{"Data":"x"}}}},"Destination":{"ToAddresses":["a@mayfly.test"]},"FromEmailAddress":"b@c.example","EmailTags":[{"Name":1}]}',
    400,
  ],
  ['/ses/v2/email/outbound-emails', '{"Content":{"Raw":{"Data":"%%%"}}}', 400],
  ['/ses', 'Action=SendEmail', 400],
  ['/ses', 'Action=__proto__', 400],
  ['/ses', `Action=SendEmail&${'A.'.repeat(20)}=1`, 400],
  ['/ses', 'Action=SendRawEmail&RawMessage.Data.member.1=x&RawMessage=y', 400],
])('%s with the body %s is refused with %i', async (path, body, status) => {
  const answer = await fetch(service.http + path, {
    method: 'POST',
    headers: { 'Content-Type': path === '/ses' ? 'application/x-www-form-urlencoded' : 'application/json' },
    body,
  })
  expect(answer.status).toBe(status)
  expect(await answer.text()).not.toMatch(/\bat .*\.ts:|TypeError/)
  expect((await fetch(`${service.http}/api/health`)).status).toBe(200)
})

test.each(['resend/emails', 'sendgrid/v3/mail/send', 'postmark/email', 'ses/v2/email/outbound-emails'])(
  '%s says that its body is not JSON',
  async (path) => {
    const headers = { 'Content-Type': 'application/json' }
    const answer = await fetch(`${service.http}/${path}`, { method: 'POST', headers, body: '{"from":' })
    expect(await answer.text()).toContain('"The request body is not valid JSON."')
  },
)

test.each([
  ['an answer', {}, 200],
  ['an error', { from: 'nobody' }, 422],
])('%s has an id, is not cached, and is not for other sites', async (_, fields, status) => {
  const answer = await resend({ to: newAddress(), ...fields })
  expect([answer.status, Object.fromEntries(answer.headers)]).toMatchObject([
    status,
    {
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'cache-control': 'no-store',
      'cross-origin-resource-policy': 'same-origin',
    },
  ])
})
