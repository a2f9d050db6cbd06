import { describe, expect, test } from '@jest/globals'
import { credentialsIn } from '../../../adapters/send-apis/credential.ts'
import { parseFields, parseMailboxes } from '../../../adapters/send-apis/mailboxes.ts'
import { copiesAtOnce } from '../../../adapters/send-apis/message.ts'
import { isSendPath } from '../../../adapters/send-apis/paths.ts'
import { IdempotentRequests } from '../../../adapters/send-apis/resend-idempotency.ts'
import { SesIdentities } from '../../../adapters/send-apis/ses/identities.ts'
import { parseQueryForm, xmlOf } from '../../../adapters/send-apis/ses/query.ts'
import { CLIENT, fieldOf, NOW, sendApis } from './in-process.ts'

const TO = 'bot@mayfly.test'
const FROM = 'shop@example.com'

test('the fields of addresses have 131,072 characters together', () => {
  const field = (length: number) => 'a@b.example'.padEnd(length)
  expect(parseMailboxes(field(131_072))).toHaveLength(1)
  expect(() => parseMailboxes(field(131_073))).toThrow('An address field has at most 131072 characters.')
  expect(parseFields([field(65_536), field(65_536)])).toHaveLength(2)
  expect(() => parseFields([field(65_536), field(65_537)])).toThrow('at most 131072')
})

test('copies up to a megabyte are built concurrently, and all of them have 512 MB', () => {
  const mail = (length: number) => ({ attachments: [], text: undefined, html: 'x'.repeat(length) })
  const MB = 1024 * 1024
  expect([copiesAtOnce(1, mail(MB)), copiesAtOnce(1, mail(MB + 1))]).toEqual([16, 1])
  expect(copiesAtOnce(512, mail(MB))).toBe(16)
  expect(() => copiesAtOnce(513, mail(MB))).toThrow('513 messages of 1048576 bytes are more than 536870912')
})

describe('the query protocol', () => {
  test('has parameters of ten names, and lists of 1,000', () => {
    expect(parseQueryForm('a.b.c.d.e.f.g.h.i.j=1')).toEqual({
      a: { b: { c: { d: { e: { f: { g: { h: { i: { j: '1' } } } } } } } } },
    })
    expect(() => parseQueryForm('a.b.c.d.e.f.g.h.i.j.k=1')).toThrow('A parameter is nested too deeply.')
    const list = (count: number) =>
      Array.from({ length: count }, (_, n) => `A.member.${n + 1}=${n}`).join('&')
    expect(parseQueryForm(list(1000)).A).toHaveLength(1000)
    expect((parseQueryForm(list(1001)).A as string[]).at(-1)).toBe('999')
  })

  test('writes maps, and no character that XML does not have', () => {
    const map = new Map([['a<', { B: 1 }]])
    expect(xmlOf({ M: map, E: [] })).toBe(
      '<M><entry><key>a&lt;</key><value><B>1</B></value></entry></M><E></E>',
    )
    expect(xmlOf('\u0008\t\n\u000b\u000c\u000e\u001f\ufffe\uffff&')).toBe('\t\n&amp;')
    expect(xmlOf('<a>\r\n&amp;</a>')).toBe('&lt;a&gt;&#13;\n&amp;amp;&lt;/a&gt;')
  })
})

describe('SendGrid', () => {
  const send = async (fields: object) => {
    const { call } = sendApis()
    const mail = {
      from: { email: FROM },
      personalizations: [{ to: [{ email: TO }] }],
      subject: 'x',
      content: [{ type: 'text/plain', value: 'x' }],
      ...fields,
    }
    const { status, json } = await call('POST', '/sendgrid/v3/mail/send', mail)
    return [status, json?.errors[0]?.message]
  }

  test('has 64 KB of headers, categories and arguments together', async () => {
    // As JSON: [{"a":"…"},["b"],{"X-C":"d"}].
    const fields = (length: number) => ({
      custom_args: { a: 'x'.repeat(length - 28) },
      categories: ['b'],
      headers: { 'X-C': 'd' },
    })
    expect(await send(fields(65_536))).toEqual([202, undefined])
    expect(await send(fields(65_537))).toEqual([
      400,
      'Headers, categories and custom_args have at most 65536 bytes.',
    ])
  })

  test('has 1,000 addresses for replies', async () => {
    const fields = (count: number) => ({ reply_to_list: Array(count).fill({ email: 'r@example.com' }) })
    expect(await send(fields(1000))).toEqual([202, undefined])
    expect(await send(fields(1001))).toEqual([400, 'The field reply_to_list has at most 1000 addresses.'])
  })
})

describe('Resend', () => {
  const mail = { from: FROM, to: TO, subject: 'x', text: 'x' }

  test('has lists of 50 addresses, and batches of 100 mails', async () => {
    const { call, sent } = sendApis()
    const to = (count: number) => Array.from({ length: count }, (_, n) => `bot${n}@mayfly.test`)
    for (const field of ['to', 'cc', 'bcc', 'reply_to']) {
      const status = async (count: number) =>
        (await call('POST', '/resend/emails', { ...mail, [field]: to(count) })).status
      expect([field, await status(50), await status(51)]).toEqual([field, 200, 422])
    }
    const batch = (count: number) =>
      call('POST', '/resend/emails/batch', JSON.stringify(Array(count).fill(mail)))
    sent.length = 0
    expect((await batch(100)).json.data).toHaveLength(100)
    expect((await batch(101)).json.message).toContain('expected at most 100 emails')
    expect(sent).toHaveLength(100)
  })

  test('has a header for each tag, and a sender for a template without one', async () => {
    const { call, sent } = sendApis()
    const { from: _, ...rest } = mail
    const template = { id: 'signup', variables: { code: '482913' } }
    await call('POST', '/resend/emails', { ...rest, template, tags: [{ name: 'a', value: 'b' }] })
    expect([fieldOf(sent[0]!, 'X-Resend-Tag'), fieldOf(sent[0]!, 'From')]).toEqual([
      'a=b',
      'Template <template@resend.dev>',
    ])
  })

  test('shows what it sent, which can neither be changed nor canceled', async () => {
    const { call } = sendApis()
    const { id } = (await call('POST', '/resend/emails', mail)).json
    expect((await call('GET', `/resend/emails/${id}`)).json).toMatchObject({ id, to: [TO], text: 'x' })
    const refused = async (method: string, path: string) => {
      const { status, json } = await call(method, `/resend/emails/${path}`)
      return [status, json.message]
    }
    expect(await refused('PATCH', id)).toEqual([422, expect.stringContaining('no longer be updated')])
    expect(await refused('POST', `${id}/cancel`)).toEqual([
      422,
      expect.stringContaining('no longer be canceled'),
    ])
    for (const [method, path] of [
      ['GET', 'x'],
      ['PATCH', 'x'],
      ['POST', 'x/cancel'],
    ] as const)
      expect(await refused(method, path)).toEqual([404, 'Email not found'])
  })
})

describe('of a refused message the operator sees', () => {
  const mail = { from: FROM, to: TO, subject: 'x', text: 'x' }
  const common = { at: NOW, client: CLIENT, mailFrom: FROM, recipient: null }
  const elsewhere = ['a@elsewhere.test', 'b@elsewhere.test']
  const fault = (code: number) => `bot+smtp.${code}@mayfly.test`

  test.each<[what: string, path: string, body: object, refusals: object[]]>([
    ['a missing field', '/resend/emails', { ...mail, to: undefined }, [{ mailFrom: null, code: 400 }]],
    ['an address', '/resend/emails', { ...mail, to: '-@-' }, [{ recipient: '-@-', code: 400 }]],
    [
      'each recipient elsewhere',
      '/resend/emails',
      { ...mail, to: [TO, ...elsewhere] },
      elsewhere.map((recipient) => ({ recipient, code: 400 })),
    ],
    [
      'a temporary fault',
      '/resend/emails',
      { ...mail, to: fault(451) },
      [{ recipient: fault(451), code: 429 }],
    ],
    [
      'a permanent fault',
      '/resend/emails',
      { ...mail, to: fault(550) },
      [{ recipient: fault(550), code: 400 }],
    ],
    ['its size', '/resend/emails', { ...mail, text: 'x '.repeat(600_000) }, [{ code: 413 }]],
    [
      'data that does not fit its template',
      '/ses/v2/email/outbound-emails',
      {
        FromEmailAddress: FROM,
        Destination: { ToAddresses: [TO] },
        Content: { Template: { TemplateContent: { Subject: '{{name}}' }, TemplateData: '{}' } },
      },
      [{ code: 400 }],
    ],
    // These are no messages.
    ['nothing of an operation', '/resend/nothing', mail, []],
    ['nothing of a template', '/ses/v2/email/templates/none/render', { TemplateData: '{}' }, []],
    ['nothing of a message that is sent', '/resend/emails', mail, []],
  ])('%s', async (_, path, body, refusals) => {
    const { call, refusals: seen } = sendApis()
    const { text } = await call('POST', path, body)
    expect(seen).toEqual(refusals.map((refusal) => ({ ...common, reply: expect.any(String), ...refusal })))
    for (const { reply } of seen) expect(text).toContain(JSON.stringify(reply).slice(1, 60))
  })

  test('a store that does not answer', async () => {
    const { call, refusals } = sendApis({ deliver: () => Promise.reject(new Error('SQLITE_FULL')) })
    await call('POST', '/resend/emails', mail)
    const reply = 'The service failed. Its log has the reason.'
    expect(refusals).toEqual([{ ...common, mailFrom: null, code: 503, reply }])
  })
})

describe('a key of an idempotent request of Resend', () => {
  let now = 0
  const asked = async (
    requests: IdempotentRequests,
    { key = 'k', body = 'b', path = '/emails', credential = 'Bearer a' },
    handle: () => Promise<object> = async () => ({ id: String(Math.random()) }),
  ) => {
    const headers: Record<string, string> = { 'Idempotency-Key': key, Authorization: credential }
    const c = {
      req: { path, header: (name: string) => headers[name] },
      var: { body: Buffer.from(body) },
      json: (json: object) => Response.json(json),
    }
    const answer = await requests.answer(c as never, handle)
    const json = (await answer.json()) as { id?: string; name?: string }
    return json.id ?? [answer.status, json.name]
  }

  test('has up to 256 characters', async () => {
    const requests = new IdempotentRequests(() => 0)
    expect(await asked(requests, { key: 'x'.repeat(256) })).toEqual(expect.any(String))
    for (const key of ['', 'x'.repeat(257)])
      expect(await asked(requests, { key })).toEqual([400, 'invalid_idempotency_key'])
  })

  test('belongs to a credential, a path and a body, for 24 hours', async () => {
    now = 0
    const requests = new IdempotentRequests(() => now)
    const first = await asked(requests, {})
    expect(await asked(requests, {})).toBe(first)
    for (const other of [{ credential: 'Bearer b' }, { path: '/emails/batch' }, { key: 'l' }])
      expect(await asked(requests, other)).not.toBe(first)
    expect(await asked(requests, { body: 'c' })).toEqual([409, 'invalid_idempotent_request'])
    now = 24 * 3_600_000 - 1
    expect(await asked(requests, {})).toBe(first)
    now++
    expect(await asked(requests, {})).not.toBe(first)
  })

  test('is refused while its request is handled, and free if that fails', async () => {
    const requests = new IdempotentRequests(() => 0)
    const handling = Promise.withResolvers<object>()
    const first = asked(requests, {}, () => handling.promise)
    expect(await asked(requests, {})).toEqual([409, 'concurrent_idempotent_requests'])
    handling.reject(new Error('a fault'))
    await expect(first).rejects.toThrow('a fault')
    expect(await asked(requests, {})).toEqual(expect.any(String))
  })

  test('is remembered for 10,000 requests, and 8 MB of answers', async () => {
    const requests = new IdempotentRequests(() => 0)
    const first = await asked(requests, { key: '0' })
    for (let n = 1; n < 10_000; n++) await asked(requests, { key: String(n) })
    expect(await asked(requests, { key: '0' })).toBe(first)
    await asked(requests, { key: '10000' })
    expect(await asked(requests, { key: '0' })).not.toBe(first)

    const large = new IdempotentRequests(() => 0)
    const sized = (key: string, bytes: number) =>
      asked(large, { key }, async () => ({
        id: key,
        text: 'x'.repeat(bytes - `{"id":"${key}","text":""}`.length),
      }))
    const MB = 1024 * 1024
    let handled = 0
    const isKnown = async (key: string) => {
      const before = handled
      await asked(large, { key }, async () => ({ id: String(handled++) }))
      return handled === before
    }
    await sized('a', 4 * MB)
    await sized('b', 4 * MB)
    expect(await isKnown('a')).toBe(true)
    await sized('c', 30)
    expect([await isKnown('b'), await isKnown('c'), await isKnown('a')]).toEqual([true, true, false])
  })
})

test.each([
  ['/ses', true],
  ['/resend/emails', true],
  ['/sendgrid/v3', true],
  ['/postmark', true],
  ['/mailgun/', true],
  ['/sesx', false],
  ['/api/ses', false],
  ['/', false],
])('the path %s is one of a send API: %s', (path, is) => expect(isSendPath(path)).toBe(is))

test.each<[header: string, value: string, found: string[]]>([
  ['X-API-Key', 'k', ['k']],
  ['X-Postmark-Server-Token', 'k', ['k']],
  ['X-Postmark-Account-Token', 'k', ['k']],
  ['Authorization', 'bearer  k ', ['k']],
  ['Authorization', `basic ${btoa('api:k:l')}`, ['k:l']],
  ['Authorization', `Basic ${btoa('api')}`, []],
  ['Authorization', 'AWS4-HMAC-SHA256 Credential=k/20261121/eu/ses/aws4_request, SignedHeaders=host', ['k']],
  ['Authorization', 'AWS4-HMAC-SHA256 SignedHeaders=host, Credential=k', []],
  ['Authorization', 'Digest k', []],
  ['X-Other', 'k', []],
])('the credential of %s: %s is %j', (header, value, found) => {
  expect(credentialsIn((name) => (name === header ? value : null))).toEqual(found)
})

test('the oldest of more than a thousand identities is forgotten', () => {
  const identities = new SesIdentities()
  const names = Array.from({ length: 1001 }, (_, n) => `sender-${n}@kestrel.example`)
  for (const name of names.slice(0, 1000)) identities.create(name)
  expect(identities.created).toEqual(names.slice(0, 1000))
  identities.create(names[1000]!)
  expect(identities.created).toEqual(names.slice(1))
})
