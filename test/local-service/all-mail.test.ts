import { once } from 'node:events'
import { request } from 'node:http'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { openStream } from '../support/event-source.ts'
import { sendMail } from '../support/mail.ts'
import { type RunningService, startService } from '../support/service.ts'
import { SmtpClient } from '../support/smtp-client.ts'

const KEY = 'operator-key-0123456789'
const PAGE = { 'Sec-Fetch-Site': 'same-origin' }

interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: JSON of any shape
  body: any
}

/** The mail of all addresses, over HTTP (contract: All mail). */
describe('all mail', () => {
  let service: RunningService
  /** A key that anyone can get. */
  let ownKey: string
  const ask = async (path: string, init: RequestInit = {}): Promise<Answer> => {
    const answer = await fetch(service.http + path, { headers: { 'X-API-Key': KEY }, ...init })
    return { status: answer.status, body: await answer.json() }
  }
  const clear = (query = '') => ask(`/api/emails${query}`, { method: 'DELETE' })
  const subjects = async (query = '') =>
    (await ask(`/api/emails${query}`)).body.emails.map(({ subject }: { subject: string }) => subject)
  const send = (to: string, subject: string, more: object = {}) =>
    sendMail(service.smtp, { to, subject, text: `Text of ${subject}`, ...more })

  beforeAll(async () => {
    service = await startService({
      MAYFLY_CATCH_ALL: 'on',
      MAYFLY_API_KEYS: KEY,
      MAYFLY_DOMAINS: 'mayfly.test,hidden.test=secret',
    })
    ownKey = (await ask('/api/keys', { method: 'POST', headers: {} })).body.key
  })
  beforeEach(() => clear())
  afterAll(() => service.stop())

  test('is listed newest first, that of private domains too, with a cursor', async () => {
    await send('ann@example.com', 'one')
    await send('jo@hidden.test', 'two')
    await send('b@x.test, c@x.test', 'three')
    expect(await subjects()).toEqual(['three', 'three', 'two', 'one'])
    const first = await ask('/api/emails?limit=3')
    expect(first.body.emails.map(({ address }: { address: string }) => address)).toEqual([
      'c@x.test',
      'b@x.test',
      'jo@hidden.test',
    ])
    expect(await subjects(`?limit=3&cursor=${first.body.next_cursor}`)).toEqual(['one'])
    expect((await ask('/api/emails/latest')).body.email).toMatchObject({ address: 'c@x.test', read: false })
    expect((await ask('/api/emails/latest?to=HIDDEN')).body.email).toMatchObject({ subject: 'two' })
    expect((await ask('/api/info')).body.all_mail).toBe(true)
    const [short] = (await ask('/api/emails?limit=1&text_limit=4')).body.emails
    expect(short).toMatchObject({ body_text: 'Text', body_text_truncated: true })
  })

  test('is filtered, by recipient and names of To and Cc too', async () => {
    await send('ann@example.com', 'one', { from: 'Shop <shop@shop.example>' })
    const envelope = { from: 's@example.org', to: ['jo@example.com', 'b@c.test'] }
    await send('Jo Müller <list@lists.example>', 'two', { cc: 'Boss <b@c.test>', envelope })
    expect(await subjects('?to=ANN%40')).toEqual(['one'])
    expect(await subjects('?to=m%C3%BCller')).toEqual(['two', 'two'])
    expect(await subjects('?to=boss&from=sender')).toEqual(['two', 'two'])
    expect(await subjects('?from=shop.example')).toEqual(['one'])
    expect(await subjects('?q=text+of+two&to=jo@example')).toEqual(['two'])
    expect(await subjects('?to=nobody')).toEqual([])
    await send('list@lists.example', 'three', { envelope: { from: '', to: ['"John Doe"@x.test'] } })
    expect(await subjects(`?to=${encodeURIComponent('"John Doe"@x')}`)).toEqual(['three'])
    // NFD and needless quotes: `to` finds the canonical form.
    await send('Jürgen@example.com', 'four')
    expect(await subjects(`?to=${encodeURIComponent('Ju\u0308rgen@')}`)).toEqual(['four'])
    expect(await subjects(`?to=${encodeURIComponent('"ju\u0308rgen"@example.com')}`)).toEqual(['four'])
    expect((await ask('/api/emails?to=')).body.code).toBe('invalid_query')
  })

  test('is waited for', async () => {
    const waiting = ask('/api/emails/wait?to=later@&timeout=20')
    await send('other@example.com', 'not this one')
    await send('later@example.com', 'this one')
    expect((await waiting).body.email.subject).toBe('this one')
    const oldest = await ask('/api/emails/wait?order=oldest')
    expect(oldest.body).toMatchObject({ email: { subject: 'not this one' }, order: 'oldest' })
  })

  test('is deleted: what matches, or everything', async () => {
    for (const subject of ['one', 'two', 'three'])
      await send(`${subject}@example.com, x@hidden.test`, subject)
    expect((await clear('?to=two@example.com')).body).toEqual({ success: true, deleted: 2 })
    expect(await subjects()).toEqual(['three', 'three', 'one', 'one'])
    expect((await clear()).body).toEqual({ success: true, deleted: 4 })
    expect(await subjects()).toEqual([])
  })

  test('is not deleted by a filter in the body; the refusal names the query parameters', async () => {
    await send('ann@example.com', 'one')
    const advice = 'Its parameters belong in the query: since, from, to, subject, q, has.'
    for (const [body, refusal] of [
      ['{"from":"nobody"}', '"from" is in the body, but this request takes none.'],
      ['from=nobody', 'This request takes no body.'],
      ['["from"]', 'This request takes no body.'],
      [' ', 'This request takes no body.'],
    ]) {
      const answer = await ask('/api/emails', { method: 'DELETE', body: body! })
      expect([answer.status, answer.body.code]).toEqual([400, 'invalid_body'])
      expect(answer.body.detail).toBe(`${refusal} ${advice}`)
    }
    expect(await subjects()).toEqual(['one'])
    expect((await ask('/api/emails', { method: 'DELETE', body: '{}' })).body.deleted).toBe(1)
  })

  // requests.get(url, json=filter) of Python and axios.get(url, { data: filter }) send it so; `fetch` refuses to.
  test('is not read with a filter in the body of a GET, which would be ignored', async () => {
    const get = async (path: string, body: string) => {
      const headers = { 'X-API-Key': KEY, 'Content-Length': body.length }
      const [answer] = await once(request(service.http + path, { headers }).end(body), 'response')
      return { status: answer.statusCode, body: answer.statusCode === 400 && (await json(answer)) }
    }
    for (const path of ['/api/emails', '/api/emails/wait', '/api/public/emails/a@one.test', '/api/sse'])
      expect(await get(path, '{"has":"code"}')).toMatchObject({ status: 400, body: { code: 'invalid_body' } })
    const { body } = await get('/api/emails/a@one.test/latest', '{"from":"ann"}')
    const advice = 'Its parameters belong in the query: since, from, to, subject, q, has.'
    expect(body).toMatchObject({ detail: `This request takes no body. ${advice}` })
    for (const none of ['', '{}']) expect((await get('/api/emails', none)).status).toBe(200)
    for (const least of ['{ }', '[1]']) expect((await get('/api/emails', least)).status).toBe(400)
  })

  test('is streamed, and a stream resumes where it was', async () => {
    const headers = { 'X-API-Key': KEY }
    await send('a@one.test', 'before')
    const { id } = (await ask('/api/emails/latest')).body.email
    const stream = await openStream(`${service.http}/api/sse`, headers)
    await send('a@one.test', 'first')
    await send('b@hidden.test', 'second')
    const subject = ({ data }: { data: { email?: object } }) => (data.email as { subject: string }).subject
    expect((await stream.until(2)).map(subject)).toEqual(['first', 'second'])
    stream.close()
    const resumed = await openStream(`${service.http}/api/sse?last_event_id=${id}`, headers)
    await send('c@three.test', 'third')
    expect((await resumed.until(3)).map(subject)).toEqual(['first', 'second', 'third'])
    resumed.close()
    const changes = await openStream(`${service.http}/api/sse?events=email-deleted`, headers)
    await clear('?to=c@three')
    expect((await changes.until(1))[0]!.data).toMatchObject({
      type: 'email-deleted',
      address: 'c@three.test',
    })
    changes.close()
  })

  const PATHS: [string, string][] = [
    ['GET', '/api/emails'],
    ['GET', '/api/emails/latest'],
    ['GET', '/api/emails/wait?timeout=1'],
    ['DELETE', '/api/emails'],
    ['GET', '/api/sse'],
    ['GET', '/api/refusals'],
  ]

  test.each(PATHS)('%s %s is for the operator', async (method, path) => {
    const other = await ask(path, { method, headers: { 'X-API-Key': ownKey } })
    expect([other.status, other.body.code]).toEqual([403, 'operator_key_required'])
    const none = await ask(path, { method, headers: {} })
    expect([none.status, none.body.code]).toEqual([401, 'api_key_missing'])
    const unknown = await ask(path, { method, headers: { 'X-API-Key': 'unknown' } })
    expect([unknown.status, unknown.body.code]).toEqual([401, 'api_key_invalid'])
    // A free key would be refused.
    for (const { body } of [none, unknown]) {
      expect(body.detail).toContain('MAYFLY_API_KEYS')
      expect(body.detail).not.toContain('/api/keys')
    }
    // A session without the mark of an own page does not count.
    expect((await ask(path, { method, headers: await session() })).status).toBe(401)
  })

  async function session(): Promise<{ Cookie: string }> {
    const opened = await fetch(`${service.http}/api/session`, { method: 'POST', headers: PAGE })
    return { Cookie: opened.headers.get('Set-Cookie')!.split(';')[0]! }
  }

  test('is read by the pages of a service that only this machine can call', async () => {
    await send('jo@hidden.test', 'hidden')
    const headers = { ...PAGE, ...(await session()) }
    expect((await ask('/api/emails', { headers })).body.emails).toMatchObject([{ subject: 'hidden' }])
    expect((await ask('/api/refusals', { headers })).status).toBe(200)
  })

  test('has the refusals of SMTP and the send APIs', async () => {
    const client = await SmtpClient.open(service.smtp)
    await client.send('s@example.org', ['bot+smtp.452@mayfly.test'], 'x')
    client.close()
    await fetch(`${service.http}/resend/emails`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ from: 'a@b.test', to: ['bot+smtp.550@mayfly.test'], subject: 's', text: 't' }),
    })
    const { refusals } = (await ask('/api/refusals')).body
    expect(refusals).toHaveLength(2)
    expect(refusals).toMatchObject([
      { mail_from: 'a@b.test', recipient: 'bot+smtp.550@mayfly.test', code: 400, client: '127.0.0.1' },
      { mail_from: 's@example.org', recipient: 'bot+smtp.452@mayfly.test', code: 452, client: '127.0.0.1' },
    ])
    expect(refusals[1].reply).toMatch(/^4\.0\.0 /)
    expect(refusals[0].at >= refusals[1].at).toBe(true)
  })
})

test('a session of a page does not open all mail where others can call', async () => {
  const service = await startService({ MAYFLY_BASE_URL: 'https://mail.example.com' })
  const opened = await fetch(`${service.http}/api/session`, { method: 'POST', headers: PAGE })
  const headers = { ...PAGE, Cookie: opened.headers.get('Set-Cookie')!.split(';')[0]! }
  const answer = await fetch(`${service.http}/api/emails`, { headers })
  expect(answer.status).toBe(401)
  await service.stop()
})
