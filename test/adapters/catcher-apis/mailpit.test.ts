import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { MailpitClient } from 'mailpit-api'
import type Mail from 'nodemailer/lib/mailer/index.js'
import { eventually } from '../../support/eventually.ts'
import { sendMail } from '../../support/mail.ts'
import { type Catcher, startCatcher } from './catcher.ts'

/*
 * What suites do with Mailpit: its client for JavaScript, and helpers as projects write them. No
 * test knows which program answers (catcher.ts).
 */

let catcher: Catcher
let client: MailpitClient
const send = (mail: Mail.Options) => sendMail(catcher.smtp, { text: 'x', ...mail })
// biome-ignore lint/suspicious/noExplicitAny: JSON of any shape
const get = async (path: string): Promise<any> => (await fetch(catcher.url + path)).json()
const status = async (path: string, init?: RequestInit) => (await fetch(catcher.url + path, init)).status
const found = async (query: string) =>
  (await get(`/api/v1/search?query=${encodeURIComponent(query)}`)).messages.map(
    ({ Subject }: { Subject: string }) => Subject,
  )

beforeAll(async () => {
  catcher = await startCatcher()
  client = new MailpitClient(catcher.url)
})
beforeEach(async () => {
  await fetch(`${catcher.url}/api/v1/messages`, { method: 'DELETE' })
})
afterAll(() => catcher.stop())

const WELCOME: Mail.Options = {
  from: 'Shop Ä <shop@shop.example>',
  to: 'Jo Müller <jo@example.com>',
  cc: 'ann@example.com',
  bcc: 'secret@example.com',
  replyTo: 'help@shop.example',
  subject: 'Welcome, your code is 739105',
  text: 'Your code is 739105.\n',
  html: '<p>Your code is <b>739105</b> <img src="cid:logo@shop"><a href="https://shop.example/c?t=1">Confirm</a></p>',
  messageId: '<one@shop.example>',
  date: new Date('2026-03-01T10:00:00Z'),
  attachments: [
    { filename: 'invoice.pdf', content: Buffer.from('%PDF-1'), contentType: 'application/pdf' },
    {
      filename: 'logo.png',
      content: Buffer.from('PNG'),
      contentType: 'image/png',
      cid: 'logo@shop',
      contentDisposition: 'inline',
    },
  ],
}

describe('mailpit-api, the client for JavaScript', () => {
  test('lists, reads and deletes', async () => {
    await send(WELCOME)
    const list = await client.listMessages()
    expect(list).toMatchObject({
      total: 1,
      unread: 1,
      messages_count: 1,
      messages_unread: 1,
      start: 0,
      tags: [],
    })
    expect(list.messages[0]).toMatchObject({
      MessageID: 'one@shop.example',
      Read: false,
      From: { Name: 'Shop Ä', Address: 'shop@shop.example' },
      To: [{ Name: 'Jo Müller', Address: 'jo@example.com' }],
      Cc: [{ Name: '', Address: 'ann@example.com' }],
      Bcc: [{ Name: '', Address: 'secret@example.com' }],
      ReplyTo: [{ Name: '', Address: 'help@shop.example' }],
      Subject: 'Welcome, your code is 739105',
      Attachments: 1,
      Tags: [],
    })
    const { ID } = list.messages[0]!
    const message = await client.getMessageSummary(ID)
    expect(message).toMatchObject({
      ID,
      ReturnPath: 'shop@shop.example',
      Text: expect.stringContaining('Your code is 739105.'),
      HTML: expect.stringContaining('<b>739105</b>'),
      Attachments: [{ FileName: 'invoice.pdf', ContentType: 'application/pdf', Size: 6 }],
      Inline: [{ FileName: 'logo.png', ContentType: 'image/png', ContentID: 'logo@shop', Size: 3 }],
    })
    expect(new Date(message.Date)).toEqual(WELCOME.date)
    expect((await client.listMessages()).unread).toBe(0)
    const part = await client.getMessageAttachment(ID, message.Attachments[0]!.PartID)
    expect(await part.text()).toBe('%PDF-1')
    await client.deleteMessages({ IDs: [ID] })
    expect((await client.listMessages()).total).toBe(0)
  })

  test('reads the newest, its headers, its source and its views', async () => {
    await send({ ...WELCOME, subject: 'older' })
    await send(WELCOME)
    expect((await client.getMessageSummary()).Subject).toContain('739105')
    expect((await client.getMessageHeaders())['Message-Id']).toEqual(['<one@shop.example>'])
    expect(await client.getMessageSource()).toContain('Message-ID: <one@shop.example>')
    expect(await client.renderMessageText()).toContain('Your code is 739105.')
    const html = await client.renderMessageHTML()
    const [, path = ''] = /src="([^"]+)"/.exec(html) ?? []
    expect(await (await fetch(new URL(path, catcher.url))).text()).toBe('PNG')
    expect((await fetch(`${catcher.url}/view/latest.html?query=subject:older`)).status).toBe(200)
  })

  test('waits for a message that arrives later', async () => {
    const waiting = client.waitForMessage(
      { query: 'to:"later@example.com"' },
      { timeout: 20_000, interval: 100 },
    )
    await send({ to: 'later@example.com', subject: 'Late', text: 'code 111222' })
    expect((await waiting).Text).toContain('111222')
  })

  test('marks as read, searches, deletes by a search', async () => {
    for (const subject of ['one', 'two', 'three']) await send({ to: `${subject}@example.com`, subject })
    await client.setReadStatus({ Read: true, Search: 'subject:two' } as never)
    expect((await client.searchMessages({ query: 'is:unread' })).messages_count).toBe(2)
    for (const [query, messages_count, messages_unread] of [
      ['to:example.com', 3, 2],
      ['to:two@example.com', 1, 0],
    ] as const) {
      const counts = { total: 3, unread: 2, messages_count, messages_unread }
      expect(await client.searchMessages({ query })).toMatchObject(counts)
    }
    await client.setReadStatus({ Read: false })
    expect((await client.listMessages()).unread).toBe(3)
    await client.deleteMessagesBySearch({ query: 'to:one@example.com' })
    expect((await client.listMessages(1, 1)).messages.map(({ Subject }) => Subject)).toEqual(['two'])
    await client.deleteMessages()
    expect((await client.listMessages()).messages).toEqual([])
    expect(await client.getTags()).toEqual([])
    expect((await client.getInfo()).Messages).toBe(0)
  })
})

describe('helpers as projects write them', () => {
  test('poll the list, find by recipient, read the code by a regular expression', async () => {
    const since = new Date(Date.now() - 5000)
    const latestFor = async (address: string) => {
      const { messages } = await get('/api/v1/messages?limit=50')
      // biome-ignore lint/suspicious/noExplicitAny: as projects write it
      return (messages ?? []).find((m: any) => m.To.some((t: any) => t.Address === address))
    }
    await send({ to: 'other@example.com', subject: 'x' })
    await send({ to: 'jo@example.com', subject: 'Sign in', text: 'Enter 482913 to sign in.' })
    const { ID, Created } = await eventually('a mail for jo', () => latestFor('jo@example.com'))
    expect(new Date(Created).getTime()).toBeGreaterThan(since.getTime())
    const { Text } = await get(`/api/v1/message/${ID}`)
    expect(/\b(\d{6})\b/.exec(Text)?.[1]).toBe('482913')
  })

  test('wait until a view of the latest mail is there', async () => {
    const url = `${catcher.url}/view/latest.html?query=to:wait@example.com`
    expect((await fetch(url)).status).toBe(404)
    await send({ to: 'wait@example.com', subject: 'x', html: '<a href="https://shop.example/x">go</a>' })
    await eventually('the view', async () => (await fetch(url)).status === 200)
    expect(await (await fetch(url)).text()).toContain('https://shop.example/x')
  })

  test('count everything, delete everything', async () => {
    for (let n = 0; n < 4; n++) await send({ to: `u${n}@example.com, v@example.com`, subject: `mail ${n}` })
    expect((await get('/api/v1/messages')).total).toBe(4)
    expect(await status('/api/v1/messages', { method: 'DELETE', body: '{}' })).toBe(200)
    expect((await get('/api/v1/messages')).total).toBe(0)
  })

  test('ask whether it is ready', async () => {
    for (const path of ['/livez', '/readyz']) expect(await status(path)).toBe(200)
    expect((await fetch(`${catcher.url}/livez`)).headers.get('Date')).not.toBeNull()
  })

  test('ask for a doubled slash', async () => {
    await send({ to: 'jo@example.com', subject: 'x', html: '<b>x</b>' })
    const { messages } = await get('//api/v1/messages?limit=1')
    expect(await status(`//view/${messages[0].ID}.html`)).toBe(200)
  })
})

describe('searches', () => {
  beforeEach(async () => {
    await send({ ...WELCOME, attachments: [WELCOME.attachments![0]!] })
    await send({
      from: 'Bob <bob@x.test>',
      to: 'Eve <eve@example.com>',
      subject: 'Two words here',
      // A search for a whole address does not look into texts.
      text: 'lorem ipsum for jo@example.com',
    })
  })

  test.each<[string, ...string[]]>([
    ['to:jo@example.com', 'Welcome, your code is 739105'],
    ['to:"JO@example.com"', 'Welcome, your code is 739105'],
    ['to:müller', 'Welcome, your code is 739105'],
    ['jo@example.com', 'Welcome, your code is 739105'],
    ['-jo@example.com', 'Two words here'],
    ['addressed:"secret@example.com"', 'Welcome, your code is 739105'],
    ['bcc:secret', 'Welcome, your code is 739105'],
    ['reply-to:help@', 'Welcome, your code is 739105'],
    ['cc:ann', 'Welcome, your code is 739105'],
    ['from:bob', 'Two words here'],
    ['subject:"two words"', 'Two words here'],
    ['subject:two subject:here', 'Two words here'],
    ['subject:two subject:nothing'],
    ['lorem', 'Two words here'],
    ['7', 'Welcome, your code is 739105'],
    ['"lorem ipsum"', 'Two words here'],
    ['-lorem', 'Welcome, your code is 739105'],
    ['!from:bob', 'Welcome, your code is 739105'],
    ['to:example.com -subject:welcome', 'Two words here'],
    ['subject:two to:eve@example.com', 'Two words here'],
    ['subject:welcome to:eve@example.com'],
    ['message-id:one@shop', 'Welcome, your code is 739105'],
    ['has:attachment', 'Welcome, your code is 739105'],
    ['has:attachments', 'Welcome, your code is 739105'],
    ['is:tagged'],
    ['after:2020-01-01 from:bob', 'Two words here'],
    ['before:2020-01-01'],
    ['to:nobody@example.com'],
    ['to:<jo@example.com>', 'Welcome, your code is 739105'],
    ['message-id:<one@shop.example>', 'Welcome, your code is 739105'],
    ['has:inlines'],
    ['is:nothing'],
    ['larger:nothing'],
    ['"CODE is (739105), welcome"'],
    ['"code is (739105)"', 'Welcome, your code is 739105'],
    ['shop.example/c?t=1', 'Welcome, your code is 739105'],
    ['help@shop', 'Welcome, your code is 739105'],
    ['-to: from:bob', 'Two words here'],
    ['before:nonsense from:bob', 'Two words here'],
    ['-after:nonsense from:bob', 'Two words here'],
    ['after:1577836800 from:bob', 'Two words here'],
    ['after:1577836800000 from:bob', 'Two words here'],
    ['after:"Jan 2, 2020" from:bob', 'Two words here'],
    ['after:20200102 from:bob', 'Two words here'],
    ['after:"2020-01-02 10:00" from:bob', 'Two words here'],
    ['after:2020-01-02T10:00:00+02:00 from:bob', 'Two words here'],
    ['before:01/02/2020 from:bob'],
  ])('%s', async (query, ...subjects) => {
    expect(await found(query)).toEqual(subjects)
  })

  test('in a time zone; an unknown one counts as none', async () => {
    const clock = new Date(Date.now() + 9 * 3_600_000 + 60_000).toISOString().slice(0, 16).replace('T', ' ')
    const query = encodeURIComponent(`from:bob before:"${clock}"`)
    for (const zone of ['Asia/Tokyo', 'Mars/Olympus', '']) {
      expect((await get(`/api/v1/search?query=${query}&tz=${zone}`)).messages_count).toBe(1)
    }
    expect((await get(`/api/v1/search?query=${query}&tz=Australia/Sydney`)).messages_count).toBe(0)
  })

  test('and lists with a time that the mail arrived before', async () => {
    for (const path of ['/api/v1/messages?', '/api/v1/search?query=from:bob&']) {
      expect((await get(`${path}before=2020-01-01`)).messages).toEqual([])
      expect((await get(`${path}before=nonsense`)).messages).not.toEqual([])
    }
    expect((await get('/api/v1/messages?before=2020-01-01')).messages_count).toBe(2)
  })

  test('count the matches beside the whole', async () => {
    expect(await get('/api/v1/search?query=to:eve&limit=1')).toMatchObject({
      total: 2,
      messages_count: 1,
      messages_unread: 1,
      start: 0,
    })
  })
})

describe('details that suites depend on', () => {
  const newest = async () => get('/api/v1/message/latest')

  test('bodies have the line ends of the mail', async () => {
    await send({ to: 'jo@example.com', subject: 'x', text: 'one\n\\n\ntwo', html: '<p>one\ntwo</p>' })
    expect(await newest()).toMatchObject({
      Text: expect.stringContaining('one\r\n\\n\r\ntwo'),
      HTML: expect.stringContaining('one\r\ntwo'),
    })
    await send({
      to: 'jo@example.com',
      subject: 'x',
      text: 'one\ntwo',
      encoding: 'utf8',
      textEncoding: 'base64',
    })
    expect((await newest()).Text).toMatch(/one\r?\ntwo/)
  })

  test('members of a change are known in any case of letters', async () => {
    for (const subject of ['one', 'two']) await send({ to: 'jo@example.com', subject })
    const { messages } = await get('/api/v1/messages')
    const ids = [messages[0].ID]
    const change = (method: string, body: object) =>
      status('/api/v1/messages', { method, body: JSON.stringify(body) })
    expect(await change('PUT', { ids, read: true })).toBe(200)
    expect((await get('/api/v1/messages')).messages.map(({ Read }: { Read: boolean }) => Read)).toEqual([
      true,
      false,
    ])
    expect(await change('DELETE', { ids })).toBe(200)
    expect(await found('to:jo')).toEqual(['one'])
    for (const wrong of [{ Read: 'yes' }, { IDs: 'x' }, { Search: 1 }, []]) {
      expect(await change('PUT', wrong)).toBe(400)
    }
  })

  test('a limit of 0 lists everything, and finds nothing', async () => {
    for (const subject of ['one', 'two']) await send({ to: 'jo@example.com', subject })
    expect((await get('/api/v1/messages?limit=0')).messages).toHaveLength(2)
    expect(await get('/api/v1/search?query=jo&limit=0')).toMatchObject({ messages: [], messages_count: 2 })
  })

  test.each(['/api/v1/message/latest', '/view/latest.html', '/view/latest.txt'])(
    'GET %s marks the message as read, HEAD does not',
    async (path) => {
      await send({ to: 'jo@example.com', subject: 'x', html: '<p>x</p>' })
      expect(await status(path, { method: 'HEAD' })).toBe(200)
      expect(await found('is:unread')).toEqual(['x'])
      expect(await status(path)).toBe(200)
      expect(await found('is:unread')).toEqual([])
    },
  )

  test('parts without a name, the sender of a bounce, long texts', async () => {
    await send({
      to: 'jo@example.com',
      from: 'Mailer <mailer@shop.example>',
      envelope: { from: '', to: 'jo@example.com' },
      subject: 'x',
      text: 'word '.repeat(100),
      html: '<img src="cid:a@b">',
      date: new Date('2026-03-01T10:00:00Z'),
      attachments: [
        { content: 'x', filename: false, contentType: 'application/octet-stream' },
        { content: 'PNG', filename: false, contentType: 'image/png', cid: 'a@b' },
        { content: 'GIF', filename: false, contentType: 'image/gif', contentDisposition: 'inline' },
      ],
    })
    const message = await newest()
    expect(message).toMatchObject({ ReturnPath: 'mailer@shop.example', Date: '2026-03-01T10:00:00Z' })
    expect(message.Attachments).toEqual([])
    expect(message.Inline).toEqual([expect.objectContaining({ FileName: 'a@b' })])
    const [{ PartID }] = message.Inline
    const part = await fetch(`${catcher.url}/api/v1/message/${message.ID}/part/${PartID}`)
    expect(part.headers.get('Content-Disposition')).toMatch(/^inline; filename="a@b"/)
    await send({ to: 'jo@example.com', subject: 'x', text: 'word '.repeat(100) })
    const { messages } = await get('/api/v1/messages?limit=1')
    expect(messages[0].Snippet).toBe(`${'word '.repeat(40)}...`)
  })

  test.each([
    ['', null],
    ['?dl=0', null],
    ['?dl=1', expect.stringMatching(/^attachment; filename="[0-9A-Z]{26}\.eml"/)],
  ])('the source of a message is a download if that is asked for: %j', async (query, disposition) => {
    await send({ to: 'jo@example.com', subject: 'x' })
    const answer = await fetch(`${catcher.url}/api/v1/message/latest/raw${query}`)
    expect([answer.status, answer.headers.get('Content-Disposition')]).toEqual([200, disposition])
  })

  test('methods that a path does not have', async () => {
    expect(await status('/api/v1/messages', { method: 'OPTIONS' })).toBe(200)
    expect(await status('/api/v1/messages', { method: 'POST' })).toBe(405)
    expect(await status('/api/v1/info', { method: 'DELETE' })).toBe(405)
    await send({ to: 'jo@example.com', subject: 'x' })
    const page = await fetch(`${catcher.url}/view/latest`, { redirect: 'manual' })
    expect(page.status).toBe(302)
  })
})

describe('bad input', () => {
  test('is refused in plain text', async () => {
    for (const [path, wanted] of [
      ['/api/v1/search', 400],
      ['/api/v1/search?query=', 400],
      ['/api/v1/search?query=%20', 400],
      ['/api/v1/message/nothing', 404],
      ['/api/v1/message/latest', 404],
      ['/view/nothing.html', 404],
      ['/view/latest.txt', 404],
    ] as const) {
      const answer = await fetch(catcher.url + path)
      expect([path, answer.status]).toEqual([path, wanted])
      // A compressed answer of Mailpit has no type.
      expect(answer.headers.get('Content-Type') ?? 'text/plain').toMatch(/^text\/plain/)
    }
    const both = JSON.stringify({ Read: true, IDs: ['x'], Search: 'to:x' })
    expect(await status('/api/v1/messages', { method: 'PUT', body: both })).toBe(400)
    expect(await status('/api/v1/messages', { method: 'PUT', body: 'no json' })).toBe(400)
  })

  test.each(['', '?query=', '?query=%20'])('deletes nothing: a search with %j', async (query) => {
    await send({ to: 'jo@example.com', subject: 'x' })
    expect(await status(`/api/v1/search${query}`, { method: 'DELETE' })).toBe(400)
    expect((await get('/api/v1/messages')).total).toBe(1)
  })

  test('that is no number is ignored', async () => {
    await send({ to: 'jo@example.com', subject: 'x' })
    expect((await get('/api/v1/messages?start=x&limit=y')).messages).toHaveLength(1)
    expect(await get('/api/v1/messages?start=5')).toMatchObject({ total: 1, count: 0, messages: [] })
  })
})
