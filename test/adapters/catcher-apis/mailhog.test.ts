import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import mailhog from 'mailhog'
import { sendMail } from '../../support/mail.ts'
import { type Catcher, startCatcher } from './catcher.ts'

/* What suites do with MailHog: its client for JavaScript, and plain requests. */

let catcher: Catcher
let client: ReturnType<typeof mailhog>

beforeAll(async () => {
  catcher = await startCatcher()
  const { hostname, port } = new URL(catcher.url)
  client = mailhog({ host: hostname, port: Number(port) })
})
beforeEach(() => client.deleteAll())
afterAll(() => catcher.stop())

test('lists, searches and decodes', async () => {
  await sendMail(catcher.smtp, {
    from: 'Bob <bob@x.test>',
    to: 'Jo <jo@example.com>',
    bcc: 'blind@example.com',
    subject: 'Grüße',
    text: 'Ihr Code lautet 739105, ü.',
    html: '<p>Ihr Code lautet <b>739105</b></p>',
  })
  await sendMail(catcher.smtp, {
    to: 'eve@example.com',
    subject: 'two',
    text: 'second',
    attachments: [{ filename: 'a.txt', content: 'attached' }],
  })
  const { total, count, items } = (await client.messages())!
  expect([total, count]).toEqual([2, 2])
  expect(items.map(({ subject }) => subject)).toEqual(['two', 'Grüße'])
  const found = (await client.latestTo('jo@example.com'))!
  expect(found).toMatchObject({ subject: 'Grüße', from: 'Bob <bob@x.test>', to: 'Jo <jo@example.com>' })
  expect(found.text).toContain('Ihr Code lautet 739105, ü.')
  expect(found.html).toContain('<b>739105</b>')
  expect(items[0]!.attachments).toMatchObject([{ name: 'a.txt' }])
  expect((await client.latestTo('blind@example.com'))!.ID).toBe(found.ID)
  expect((await client.latestFrom('bob@x.test'))!.ID).toBe(found.ID)
  expect((await client.latestContaining('second'))!.subject).toBe('two')
  expect(await client.latestTo('nobody@example.com')).toBeFalsy()
  expect((await client.search('example.com', 'to', 0, 1))!).toMatchObject({ total: 2, count: 1 })
})

test('deletes one message and all', async () => {
  for (const subject of ['one', 'two'])
    await sendMail(catcher.smtp, { to: 'jo@example.com', subject, text: 'x' })
  const { ID } = (await client.latestTo('jo@example.com'))!
  await client.deleteMessage(ID)
  expect((await client.messages())!.items.map(({ subject }) => subject)).toEqual(['one'])
  await client.deleteAll()
  expect((await client.messages())!.total).toBe(0)
})

test('has every field that a client maps', async () => {
  await sendMail(catcher.smtp, {
    from: 's@x.test',
    to: 'jo@example.com, "e@ve"@example.com',
    subject: 'x',
    text: 'body',
  })
  const { items } = await (await fetch(`${catcher.url}/api/v2/messages`)).json()
  const path = (Mailbox: string, Domain: string) => ({ Relays: null, Mailbox, Domain, Params: '' })
  expect(items[0]).toMatchObject({
    From: path('s', 'x.test'),
    To: [path('jo', 'example.com'), path('"e@ve"', 'example.com')],
    Content: { Headers: { Subject: ['x'] }, Body: expect.stringContaining('body'), Size: expect.any(Number) },
    Raw: { From: 's@x.test', To: ['jo@example.com', '"e@ve"@example.com'], Helo: expect.any(String) },
    MIME: null,
  })
})

test('counts the size in bytes, of a message and of each of its parts', async () => {
  const part = (text: string) => `Content-Type: text/plain; charset=utf-8\r\n\r\n${text}`
  const raw = `Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n${part('Grüße')}\r\n--b\r\n${part('x')}\r\n--b--\r\n`
  await sendMail(catcher.smtp, { envelope: { from: 's@x.test', to: 'jo@example.com' }, raw })
  const { items } = await (await fetch(`${catcher.url}/api/v2/messages`)).json()
  const [{ Content, MIME }] = items
  const sizes = [Content, ...MIME.Parts].map(({ Size }) => Size)
  expect(sizes).toEqual([raw, part('Grüße'), part('x')].map((text) => Buffer.byteLength(text)))
})

test('refuses by a status', async () => {
  const status = async (path: string, method = 'GET') => (await fetch(catcher.url + path, { method })).status
  expect(await status('/api/v2/search?kind=nothing&query=x')).toBe(400)
  expect(await status('/api/v2/search?kind=to&query=')).toBe(400)
  expect(await status('/api/v1/messages/unknown', 'DELETE')).toBe(500)
  const unknown = await fetch(`${catcher.url}/api/v1/messages/unknown`)
  expect([unknown.status, await unknown.json()]).toEqual([200, null])
})
