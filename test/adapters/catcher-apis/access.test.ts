import { afterEach, expect, test } from '@jest/globals'
import { sendMail } from '../../support/mail.ts'
import { type RunningService, startService } from '../../support/service.ts'

const KEY = 'operator-key-0123456789'
const PUBLIC = { MAYFLY_HOST: '0.0.0.0', MAYFLY_API_KEYS: KEY }
const LIST = '/api/v1/messages'

let service: RunningService
afterEach(() => service.stop())

const url = () => service.http.replace('0.0.0.0', '127.0.0.1')
const get = (path: string, init: RequestInit = {}) => fetch(url() + path, init)
const basic = (password: string) => ({ Authorization: `Basic ${btoa(`any:${password}`)}` })

test.each<[Record<string, string>, number]>([
  [{}, 200],
  [{ MAYFLY_CATCHER_APIS: 'off' }, 404],
  [{ MAYFLY_BASE_URL: 'https://mail.example.com' }, 401],
  [PUBLIC, 404],
  [{ ...PUBLIC, MAYFLY_CATCHER_APIS: 'on' }, 401],
  [{ ...PUBLIC, MAYFLY_CATCHER_APIS: 'open' }, 200],
])('without a key, with %j: %d', async (env, status) => {
  service = await startService(env)
  expect((await get(LIST)).status).toBe(status)
})

test('with a key, as the password of basic authentication or as X-API-Key', async () => {
  service = await startService({ ...PUBLIC, MAYFLY_CATCHER_APIS: 'on' })
  const refused = await get(LIST)
  expect(refused.headers.get('WWW-Authenticate')).toBe('Basic realm="Login"')
  const { key } = (await (await get('/api/keys', { method: 'POST' })).json()) as { key: string }
  for (const [headers, status] of [
    [basic(KEY), 200],
    [{ 'X-API-Key': KEY }, 200],
    [basic('wrong'), 401],
    [basic(''), 401],
    [basic(key), 401],
    [{ Authorization: `Basic ${btoa(KEY)}` }, 200],
    [{ Authorization: 'Basic' }, 401],
  ] as const) {
    expect([headers, (await get(LIST, { headers })).status]).toEqual([headers, status])
  }
  for (const path of ['/livez', '/readyz']) expect((await get(path)).status).toBe(200)
})

test('a page of another site may not call, unless it is named', async () => {
  service = await startService({ MAYFLY_CORS_ORIGINS: 'https://app.example' })
  const foreign = { Origin: 'https://evil.example' }
  expect((await get(LIST, { headers: foreign })).status).toBe(421)
  const crossSite = { 'Sec-Fetch-Site': 'cross-site' }
  expect((await get(LIST, { method: 'DELETE', headers: crossSite })).status).toBe(403)
  expect((await get(LIST, { headers: crossSite })).status).toBe(200)
  // It marks the message as read.
  for (const path of ['/api/v1/message/latest', '/api//v1/message/latest', '/api/v1/message/latest/'])
    expect([path, (await get(path, { headers: crossSite })).status]).toEqual([path, 403])
  const named = { ...crossSite, Origin: 'https://app.example' }
  expect((await get('/api/v1/message/latest', { headers: named })).status).toBe(404)
})

test('no page of another origin embeds an answer, but a view embeds parts of its mail', async () => {
  service = await startService({ ...PUBLIC, MAYFLY_CATCHER_APIS: 'on' })
  const policy = async (path: string, headers: Record<string, string> = { 'X-API-Key': KEY }) => {
    const answer = await get(path, { headers, redirect: 'manual' })
    expect(answer.headers.get('X-Request-Id')).toMatch(/^[\w-]{36}$/)
    return [answer.status, answer.headers.get('Cross-Origin-Resource-Policy')]
  }
  const attachments = [{ filename: 'a.txt', content: 'a' }]
  await sendMail(service.smtp, { to: 'a@mayfly.test', subject: 's', text: 'x', attachments })
  const { messages } = (await (await get(LIST, { headers: basic(KEY) })).json()) as {
    messages: { ID: string }[]
  }
  expect(await policy(LIST)).toEqual([200, 'same-origin'])
  expect(await policy(LIST, {})).toEqual([401, 'same-origin'])
  expect(await policy('//livez')).toEqual([307, 'same-origin'])
  expect(await policy('/api/v1/message/latest/part/0')).toEqual([200, 'same-origin'])
  expect(await policy(`/api/v1/message/${messages[0]?.ID}/part/0`)).toEqual([200, null])
})

test('no script of a mail runs in a view', async () => {
  service = await startService()
  const { smtp } = service
  await sendMail(smtp, { to: 'a@mayfly.test', subject: 's', html: '<script>alert(1)</script>', text: 'x' })
  for (const path of ['/view/latest.html', '/view/latest.txt', '/api/v1/message/latest/raw', LIST]) {
    const answer = await get(path)
    expect([path, answer.status]).toEqual([path, 200])
    const policy = answer.headers.get('Content-Security-Policy')
    expect(policy).toMatch(/^sandbox(?! [^;]*allow-(?:scripts|same-origin)).*default-src 'none'/)
  }
})
