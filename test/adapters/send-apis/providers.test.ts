import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import sendgridMail from '@sendgrid/mail'
import Mailgun from 'mailgun.js'
import { Models, ServerClient } from 'postmark'
import { Resend } from 'resend'
import { headerOf, newAddress, startSendService, type TestService } from './setup.ts'

let service: TestService

beforeAll(async () => {
  service = await startSendService()
})

afterAll(() => service.stop())

const from = 'Shop <shop@example.com>'

describe('resend', () => {
  const client = () => new Resend('re_not_checked', { baseUrl: `${service.http}/resend` })

  test('a batch has one id for each email', async () => {
    const [ann, bob] = [newAddress(), newAddress()]
    const { data } = await client().batch.send([
      { from, to: ann, subject: 'A', text: 'a' },
      { from, to: bob, subject: 'B', text: 'b' },
    ])
    const ids = [ann, bob].map(async (to) => headerOf(await service.email(to), 'X-Mayfly-Send-Id'))
    expect(data?.data.map(({ id }) => id)).toEqual(await Promise.all(ids))
  })

  test('a permissive batch sends its valid emails, and names the others', async () => {
    const to = newAddress()
    const valid = { from, to, subject: 'x', text: 'x' }
    const batch = [{ ...valid, to: 'bad' }, valid, { ...valid, to: undefined as never }]
    const { data } = await client().batch.send(batch, { batchValidation: 'permissive' })
    expect(data?.data).toEqual([{ id: expect.any(String) }])
    expect(data?.errors).toEqual([
      { index: 0, message: 'Invalid email address: "bad"' },
      { index: 2, message: 'Missing `to` field.' },
    ])
    const { error } = await client().batch.send(batch, { batchValidation: 'strict' })
    expect(error).toMatchObject({ name: 'validation_error', statusCode: 422 })
    expect(await service.emails(to)).toHaveLength(1)
  })

  test('an idempotency key sends once; another body with it, or a key that is too long, is refused', async () => {
    const [to, other] = [newAddress(), newAddress()]
    const mail = { from, to, subject: 'Once', text: 'x' }
    const first = await client().emails.send(mail, { idempotencyKey: `sign-up/${to}` })
    const again = await client().emails.send(mail, { idempotencyKey: `sign-up/${to}` })
    expect(again.data).toEqual(first.data)
    await client().emails.send({ ...mail, to: other }, { idempotencyKey: `sign-up/${other}` })
    const changed = await client().emails.send({ ...mail, text: 'y' }, { idempotencyKey: `sign-up/${to}` })
    expect(changed.error).toMatchObject({ name: 'invalid_idempotent_request', statusCode: 409 })
    const long = await client().emails.send(mail, { idempotencyKey: 'x'.repeat(257) })
    expect(long.error).toMatchObject({ name: 'invalid_idempotency_key', statusCode: 400 })
    expect(await service.emails(to)).toHaveLength(1)
    expect(await service.emails(other)).toHaveLength(1)
  })

  test('an idempotency key of a failed request may be used again', async () => {
    const to = newAddress()
    const options = { idempotencyKey: `later/${to}` }
    const failed = await client().emails.send({ from, to, subject: 'x' } as never, options)
    expect(failed.error).not.toBeNull()
    expect((await client().emails.send({ from, to, subject: 'x', text: 'x' }, options)).error).toBeNull()
  })

  test('a batch with an idempotency key is sent once', async () => {
    const to = newAddress()
    const batch = [{ from, to, subject: 'A', text: 'a' }]
    const options = { idempotencyKey: `batch/${to}` }
    const first = await client().batch.send(batch, options)
    expect((await client().batch.send(batch, options)).data).toEqual(first.data)
    expect(await service.emails(to)).toHaveLength(1)
  })

  test('an attachment may be a list of bytes, as the SDK for Python sends it', async () => {
    const to = newAddress()
    const content = [...Buffer.from('hi\n')]
    const send = (bytes: number[]) =>
      client().emails.send({
        from,
        to,
        subject: 'x',
        text: 'x',
        attachments: [{ filename: 'a', content: bytes }],
      } as never)
    expect((await send(content)).error).toBeNull()
    expect(await service.attachment(await service.email(to), 0)).toEqual(Buffer.from(content))
    expect((await send([256])).error?.message).toContain('attachments.0.content')
  })

  test('a mail that was sent can be neither changed nor cancelled', async () => {
    const { data } = await client().emails.send({ from, to: newAddress(), subject: 'x', text: 'x' })
    const id = data?.id ?? ''
    expect((await client().emails.cancel(id)).error).toMatchObject({
      name: 'validation_error',
      statusCode: 422,
    })
    const update = { id, scheduledAt: '2030-01-01T00:00:00Z' }
    expect((await client().emails.update(update)).error).toMatchObject({ name: 'validation_error' })
    expect((await client().emails.cancel('none')).error).toMatchObject({ name: 'not_found' })
  })

  test('a sent email can be read by its id', async () => {
    const to = newAddress()
    const sent = await client().emails.send({
      from,
      to,
      subject: 'Hello',
      text: 'x',
      tags: [{ name: 'a', value: 'b' }],
    })
    const { data } = await client().emails.get(sent.data?.id ?? '')
    expect(data).toMatchObject({ to: [to], subject: 'Hello', last_event: 'delivered' })
    expect(headerOf(await service.email(to), 'X-Resend-Tag')).toBe('a=b')
    const { error } = await client().emails.get('00000000-0000-4000-8000-000000000000')
    expect(error).toMatchObject({ name: 'not_found' })
  })

  test('a template that only the provider has becomes a mail with its variables', async () => {
    const to = newAddress()
    await client().emails.send({ to, template: { id: 'signup', variables: { CODE: '482913' } } } as never)
    expect((await service.email(to)).body_text).toContain('CODE: 482913')
  })

  test.each([
    [{ from: undefined, subject: 'x', text: 'x' }, 'Missing `from` field.'],
    [{ to: undefined, subject: 'x', text: 'x' }, 'Missing `to` field.'],
    [{ subject: 'x' }, 'Missing `html` or `text` field.'],
    [{ text: 'x' }, 'Missing `subject` field.'],
  ])('%j is refused as a missing field', async (fields, message) => {
    const { error } = await client().emails.send({ from, to: newAddress(), ...fields } as never)
    expect(error).toMatchObject({ name: 'missing_required_field', statusCode: 422, message })
  })

  test.each([
    [{ attachments: [{ path: 'https://example.com/a.pdf' }] }, 'does not fetch'],
    [{ headers: { 'X-A': 'b\r\nBcc: c@d.example' } }, 'Invalid value of the header'],
    [{ to: 'bad' }, 'Invalid email address'],
  ])('%j is refused as an invalid one', async (fields, message) => {
    const mail = { from, to: newAddress(), subject: 'x', text: 'x', ...fields }
    const { error } = await client().emails.send(mail as never)
    expect(error).toMatchObject({ name: 'validation_error', statusCode: 422 })
    expect(error?.message).toContain(message)
  })

  test('an unknown operation is refused with the list of those that exist', async () => {
    const { error } = await client().domains.list()
    expect(error?.message).toContain('POST /emails/batch')
  })
})

describe('@sendgrid/mail', () => {
  const client = () => {
    const mail = new (sendgridMail.constructor as new () => typeof sendgridMail)()
    mail.setApiKey('SG.not-checked')
    // biome-ignore lint/suspicious/noExplicitAny: the SDK's types leave the client out
    ;(mail as any).client.setDefaultRequest('baseUrl', `${service.http}/sendgrid`)
    return mail
  }

  test.each(['to', 'cc', 'bcc'])(
    'an address that is also in %s is refused, as the provider does',
    async (field) => {
      const to = newAddress()
      // The first letter is a capital in both.
      const [first, second] = [to.toUpperCase(), to.replace(/^./, (letter) => letter.toUpperCase())]
      const again = field === 'to' ? [first, second] : second
      const personalizations = [{ to: newAddress() }, { to: first, [field]: again }]
      const sent = client().send({ from, subject: 'x', text: 'x', personalizations } as never)
      const { response } = await sent.then(
        () => {
          throw new Error('was accepted')
        },
        (error: { response: { statusCode: number; body: unknown } }) => error,
      )
      const message =
        'Each email address in the personalization block should be unique between to, cc, and bcc. ' +
        `We found the first duplicate instance of [${second}] in the personalizations.1.${field} field.`
      expect(response.body).toEqual({ errors: [{ message, field: null, help: null }] })
      expect(await service.emails(to)).toEqual([])
    },
  )

  test('each personalization is a separate mail', async () => {
    const [ann, bob] = [newAddress(), newAddress()]
    await client().send({
      from,
      subject: 'Hello',
      text: 'Dear -name-',
      categories: ['signup'],
      customArgs: { order: '17' },
      personalizations: [
        { to: ann, subject: 'Hello Ann', substitutions: { name: 'Ann' } },
        { to: bob, substitutions: { name: 'Bob' }, headers: { 'X-Row': '2' } },
      ],
      substitutionWrappers: ['-', '-'],
    } as never)
    const [first, second] = [await service.email(ann), await service.email(bob)]
    expect([first.subject, second.subject]).toEqual(['Hello Ann', 'Hello'])
    expect([first.body_text.trim(), second.body_text.trim()]).toEqual(['Dear Ann', 'Dear Bob'])
    expect(first.to.map(({ address }) => address)).toEqual([ann])
    expect(headerOf(second, 'X-Row')).toBe('2')
    expect(JSON.parse(headerOf(first, 'X-SMTPAPI') ?? '')).toEqual({
      category: ['signup'],
      unique_args: { order: '17' },
    })
  })

  test('a dynamic template becomes a mail with its data', async () => {
    const to = newAddress()
    await client().send({
      from,
      to,
      templateId: 'd-123',
      dynamicTemplateData: { user: { code: '771204' } },
    } as never)
    const email = await service.email(to)
    expect(email.subject).toBe('d-123')
    expect(email.body_text).toContain('user.code: 771204')
    expect(email.codes).toEqual(['771204'])
  })

  test('content of other types is a part of the mail', async () => {
    const to = newAddress()
    const calendar = { type: 'text/calendar; method=REQUEST', value: 'BEGIN:VCALENDAR\r\nEND:VCALENDAR' }
    const content = [{ type: 'text/plain', value: 'Hi' }, { type: 'text/html', value: '<b>Hi</b>' }, calendar]
    await client().send({ from, to, subject: 'x', content } as never)
    const email = await service.email(to)
    expect([email.body_text, email.body_html]).toEqual(['Hi', '<b>Hi</b>'])
    expect(email.attachments).toMatchObject([{ content_type: 'text/calendar', size: calendar.value.length }])
  })

  test('the sandbox mode stores nothing', async () => {
    const to = newAddress()
    const [answer] = await client().send({
      from,
      to,
      subject: 'x',
      text: 'x',
      mailSettings: { sandboxMode: { enable: true } },
    })
    expect(answer.statusCode).toBe(200)
    expect(await service.emails(to)).toEqual([])
  })

  test('a missing subject is refused with its name', async () => {
    const sending = client().send({ from, to: newAddress(), text: 'x' } as never)
    await expect(sending).rejects.toMatchObject({
      code: 400,
      response: { body: { errors: [{ message: 'The subject is required.' }] } },
    })
  })
})

describe('postmark', () => {
  const client = () =>
    new ServerClient('not-checked', {
      useHttps: false,
      requestHost: `${new URL(service.http).host}/postmark`,
    })

  test('tag, stream and metadata', async () => {
    const To = newAddress()
    await client().sendEmail({
      From: from,
      To,
      Subject: 'x',
      TextBody: 'x',
      Tag: 'signup',
      MessageStream: 'outbound',
      Metadata: { order: '17' },
    })
    const email = await service.email(To)
    expect(headerOf(email, 'Message-ID')).toMatch(/^<[\da-f-]{36}@[a-z.-]+>$/)
    expect(headerOf(email, 'X-PM-Tag')).toBe('signup')
    expect(headerOf(email, 'X-PM-Message-Stream')).toBe('outbound')
    expect(headerOf(email, 'X-PM-Metadata-order')).toBe('17')
  })

  test('a batch reports each of its messages', async () => {
    const To = newAddress()
    const results = await client().sendEmailBatch([
      { From: from, To, Subject: 'x', TextBody: 'x' },
      { From: from, To: 'ann@elsewhere.example', Subject: 'x', TextBody: 'x' },
      { From: from, To, Subject: 'x' },
      { To, Subject: 'x', TextBody: 'x' } as never,
    ])
    expect(results.map(({ ErrorCode }) => ErrorCode)).toEqual([0, 406, 300, 300])
    expect(headerOf(await service.email(To), 'X-Mayfly-Send-Id')).toBe(results[0]?.MessageID)
  })

  test('a template: created, sent with HTML escaped, deleted; then it has the name and the data', async () => {
    const To = newAddress()
    const template = new Models.CreateTemplateRequest(
      'Signup',
      'Hi {{name}}',
      '<p>{{name}}: {{code}}</p>',
      '{{name}}: {{code}}',
      'signup',
    )
    await client().createTemplate(template)
    const TemplateModel = { name: 'A & B', code: '482913' }
    await client().sendEmailWithTemplate({ From: from, To, TemplateAlias: 'signup', TemplateModel })
    const email = await service.email(To)
    expect(email.subject).toBe('Hi A & B')
    expect(email.body_html).toContain('<p>A &amp; B: 482913</p>')
    const [result] = await client().sendEmailBatchWithTemplates([
      { From: from, To: newAddress(), TemplateAlias: 'signup', TemplateModel },
    ])
    expect(result?.ErrorCode).toBe(0)
    await client().deleteTemplate('signup')
    const other = newAddress()
    await client().sendEmailWithTemplate({ From: from, To: other, TemplateAlias: 'signup', TemplateModel })
    expect(await service.email(other)).toMatchObject({ subject: 'signup', codes: ['482913'] })
  })
})

describe('mailgun.js', () => {
  const client = () =>
    new Mailgun(FormData).client({ username: 'api', key: 'not-checked', url: `${service.http}/mailgun` })

  test('with recipient variables each recipient gets a separate mail', async () => {
    const [ann, bob] = [newAddress(), newAddress()]
    await client().messages.create('mg.example.com', {
      from,
      to: [ann, bob],
      subject: 'Hello %recipient.name%',
      text: 'Your code is %recipient.code%',
      'recipient-variables': JSON.stringify({
        [ann]: { name: 'Ann', code: '111222' },
        [bob]: { name: 'Bob', code: '333444' },
      }),
    })
    const email = await service.email(ann)
    expect(email.subject).toBe('Hello Ann')
    expect(email.to.map(({ address }) => address)).toEqual([ann])
    expect((await service.email(bob)).codes).toEqual(['333444'])
  })

  test('tags, variables and AMP for Email', async () => {
    const to = newAddress()
    await client().messages.create('mg.example.com', {
      from,
      to,
      subject: 'x',
      text: 'x',
      'amp-html': '<html amp4email></html>',
      'o:tag': ['one', 'two'],
      'v:order': '17',
    })
    const email = await service.email(to)
    expect(email.headers.filter(({ name }) => name === 'X-Mailgun-Tag').map(({ value }) => value)).toEqual([
      'one',
      'two',
    ])
    expect(headerOf(email, 'X-Mailgun-Variables')).toBe('{"order":"17"}')
    expect(email.attachments).toMatchObject([{ content_type: 'text/x-amp-html', size: 23 }])
  })

  test('a MIME message is unchanged except for its id', async () => {
    const to = newAddress()
    const message = `From: ${from}\r\nTo: ${to}\r\nSubject: raw\r\n\r\nBody\r\n`
    const { id } = await client().messages.create('mg.example.com', { to: [to], message })
    const email = await service.email(to)
    expect(String(await service.raw(to, email.id))).toBe(`X-Mayfly-Send-Id: ${id}\r\n${message}`)
  })

  test('a missing sender is refused', async () => {
    const sending = client().messages.create('mg.example.com', { to: newAddress(), text: 'x' } as never)
    await expect(sending).rejects.toMatchObject({ status: 400, details: 'from parameter is missing' })
  })
})
