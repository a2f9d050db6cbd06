import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { sendMail } from '../../support/mail.ts'
import { type RunningService, startService } from '../../support/service.ts'
import { SmtpClient } from '../../support/smtp-client.ts'

/* Every member of the answers, because a helper of a suite may read any of them. */

const RAW = [
  'From: "Shop" <shop@shop.example>',
  'To: Jo <jo@example.com>, eve@example.com',
  'Cc: ann@example.com',
  'Bcc: Bo <bo@example.com>',
  'Reply-To: help@shop.example',
  'Subject: =?utf-8?q?W=C3=A4lcome?=',
  'message-id: <one@shop.example>',
  'X-A: 1',
  'x-a: 2',
  ' folded',
  'Date: Sun, 01 Mar 2026 10:00:00 +0530 (IST)',
  'List-Unsubscribe: < https://a.example/u>, <mailto:u@a.example>, <ftp://a.example>',
  'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary=b',
  '',
  '--b',
  'Content-Type: text/html; charset=utf-8',
  'Content-Transfer-Encoding: 8bit',
  '',
  '<p>Hi <img src="cid:logo%40shop"><img src="CID:logo@shop"><img src="cid:none%"></p>',
  '--b',
  'Content-Type: application/pdf; name="invoice.pdf"',
  'Content-Disposition: attachment; filename="invoice.pdf"',
  '',
  '%PDF-1',
  '--b',
  'Content-Type: image/png',
  'Content-Disposition: inline',
  'Content-ID: <logo@shop>',
  '',
  'PNG',
  '--b--',
  '',
].join('\r\n')

let service: RunningService
let id: string
// biome-ignore lint/suspicious/noExplicitAny: JSON of any shape
const get = async (path: string): Promise<any> => (await fetch(service.http + path)).json()

beforeAll(async () => {
  service = await startService({ MAYFLY_CATCH_ALL: 'on' })
  const envelope = { from: 'bounce@shop.example', to: ['jo@example.com', 'blind@example.com'] }
  await sendMail(service.smtp, { envelope, raw: RAW })
  id = (await get('/api/v1/messages')).messages[0].ID
})
afterAll(() => service.stop())

const person = (Address: string, Name = '') => ({ Address, Name })
const COMMON = () => ({
  ID: id,
  MessageID: 'one@shop.example',
  From: person('shop@shop.example', 'Shop'),
  To: [person('jo@example.com', 'Jo'), person('eve@example.com')],
  Cc: [person('ann@example.com')],
  Bcc: [person('bo@example.com', 'Bo'), person('blind@example.com')],
  ReplyTo: [person('help@shop.example')],
  Subject: 'Wälcome',
  Username: '',
  Tags: [],
  Size: RAW.length,
})

test("Mailpit's list, and a message in it", async () => {
  const list = await get('/api/v1/messages')
  expect(list).toEqual({
    total: 1,
    unread: 1,
    count: 1,
    messages_count: 1,
    messages_unread: 1,
    start: 0,
    tags: [],
    messages: [
      {
        ...COMMON(),
        Read: false,
        Created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        Attachments: 1,
        Snippet: 'Hi',
      },
    ],
  })
  expect(Math.abs(Date.parse(list.messages[0].Created) - Date.now())).toBeLessThan(600_000)
})

test("Mailpit's message", async () => {
  const sums = (text: string) => {
    const sum = (name: string) => createHash(name).update(text).digest('hex')
    return { MD5: sum('md5'), SHA1: sum('sha1'), SHA256: sum('sha256') }
  }
  const html = RAW.slice(RAW.indexOf('<p>'), RAW.indexOf('</p>') + 4)
  expect(await get(`/api/v1/message/${id}`)).toEqual({
    ...COMMON(),
    ReturnPath: 'bounce@shop.example',
    ListUnsubscribe: {
      Header: '< https://a.example/u>, <mailto:u@a.example>, <ftp://a.example>',
      Links: ['https://a.example/u', 'mailto:u@a.example'],
      Errors: '',
      HeaderPost: 'List-Unsubscribe=One-Click',
    },
    Date: '2026-03-01T10:00:00+05:30',
    Inline: [
      {
        PartID: '1',
        FileName: 'logo@shop',
        ContentType: 'image/png',
        ContentID: 'logo@shop',
        Size: 3,
        Checksums: sums('PNG'),
      },
    ],
    Attachments: [
      {
        PartID: '0',
        FileName: 'invoice.pdf',
        ContentType: 'application/pdf',
        ContentID: '',
        Size: 6,
        Checksums: sums('%PDF-1'),
      },
    ],
    Text: 'Hi',
    HTML: html,
  })
  const view = await (await fetch(`${service.http}/view/${id}.html`)).text()
  const part = `/api/v1/message/${id}/part/1`
  expect(view).toBe(`<p>Hi <img src="${part}"><img src="${part}"><img src="cid:none%"></p>`)
})

test("Mailpit's header fields, undecoded", async () => {
  expect(await get(`/api/v1/message/${id}/headers`)).toMatchObject({
    Subject: ['=?utf-8?q?W=C3=A4lcome?='],
    'Message-Id': ['<one@shop.example>'],
    'X-A': ['1', '2 folded'],
    'Mime-Version': ['1.0'],
  })
})

test('the parts and the source of a message', async () => {
  const answer = async (path: string) => {
    const { status, headers } = await fetch(service.http + path)
    const named = ['Content-Type', 'Content-Length', 'Content-Disposition'].map((name) => headers.get(name))
    return [status, ...named]
  }
  expect(await answer(`/api/v1/message/${id}/part/0`)).toEqual([
    200,
    'application/pdf',
    '6',
    expect.stringMatching(/^inline; filename="invoice\.pdf"/),
  ])
  expect(await answer(`/api/v1/message/${id}/part/2`)).toEqual([404, 'text/plain; charset=UTF-8', '18', null])
  expect(await answer(`/api/v1/message/${id}/raw`)).toEqual([200, 'text/plain; charset=utf-8', null, null])
  expect(await (await fetch(`${service.http}/api/v1/message/${id}/raw`)).text()).toBe(RAW)
  const page = await fetch(`${service.http}/view/${id}`, { redirect: 'manual' })
  expect(page.headers.get('Location')).toBe(`../#jo%40example.com/${id}`)
})

test('what Mailpit tells of itself', async () => {
  const client = await SmtpClient.open(service.smtp)
  for (const line of ['EHLO app', 'MAIL FROM:<a@x.test>', 'RCPT TO:<a@[127.0.0.1]>']) await client.say(line)
  client.close()
  await fetch(`${service.http}/api/v1/message/${id}`)
  const { Version, DatabaseSize, RuntimeStats, ...rest } = await get('/api/v1/info')
  expect(Version).toBe((await get('/api/info')).version)
  expect(rest).toEqual({ LatestVersion: Version, Database: 'mayfly.db', Messages: 1, Unread: 0, Tags: {} })
  expect(DatabaseSize).toBeGreaterThan(RAW.length)
  expect(RuntimeStats).toEqual({
    Uptime: expect.any(Number),
    Memory: expect.any(Number),
    MessagesDeleted: 0,
    SMTPAccepted: 1,
    SMTPAcceptedSize: RAW.length,
    SMTPRejected: 1,
    SMTPIgnored: 0,
  })
  expect(RuntimeStats.Memory).toBeGreaterThan(20_000_000)
  expect(Number.isInteger(RuntimeStats.Uptime)).toBe(true)
})

test("MailHog's message, in a list and alone", async () => {
  const path = (Mailbox: string, Domain: string) => ({ Relays: null, Mailbox, Domain, Params: '' })
  const part = (text: string) => {
    const [head = '', Body] = text.split('\r\n\r\n')
    const Headers = Object.fromEntries(
      head.split('\r\n').map((line) => [line.split(': ')[0], [line.split(': ')[1]]]),
    )
    return { Headers, Body, Size: text.length, MIME: null }
  }
  const [head = '', ...parts] = RAW.split(/\r\n--b(?:--)?\r\n/)
  const MIME = { Parts: parts.slice(0, 3).map(part) }
  const message = {
    ID: id,
    From: path('bounce', 'shop.example'),
    To: [path('jo', 'example.com'), path('blind', 'example.com')],
    Content: {
      Headers: expect.objectContaining({
        Subject: ['=?utf-8?q?W=C3=A4lcome?='],
        'X-A': ['1'],
        'x-a': ['2 folded'],
      }),
      Body: RAW.slice(head.length + 2),
      Size: RAW.length,
      MIME: null,
    },
    Created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/),
    MIME,
    Raw: {
      From: 'bounce@shop.example',
      To: ['jo@example.com', 'blind@example.com'],
      Data: RAW,
      Helo: '',
    },
  }
  expect(await get('/api/v2/messages')).toEqual({ total: 1, count: 1, start: 0, items: [message] })
  expect(await get(`/api/v1/messages/${id}`)).toEqual(message)
})

test.each([
  ['to', 'BLIND@', 1],
  ['to', 'eve@', 1],
  ['to', 'ann@', 0],
  ['from', 'bounce@', 1],
  ['from', 'SHOP', 1],
  ['from', 'jo@', 0],
  ['containing', '%pdf-1', 1],
  ['containing', 'one-click', 1],
  ['containing', '<p>hi <img', 1],
  ['containing', '<p>hi <a', 0],
  ['containing', 'bounce@', 0],
])('MailHog finds by %s %j: %d', async (kind, query, total) => {
  const found = await fetch(`${service.http}/api/v2/search?kind=${kind}&query=${encodeURIComponent(query)}`)
  expect(found.headers.get('Content-Type')).toBe('application/json')
  expect(await found.json()).toMatchObject({ total, count: total, start: 0 })
})

test('a message of MailHog is text/json', async () => {
  for (const path of ['/api/v2/messages', `/api/v1/messages/${id}`])
    expect((await fetch(service.http + path)).headers.get('Content-Type')).toBe('text/json')
})

test.each([
  ['null', 200],
  ['{"IDs": null, "read": null, "Search": null}', 200],
  ['{"SEARCH": " to:nobody@example.com ", "Unknown": 1}', 200],
  ['{"ids": ["x"]}', 200],
  ['{"ids": "x"}', 400],
  ['[]', 400],
  ['"x"', 400],
  ['', 400],
])('Mailpit marks with the body %s: %d', async (body, status) => {
  const answer = await fetch(`${service.http}/api/v1/messages`, { method: 'PUT', body })
  expect([answer.status, await answer.text()]).toEqual([
    status,
    status === 200 ? 'ok' : 'The request body is not of the form {"IDs": [], "Read": true, "Search": ""}',
  ])
})
