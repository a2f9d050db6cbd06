import { describe, expect, test } from '@jest/globals'
import { Problem } from '../../../core/errors.ts'
import { RECIPIENTS_MAX } from '../../../core/limits.ts'
import { CLIENT, fieldOf, NOW, sendApis } from './in-process.ts'

const TO = 'bot@mayfly.test'
const FROM = 'shop@example.com'
const resendMail = { from: FROM, to: TO, subject: 'x', text: 'x' }

describe('every request', () => {
  test('is reported, without its query', async () => {
    const began = performance.now()
    const { call, records, sent } = sendApis()
    const { status, headers } = await call('POST', '/resend/emails?key=secret', resendMail)
    expect(records).toEqual([
      {
        requestId: headers.get('X-Request-Id'),
        method: 'POST',
        path: '/resend/emails',
        status,
        ms: expect.any(Number),
        error: undefined,
      },
    ])
    expect(records[0]!.ms).toBeLessThanOrEqual(performance.now() - began)
    expect(sent).toMatchObject([
      {
        envelope: { mailFrom: FROM, recipients: [TO], visibleAfter: { 'mayfly.test': 'now' } },
        client: CLIENT,
      },
    ])
  })

  test.each<[string, object]>([
    ['/resend/emails', resendMail],
    ['/sendgrid/v3/mail/send', sendgridMail()],
    ['/postmark/email', postmarkMail()],
    ['/ses/v2/email/outbound-emails', sesMail()],
  ])('to %s that meets a fault is "unavailable", and only the report has its text', async (path, body) => {
    const fault = new Error('SQLITE_CORRUPT')
    for (const [failed, error] of [
      [fault, fault],
      [new Problem('unavailable', 'SQLITE_FULL'), undefined],
    ]) {
      const apis = sendApis({ deliver: () => Promise.reject(failed) })
      const answer = await apis.call('POST', path, body)
      expect([answer.status, apis.records[0]?.error]).toEqual([503, error])
      expect(answer.text).not.toContain('SQLITE')
    }
  })

  test('to a service without faults delivers to an address that requests one', async () => {
    const to = 'bot+smtp.550@mayfly.test'
    const { call, sent } = sendApis({ faults: false })
    expect((await call('POST', '/resend/emails', { ...resendMail, to })).status).toBe(200)
    expect(sent).toHaveLength(1)
  })

  test('for an address that requests it drops the connection', async () => {
    const { call, dropped, records } = sendApis()
    await call('POST', '/resend/emails', { ...resendMail, to: 'bot+smtp.drop@mayfly.test' })
    expect([dropped, records[0]?.error]).toEqual([['/resend/emails'], undefined])
  })

  test('has at most as many recipients as a message by SMTP', async () => {
    const { call, sent } = sendApis()
    const send = (count: number) => {
      const To = Array.from({ length: count }, (_, n) => `bot${n}@mayfly.test`).join(', ')
      return call('POST', '/postmark/email', { ...postmarkMail(), To })
    }
    expect((await send(RECIPIENTS_MAX)).status).toBe(200)
    const { status, json } = await send(RECIPIENTS_MAX + 1)
    expect([status, json.Message]).toEqual([422, `Recipient count exceeds ${RECIPIENTS_MAX}.`])
    expect(sent).toHaveLength(1)
  })

  test('may have a message up to the limit', async () => {
    const { call, sent } = sendApis({ maxMessageBytes: 2000 })
    const send = (text: string) => call('POST', '/resend/emails', { ...resendMail, text })
    await send('x')
    const rest = 2000 - sent[0]!.raw.length
    const line = (bytes: number) => `${'x'.repeat(70)}\r\n`.repeat(bytes / 72) + 'x'.repeat(bytes % 72)
    expect((await send(line(1 + rest))).status).toBe(200)
    expect(sent[1]!.raw).toHaveLength(2000)
    expect(await send(line(2 + rest))).toMatchObject({
      status: 413,
      json: { message: 'Message length is more than 2000 bytes long.' },
    })
  })

  test.each<[path: string, body: object, required: string[]]>([
    ['/resend/emails', resendMail, ['from', 'to', 'subject', 'text']],
    ['/sendgrid/v3/mail/send', sendgridMail(), ['from', 'personalizations', 'subject', 'content']],
    ['/postmark/email', postmarkMail(), ['From', 'To', 'TextBody']],
    ['/ses/v2/email/outbound-emails', sesMail(), ['FromEmailAddress', 'Destination', 'Content']],
    ['/mailgun/v3/mayfly.test/messages', resendMail, ['from', 'to', 'text']],
  ])('to %s without a required field is refused, and sends nothing', async (path, body, required) => {
    const { call, sent } = sendApis()
    const statusWithout = async (left?: string) => {
      const fields = Object.entries(body).filter(([name]) => name !== left)
      const form = () => new URLSearchParams(fields)
      return (await call('POST', path, path.startsWith('/mailgun') ? form() : Object.fromEntries(fields)))
        .status
    }
    for (const field of required) {
      const status = await statusWithout(field)
      expect([field, status, Math.floor(status / 100)]).toEqual([field, status, 4])
    }
    expect(sent).toEqual([])
    expect(await statusWithout()).toBeLessThan(300)
    expect(sent).toHaveLength(1)
  })

  test('may set its own Reply-To and Message-ID, and no other field of the message', async () => {
    const { call, sent } = sendApis()
    const headers = {
      'Reply-To': 'a@example.com',
      'Message-ID': '<own@example.com>',
      'x-mayfly-send-id': 'forged',
      SUBJECT: 'forged',
      From: 'forged@example.com',
      To: 'forged@example.com',
      Cc: 'forged@example.com',
      Bcc: 'forged@example.com',
      'Content-Type': 'text/forged',
      'content-transfer-encoding': 'forged',
      'MIME-Version': 'forged',
    }
    const { json } = await call('POST', '/resend/emails', { ...resendMail, headers })
    const names = ['Reply-To', 'Message-ID', 'X-Mayfly-Send-Id', 'Subject']
    expect(names.map((name) => fieldOf(sent[0]!, name))).toEqual([
      'a@example.com',
      '<own@example.com>',
      json.id,
      'x',
    ])
    expect(sent[0]!.raw).not.toContain('forged')
    await call('POST', '/resend/emails', resendMail)
    expect(fieldOf(sent[1]!, 'Message-ID')).toMatch(/^<[\w-]+@email\.resend\.com>$/)
  })
})

function sendgridMail(fields: object = {}) {
  return {
    from: { email: FROM },
    personalizations: [{ to: [{ email: TO }] }],
    subject: 'x',
    content: [{ type: 'text/plain', value: 'x' }],
    ...fields,
  }
}

function postmarkMail() {
  return { From: FROM, To: TO, Subject: 'x', TextBody: 'x' }
}

function sesMail(fields: object = {}) {
  return {
    FromEmailAddress: FROM,
    Destination: { ToAddresses: [TO] },
    Content: { Simple: { Subject: { Data: 'x' }, Body: { Text: { Data: 'x' } } } },
    ...fields,
  }
}

describe('resend', () => {
  test('a batch has at most 100 emails, and is refused before any of it is sent', async () => {
    const { call, sent } = sendApis()
    const batch = (mails: object[]) => call('POST', '/resend/emails/batch', JSON.stringify(mails))
    expect((await batch(Array(101).fill(resendMail))).json.message).toContain('expected at most 100 emails')
    expect((await batch([resendMail, { ...resendMail, text: undefined }])).status).toBe(422)
    expect(sent).toEqual([])
    expect((await batch(Array(100).fill(resendMail))).json.data).toHaveLength(100)
  })

  test('an attachment may be a Buffer in JSON; an address list has at most 50', async () => {
    const { call, sent } = sendApis()
    const content = JSON.parse(JSON.stringify(Buffer.from('file')))
    const attachments = [{ content, filename: 'a.bin', content_id: 'cid1' }]
    expect((await call('POST', '/resend/emails', { ...resendMail, attachments })).status).toBe(200)
    expect(sent[0]!.raw).toContain(Buffer.from('file').toString('base64'))
    expect(sent[0]!.raw).toContain('Content-ID: <cid1>')
    const to = Array(51).fill(TO)
    expect((await call('POST', '/resend/emails', { ...resendMail, to })).status).toBe(422)
    expect((await call('POST', '/resend/emails', { ...resendMail, to: to.slice(1) })).status).toBe(200)
  })
})

describe('sendgrid', () => {
  test('an accepted message is 202 without a body, with the id of the message', async () => {
    const { call, sent } = sendApis()
    const { status, text, headers } = await call('POST', '/sendgrid/v3/mail/send', sendgridMail())
    expect([status, text]).toEqual([202, ''])
    expect(fieldOf(sent[0]!, 'X-Mayfly-Send-Id')).toBe(headers.get('X-Message-Id'))
    const mail_settings = { sandbox_mode: { enable: true } }
    const tried = await call('POST', '/sendgrid/v3/mail/send', sendgridMail({ mail_settings }))
    expect([tried.status, tried.text, sent.length]).toEqual([200, '', 1])
  })

  test('an error names the field at fault', async () => {
    const { call } = sendApis()
    const errors = async (fields: object) =>
      (await call('POST', '/sendgrid/v3/mail/send', sendgridMail(fields))).json.errors
    expect(await errors({ from: {} })).toMatchObject([{ field: 'from.email', help: null }])
    expect(await errors({ subject: undefined })).toMatchObject([
      { field: null, message: 'The subject is required.' },
    ])
    expect(await errors({ content: [] })).toMatchObject([
      { message: 'The content is required, or a template_id.' },
    ])
    expect(await errors({ personalizations: [{ to: [] }] })).toMatchObject([
      { field: 'personalizations.0.to' },
    ])
    expect(await errors({ personalizations: Array(1001).fill({ to: [{ email: TO }] }) })).toMatchObject([
      { field: 'personalizations' },
    ])
  })

  test('reply addresses, the sender of a personalization, and headers of both levels', async () => {
    const { call, sent } = sendApis()
    const fields = {
      reply_to_list: [{ email: 'r1@example.com' }, { email: 'r2@example.com', name: null }],
      headers: { 'X-A': 'mail', 'X-B': 'mail' },
      personalizations: [
        {
          from: { email: 'own@example.com', name: 'Own' },
          to: [{ email: TO }],
          headers: { 'X-B': 'own' },
          custom_args: { a: 1 },
        },
      ],
      custom_args: { a: 0, b: 2 },
    }
    expect((await call('POST', '/sendgrid/v3/mail/send', sendgridMail(fields))).status).toBe(202)
    const names = ['Reply-To', 'From', 'X-A', 'X-B']
    expect(names.map((name) => fieldOf(sent[0]!, name))).toEqual([
      'r1@example.com, r2@example.com',
      'Own <own@example.com>',
      'mail',
      'own',
    ])
    const words = fieldOf(sent[0]!, 'X-SMTPAPI')!.replace(/=\?UTF-8\?Q\?|\?=\s*/g, '')
    expect(JSON.parse(decodeURIComponent(words.replaceAll('=', '%')))).toEqual({
      unique_args: { a: 1, b: 2 },
    })
    expect(sent[0]!.envelope.mailFrom).toBe('own@example.com')
  })

  // django-anymail sends the values of a legacy template so, and others a blank beside a template.
  test('values of a template arrive as substitutions too, and beside a text', async () => {
    const { call, sent } = sendApis()
    const fields = {
      template_id: 'legacy',
      personalizations: [{ to: [{ email: TO }], substitutions: { ':code:': '482913' } }],
    }
    for (const value of [undefined, ' ', 'Hello :code:']) {
      const content = value === undefined ? undefined : [{ type: 'text/plain', value }]
      await call('POST', '/sendgrid/v3/mail/send', sendgridMail({ ...fields, content }))
    }
    const text = (raw: string) => raw.slice(raw.indexOf('\r\n\r\n') + 4)
    expect(sent.map(({ raw }) => text(raw))).toEqual([
      ':code:: 482913\r\n',
      ':code:: 482913\r\n',
      'Hello 482913\r\n\r\n:code:: 482913\r\n',
    ])
  })
})

describe('postmark', () => {
  test('a batch has at most 500 messages', async () => {
    const { call } = sendApis()
    const batch = (count: number) =>
      call('POST', '/postmark/email/batch', JSON.stringify(Array(count).fill(postmarkMail())))
    // As many as Postmark accepts.
    expect((await batch(500)).json).toHaveLength(500)
    expect((await batch(501)).status).toBe(422)
  })

  test('a template without an alias has an id, by which it is read, sent and deleted', async () => {
    const { call, sent } = sendApis()
    const template = { Name: 'n', Subject: 'Hi {{name}}', TextBody: 'x' }
    const { json } = await call('POST', '/postmark/templates', template)
    const TemplateId = NOW % 1_000_000_000
    const shown = { TemplateId, Name: 'n', Alias: null, Active: true, TemplateType: 'Standard' }
    expect(json).toEqual(shown)
    const read = await call('GET', `/postmark/templates/${TemplateId}`)
    expect(read.json).toMatchObject({ TemplateId, Subject: 'Hi {{name}}', Active: true })
    const { Subject: _, TextBody: __, ...mail } = postmarkMail()
    await call('POST', '/postmark/email/withTemplate', { ...mail, TemplateId, TemplateModel: { name: 'A' } })
    expect(fieldOf(sent[0]!, 'Subject')).toBe('Hi A')
    expect((await call('POST', '/postmark/templates', template)).json.ErrorCode).toBe(1125)
    expect((await call('POST', '/postmark/templates', { ...template, Alias: 'full' })).json.ErrorCode).toBe(
      1105,
    )
    const removed = { ErrorCode: 0, Message: 'Template removed.' }
    expect((await call('DELETE', `/postmark/templates/${TemplateId}`)).json).toEqual(removed)
    const missing = await call('DELETE', `/postmark/templates/${TemplateId}`)
    expect([missing.status, missing.json.ErrorCode]).toEqual([422, 1101])
    const TemplateModel = {
      name: 'Ann',
      code: '482913',
      links: [{ url: 'https://a.example/verify?token=x' }],
    }
    await call('POST', '/postmark/email/withTemplate', { ...mail, TemplateAlias: 'theirs', TemplateModel })
    expect(fieldOf(sent[1]!, 'Subject')).toBe('theirs')
    expect(sent[1]!.raw).toContain(
      'name: Ann\r\ncode: 482913\r\nlinks.0.url: https://a.example/verify?token=x',
    )
    const none = await call('POST', '/postmark/email/withTemplate', mail)
    expect(none.json).toMatchObject({ ErrorCode: 1101, Message: expect.stringContaining('(none)') })
    expect((await call('POST', '/postmark/templates', { Subject: '{{#if' })).json.ErrorCode).toBe(1109)
  })

  test('what is optional may be null', async () => {
    const { call } = sendApis()
    const optional = ['Cc', 'Bcc', 'ReplyTo', 'Tag', 'Headers', 'Metadata', 'MessageStream', 'Attachments']
    const nulls = Object.fromEntries(optional.map((name) => [name, null]))
    const { json } = await call('POST', '/postmark/email', { ...postmarkMail(), ...nulls })
    expect(json).toMatchObject({ Message: 'OK' })
  })

  test('the result repeats the recipients and has the time', async () => {
    const { call } = sendApis()
    const { json } = await call('POST', '/postmark/email', { ...postmarkMail(), Cc: null, Bcc: TO })
    expect(json).toEqual({
      To: TO,
      Bcc: TO,
      SubmittedAt: '2026-11-21T00:00:00.000Z',
      MessageID: expect.any(String),
      ErrorCode: 0,
      Message: 'OK',
    })
  })
})

describe('mailgun', () => {
  const form = (fields: Record<string, string | File | string[]>) => {
    const data = new FormData()
    for (const [name, value] of Object.entries({ from: FROM, to: TO, subject: 'x', ...fields }))
      for (const one of [value].flat()) data.append(name, one)
    return data
  }
  const PATH = '/mailgun/v3/mg.example.com/messages'

  test('an accepted message has an id of the domain, which is its Message-ID', async () => {
    const { call, sent } = sendApis()
    const mime = { message: new File([`From: ${FROM}\r\nSubject: x\r\n\r\nx`], 'mime') }
    for (const [path, fields] of [
      [PATH, { text: 'x' }],
      [`${PATH}.mime`, mime],
    ] as const) {
      const { status, json } = await call('POST', path, form(fields))
      expect([status, json]).toEqual([
        200,
        { id: expect.stringMatching(/^<[\da-f]{32}@mg\.example\.com>$/), message: 'Queued. Thank you.' },
      ])
      if (path === PATH) expect(fieldOf(sent[0]!, 'Message-ID')).toBe(json.id)
    }
    expect(sent).toHaveLength(2)
  })

  test('a variable that a recipient does not have stays as it is', async () => {
    const { call, sent } = sendApis()
    const variables = { 'recipient-variables': JSON.stringify({ [TO]: { name: 'Ann' } }) }
    const to = [TO, 'other@mayfly.test']
    const html = '<b>%recipient.name% %recipient.toString%</b>'
    await call('POST', PATH, form({ ...variables, to, subject: '%recipient.name%!', html }))
    expect(sent.map((one) => [one.envelope.recipients, fieldOf(one, 'Subject')])).toEqual([
      [[TO], 'Ann!'],
      [['other@mayfly.test'], '%recipient.name%!'],
    ])
    expect(sent[0]!.raw).toContain('<b>Ann %recipient.toString%</b>')
    const many = Array.from({ length: 1001 }, (_, n) => `bot${n}@mayfly.test`)
    const refused = await call('POST', PATH, form({ ...variables, to: many, text: 'x' }))
    expect([refused.status, refused.json.message]).toEqual([400, 'At most 1000 recipients.'])
  })

  test.each([
    [{}, "Need at least one of 'text' or 'html' parameters specified"],
    [{ to: [], text: 'x' }, 'to parameter is missing'],
    [{ text: 'x', attachment: 'no file' }, 'An attachment must be a file.'],
    [{ text: 'x', template: 't', 't:variables': '[]' }, 'expected an object'],
    [{ text: 'x', template: 't', 't:variables': '{' }, 't:variables is not valid JSON.'],
    [{ text: 'x', 'recipient-variables': '{"a":1}' }, 'expected an object'],
  ])('%j is refused: %s', async (fields, message) => {
    const { call, sent } = sendApis()
    const { status, json } = await call('POST', PATH, form(fields))
    expect([status, json.message]).toEqual([400, expect.stringContaining(message)])
    expect(sent).toEqual([])
  })

  test('a template becomes a mail with its variables, of any of the three forms', async () => {
    for (const fields of [
      { 't:variables': '{"code":"482913"}' },
      { 'h:X-Mailgun-Variables': '{"code":"482913"}' },
      { 'v:code': '482913' },
    ] as Record<string, string>[]) {
      const { call, sent } = sendApis()
      const { status } = await call('POST', PATH, form({ ...fields, template: 'signup' }))
      expect([fields, status, sent[0]!.raw]).toEqual([fields, 200, expect.stringContaining('code: 482913')])
    }
  })

  test('an empty text beside a template, as django-anymail sends it, does not replace its variables', async () => {
    const { call, sent } = sendApis()
    const variables = { 'v:code': '%recipient.code%', 'recipient-variables': `{"${TO}":{"code":"482913"}}` }
    await call('POST', PATH, form({ ...variables, template: 'signup', text: '' }))
    expect(sent[0]!.raw).toMatch(/\r\n\r\ncode: 482913\r\n$/)
  })

  test('a file alone is enough, and an unknown type is named by the file', async () => {
    const { call, sent } = sendApis()
    const type = 'application/octet-stream'
    const inline = new File(['b'], 'b.png', { type: 'image/png' })
    await call('POST', PATH, form({ attachment: new File(['a'], 'a.pdf', { type }), inline }))
    expect(sent[0]!.raw).toMatch(/Content-Type: application\/pdf; name=a\.pdf/)
    // Only an inline file has an id, by which the HTML names it.
    expect(sent[0]!.raw.match(/Content-ID: .*/g)).toEqual(['Content-ID: <b.png>'])
  })

  test('a MIME message must be given', async () => {
    const { call } = sendApis()
    const { status, json } = await call('POST', `${PATH}.mime`, form({}))
    expect([status, json.message]).toEqual([400, 'message parameter is missing'])
  })
})

describe('SES', () => {
  const V2 = '/ses/v2/email/outbound-emails'
  const v1 = (Action: string, parameters: Record<string, string> = {}) =>
    new URLSearchParams({ Action, ...parameters })

  test('the return path is the envelope sender, of a raw message too', async () => {
    const { call, sent } = sendApis()
    const FeedbackForwardingEmailAddress = 'bounces@example.com'
    await call('POST', V2, sesMail({ FeedbackForwardingEmailAddress }))
    const Raw = { Data: Buffer.from(`From: ${FROM}\r\nTo: ${TO}\r\n\r\nx`).toString('base64') }
    await call('POST', V2, { FeedbackForwardingEmailAddress, Content: { Raw } })
    await call('POST', V2, { Content: { Raw } })
    expect(sent.map(({ envelope }) => envelope.mailFrom)).toEqual([
      'bounces@example.com',
      'bounces@example.com',
      FROM,
    ])
  })

  test.each(['SendPigeon', 'toString'])('the action %s of the query API is unknown', async (Action) => {
    const { call } = sendApis()
    const { status, text } = await call('POST', '/ses', v1(Action))
    expect([status, text]).toEqual([400, expect.stringContaining('<Code>InvalidAction</Code>')])
    expect(text).toContain(`The action ${Action} does not exist. Actions: `)
  })

  test('a template is found by its ARN', async () => {
    const { call, sent } = sendApis()
    await call('POST', '/ses/v2/email/templates', {
      TemplateName: 't',
      TemplateContent: { Subject: 'By ARN' },
    })
    const send = (Template: object) => call('POST', V2, sesMail({ Content: { Template } }))
    await send({ TemplateArn: 'arn:aws:ses:eu-central-1:1:template/t' })
    expect(fieldOf(sent[0]!, 'Subject')).toBe('By ARN')
    expect((await send({})).json.message).toBe('Template needs TemplateName, TemplateArn or TemplateContent.')
    expect((await call('POST', V2, sesMail({ Content: {} }))).json.message).toBe(
      'Content must have one of Simple, Raw and Template.',
    )
  })

  test('a bulk request has at most 50 entries, with headers of the template and of each entry', async () => {
    const { call, sent } = sendApis()
    const Template = {
      TemplateContent: { Subject: 'x' },
      Headers: [{ Name: 'X-All', Value: 'a' }],
      Attachments: [{ RawContent: 'eA==', FileName: 'a.txt', ContentId: '<c1>', ContentType: null }],
    }
    const bulk = (count: number) =>
      call('POST', '/ses/v2/email/outbound-bulk-emails', {
        FromEmailAddress: FROM,
        DefaultContent: { Template },
        BulkEmailEntries: Array(count).fill({
          Destination: { ToAddresses: [TO] },
          ReplacementHeaders: [{ Name: 'X-One', Value: 'b' }],
        }),
      })
    expect((await bulk(51)).json.message).toBe('Number of destinations exceeds 50.')
    expect((await bulk(50)).json.BulkEmailEntryResults).toHaveLength(50)
    expect(['X-All', 'X-One'].map((name) => fieldOf(sent[49]!, name))).toEqual(['a', 'b'])
    expect(sent[49]!.raw).toContain('Content-ID: <c1>')
  })

  test('templates are listed in pages of ten, of at most a hundred', async () => {
    const { call } = sendApis()
    const name = (n: number) => `t${String(n).padStart(3, '0')}`
    for (let n = 0; n < 101; n++) {
      const content = { TemplateName: name(n), TemplateContent: { Subject: 'x' } }
      expect((await call('POST', '/ses/v2/email/templates', content)).json).toEqual({})
    }
    const list = async (query: string) => (await call('GET', `/ses/v2/email/templates${query}`)).json
    for (const [query, count, next] of [
      ['', 10, name(9)],
      ['?PageSize=0', 10, name(9)],
      ['?PageSize=-5', 1, name(0)],
      ['?PageSize=1000', 100, name(99)],
      [`?PageSize=100&NextToken=${name(0)}`, 100, undefined],
      [`?NextToken=${name(98)}`, 2, undefined],
      [`?PageSize=2&NextToken=${name(98)}`, 2, undefined],
    ] as const) {
      const { TemplatesMetadata, NextToken } = await list(query)
      expect([query, TemplatesMetadata.length, NextToken]).toEqual([query, count, next])
    }
    const [first] = (await list('')).TemplatesMetadata
    expect(first).toEqual({ TemplateName: name(0), CreatedTimestamp: NOW / 1000 })
    const page = await call('POST', '/ses', v1('ListTemplates', { MaxItems: '1', NextToken: name(1) }))
    expect(page.text).toContain(
      `<member><Name>${name(2)}</Name><CreatedTimestamp>2026-11-21T00:00:00.000Z</CreatedTimestamp></member></TemplatesMetadata><NextToken>${name(2)}<`,
    )
  })

  test.each([
    ['PUT', '/absent', { TemplateContent: { Subject: 'x' } }, 404, 'NotFoundException'],
    ['DELETE', '/absent', undefined, 404, 'NotFoundException'],
    ['POST', '', { TemplateName: 'a b', TemplateContent: { Subject: 'x' } }, 400, 'BadRequestException'],
    [
      'POST',
      '',
      { TemplateName: 'x'.repeat(65), TemplateContent: { Subject: 'x' } },
      400,
      'BadRequestException',
    ],
    ['POST', '', { TemplateName: 'a', TemplateContent: { Subject: '' } }, 400, 'BadRequestException'],
    ['POST', '', { TemplateName: 'full', TemplateContent: { Subject: 'x' } }, 400, 'LimitExceededException'],
  ])('%s of the template %s with %j is refused', async (method, path, body, status, type) => {
    const answer = await sendApis().call(method, `/ses/v2/email/templates${path}`, body)
    expect([answer.status, answer.headers.get('x-amzn-ErrorType')]).toEqual([status, type])
    expect(answer.headers.get('x-amzn-RequestId')).toBe(answer.headers.get('X-Request-Id'))
  })

  test('an error of version 1 says who is at fault', async () => {
    const send = v1('SendEmail', {
      Source: FROM,
      'Destination.ToAddresses.member.1': TO,
      'Message.Subject.Data': 'x',
      'Message.Body.Text.Data': 'x',
    })
    const failing = await sendApis({ deliver: () => Promise.reject(new Error('x')) }).call(
      'POST',
      '/ses',
      send,
    )
    expect([failing.status, failing.text]).toEqual([
      503,
      expect.stringContaining('<Error><Type>Receiver</Type><Code>ServiceUnavailable</Code>'),
    ])
    const { call, sent } = sendApis()
    const refused = await call('POST', '/ses', v1('SendEmail', { Source: FROM }))
    expect([refused.status, refused.headers.get('Content-Type'), refused.text]).toEqual([
      400,
      'text/xml',
      expect.stringContaining('<Error><Type>Sender</Type><Code>InvalidParameterValue</Code>'),
    ])
    const accepted = await call('POST', '/ses', send)
    const id = fieldOf(sent[0]!, 'X-Mayfly-Send-Id')
    expect(accepted.text).toContain(`<SendEmailResult><MessageId>${id}</MessageId></SendEmailResult>`)
    expect(accepted.text).toContain(`<RequestId>${accepted.headers.get('X-Request-Id')}</RequestId>`)
  })

  test('version 1 sends a raw message from and to those that the request names', async () => {
    const { call, sent } = sendApis()
    const raw = {
      'RawMessage.Data': Buffer.from(`From: ${FROM}\r\nTo: other@mayfly.test\r\n\r\nx`).toString('base64'),
    }
    const named = { Source: 'Own <own@example.com>', 'Destinations.member.1': TO }
    expect((await call('POST', '/ses', v1('SendRawEmail', { ...raw, ...named }))).status).toBe(200)
    expect((await call('POST', '/ses', v1('SendRawEmail', { ...raw, Destinations: '' }))).status).toBe(200)
    expect(sent.map(({ envelope }) => [envelope.mailFrom, envelope.recipients])).toEqual([
      ['own@example.com', [TO]],
      [FROM, ['other@mayfly.test']],
    ])
  })
})
