import {
  CreateTemplateCommand,
  DeleteTemplateCommand,
  GetIdentityVerificationAttributesCommand,
  GetSendQuotaCommand,
  GetTemplateCommand,
  ListIdentitiesCommand,
  ListTemplatesCommand,
  SESClient,
  SendBulkTemplatedEmailCommand,
  SendEmailCommand as SendEmailV1,
  SendRawEmailCommand,
  SendTemplatedEmailCommand,
  TestRenderTemplateCommand,
  UpdateTemplateCommand,
  VerifyEmailIdentityCommand,
} from '@aws-sdk/client-ses'
import {
  AlreadyExistsException,
  BadRequestException,
  CreateEmailIdentityCommand,
  CreateEmailTemplateCommand,
  DeleteEmailTemplateCommand,
  GetAccountCommand,
  GetContactListCommand,
  GetEmailIdentityCommand,
  GetEmailTemplateCommand,
  ListEmailIdentitiesCommand,
  ListEmailTemplatesCommand,
  MessageRejected,
  NotFoundException,
  SESv2Client,
  SendBulkEmailCommand,
  SendEmailCommand,
  TestRenderEmailTemplateCommand,
  TooManyRequestsException,
  UpdateEmailTemplateCommand,
} from '@aws-sdk/client-sesv2'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { headerOf, newAddress, startSendService, type TestService } from './setup.ts'

let service: TestService
let v1: SESClient
let v2: SESv2Client

beforeAll(async () => {
  service = await startSendService()
  v1 = new SESClient(options(1))
  v2 = new SESv2Client(options(1))
})

const options = (maxAttempts: number) => ({
  endpoint: `${service.http}/ses`,
  region: 'us-east-1',
  credentials: { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'not-checked' },
  maxAttempts,
})

afterAll(() => service.stop())

const Source = 'Shop <shop@example.com>'
const welcome = {
  Subject: 'Welcome, {{name}}',
  Text: 'Hello {{name}}, your code is {{code}}.{{#if items}}{{#each items}} {{this}}{{/each}}{{/if}}',
  Html: '<p>Hello {{name}}, your code is <b>{{code}}</b></p>',
}

/** A raw message whose bytes would change if the service rebuilt it. */
function rawMail(to: string, more = ''): Buffer {
  return Buffer.concat([
    Buffer.from(
      `From: "Shop" <shop@example.com>\r\nTo: ${to}\r\n${more}subject:  odd   spacing \r\nX-Folded: one\r\n two\r\n\r\n`,
    ),
    Buffer.from('bare\nline feeds, 8 bit \xe4, and a trailing blank \r\n.\r\n', 'latin1'),
  ])
}

describe('version 2', () => {
  test('a raw message is unchanged except for its id and its Bcc field', async () => {
    const [to, bcc] = [newAddress(), newAddress()]
    const Data = rawMail(to, `Bcc: Ann\r\n <${bcc}>\r\n`)
    const { MessageId } = await v2.send(new SendEmailCommand({ Content: { Raw: { Data } } }))
    const expected = Buffer.concat([Buffer.from(`X-Mayfly-Send-Id: ${MessageId}\r\n`), rawMail(to)])
    for (const address of [to, bcc]) {
      const { id } = await service.email(address)
      expect((await service.raw(address, id)).toString('latin1')).toBe(expected.toString('latin1'))
    }
  })

  test('the destination and the sender of the request replace those of a raw message', async () => {
    const [named, to] = [newAddress(), newAddress()]
    await v2.send(
      new SendEmailCommand({
        FromEmailAddress: 'bounces@example.com',
        Destination: { ToAddresses: [to] },
        Content: { Raw: { Data: rawMail(named) } },
      }),
    )
    expect((await service.email(to)).mail_from).toBe('bounces@example.com')
    expect(await service.emails(named)).toEqual([])
  })

  test('a raw message without a header is refused', async () => {
    const sending = v2.send(new SendEmailCommand({ Content: { Raw: { Data: Buffer.from('no header') } } }))
    await expect(sending).rejects.toThrow(BadRequestException)
  })

  test('a stored template is rendered without HTML escaping', async () => {
    await v2.send(new CreateEmailTemplateCommand({ TemplateName: 'Welcome', TemplateContent: welcome }))
    const to = newAddress()
    await v2.send(
      new SendEmailCommand({
        FromEmailAddress: Source,
        Destination: { ToAddresses: [to] },
        Content: {
          Template: {
            TemplateName: 'Welcome',
            TemplateData: '{"name": "Ann & <i>Bob</i>", "code": "591037", "items": ["a", "b"]}',
          },
        },
        EmailTags: [{ Name: 'flow', Value: 'signup' }],
        ConfigurationSetName: 'main',
      }),
    )
    const email = await service.email(to)
    expect(email.subject).toBe('Welcome, Ann & <i>Bob</i>')
    expect(email.body_text.trim()).toBe('Hello Ann & <i>Bob</i>, your code is 591037. a b')
    expect(email.body_html).toContain('Hello Ann & <i>Bob</i>, your code is <b>591037</b>')
    expect(email.codes).toEqual(['591037'])
    expect(headerOf(email, 'X-SES-MESSAGE-TAGS')).toBe('flow=signup')
    expect(headerOf(email, 'X-SES-CONFIGURATION-SET')).toBe('main')
  })

  test('an inline template', async () => {
    const to = newAddress()
    await v2.send(
      new SendEmailCommand({
        FromEmailAddress: Source,
        Destination: { ToAddresses: [to] },
        Content: {
          Template: {
            TemplateContent: { Subject: 'Hi {{who.name}}', Text: 'x' },
            TemplateData: '{"who":{"name":"Ann"}}',
          },
        },
      }),
    )
    expect((await service.email(to)).subject).toBe('Hi Ann')
  })

  test.each([
    ['{"code": "1"}', "Attribute 'name' is not present"],
    ['not JSON', 'TemplateData is not valid JSON'],
    ['["name"]', 'expected an object'],
  ])('template data %s is refused', async (TemplateData, message) => {
    const sending = v2.send(
      new SendEmailCommand({
        FromEmailAddress: Source,
        Destination: { ToAddresses: [newAddress()] },
        Content: { Template: { TemplateContent: welcome, TemplateData } },
      }),
    )
    await expect(sending).rejects.toThrow(BadRequestException)
    await expect(sending).rejects.toThrow(message)
  })

  test('a nested attribute that is missing is refused', async () => {
    const sending = v2.send(
      new SendEmailCommand({
        FromEmailAddress: Source,
        Destination: { ToAddresses: [newAddress()] },
        Content: {
          Template: { TemplateContent: { Subject: '{{a.b}}', Text: 'x' }, TemplateData: '{"a":{}}' },
        },
      }),
    )
    await expect(sending).rejects.toThrow("Attribute 'a.b' is not present")
  })

  test('an unknown template is the SDK’s NotFoundException', async () => {
    const sending = v2.send(
      new SendEmailCommand({
        FromEmailAddress: Source,
        Destination: { ToAddresses: [newAddress()] },
        Content: { Template: { TemplateName: 'Absent', TemplateData: '{}' } },
      }),
    )
    await expect(sending).rejects.toThrow(NotFoundException)
  })

  test('bulk: each entry has its own result, data and tags', async () => {
    const [ann, bob] = [newAddress(), newAddress()]
    const { BulkEmailEntryResults } = await v2.send(
      new SendBulkEmailCommand({
        FromEmailAddress: Source,
        DefaultEmailTags: [{ Name: 'run', Value: '1' }],
        DefaultContent: {
          Template: { TemplateContent: welcome, TemplateData: '{"name": "you", "code": "100200"}' },
        },
        BulkEmailEntries: [
          {
            Destination: { ToAddresses: [ann] },
            ReplacementEmailContent: { ReplacementTemplate: { ReplacementTemplateData: '{"name": "Ann"}' } },
            ReplacementTags: [{ Name: 'who', Value: 'ann' }],
          },
          { Destination: { ToAddresses: [bob] } },
          { Destination: { ToAddresses: ['eve@elsewhere.example'] } },
          { Destination: { ToAddresses: [newAddress('+smtp.450')] } },
        ],
      }),
    )
    expect(BulkEmailEntryResults?.map(({ Status }) => Status)).toEqual([
      'SUCCESS',
      'SUCCESS',
      'MESSAGE_REJECTED',
      'ACCOUNT_THROTTLED',
    ])
    const email = await service.email(ann)
    expect(email.subject).toBe('Welcome, Ann')
    expect(headerOf(email, 'X-Mayfly-Send-Id')).toBe(BulkEmailEntryResults?.[0]?.MessageId)
    expect(headerOf(email, 'X-SES-MESSAGE-TAGS')).toBe('run=1, who=ann')
    expect((await service.email(bob)).subject).toBe('Welcome, you')
  })

  test('templates: create, list in pages, get, update, render, delete', async () => {
    for (const n of [1, 2, 3]) {
      await v2.send(new CreateEmailTemplateCommand({ TemplateName: `page-${n}`, TemplateContent: welcome }))
    }
    const creating = v2.send(
      new CreateEmailTemplateCommand({ TemplateName: 'page-1', TemplateContent: welcome }),
    )
    await expect(creating).rejects.toThrow(AlreadyExistsException)

    const names: (string | undefined)[] = []
    let NextToken: string | undefined
    do {
      const page = await v2.send(new ListEmailTemplatesCommand({ PageSize: 1, NextToken }))
      for (const { TemplateName, CreatedTimestamp } of page.TemplatesMetadata ?? []) {
        names.push(TemplateName)
        expect(CreatedTimestamp).toBeInstanceOf(Date)
      }
      NextToken = page.NextToken
    } while (NextToken !== undefined)
    expect(names).toEqual(expect.arrayContaining(['page-1', 'page-2', 'page-3']))

    await v2.send(
      new UpdateEmailTemplateCommand({ TemplateName: 'page-1', TemplateContent: { Subject: 'New {{x}}' } }),
    )
    const found = await v2.send(new GetEmailTemplateCommand({ TemplateName: 'page-1' }))
    expect(found.TemplateContent).toEqual({ Subject: 'New {{x}}' })
    const rendered = await v2.send(
      new TestRenderEmailTemplateCommand({ TemplateName: 'page-1', TemplateData: '{"x": "subject"}' }),
    )
    expect(rendered.RenderedTemplate).toContain('Subject: New subject')
    await v2.send(new DeleteEmailTemplateCommand({ TemplateName: 'page-1' }))
    const getting = v2.send(new GetEmailTemplateCommand({ TemplateName: 'page-1' }))
    await expect(getting).rejects.toThrow(NotFoundException)
  })

  test.each([
    { Text: '{{#if x}' },
    { Text: '{{#each}}{{/if}}' },
    { Html: '{{#if x}' },
    { Subject: '{{#if x}' },
  ])('the template %j is refused', async (part) => {
    const TemplateContent = { Subject: 'x', ...part }
    const creating = v2.send(new CreateEmailTemplateCommand({ TemplateName: 'broken', TemplateContent }))
    await expect(creating).rejects.toThrow(BadRequestException)
  })

  test('a template that does not end is interrupted, and the service still answers', async () => {
    const Text = '{{#*inline "p"}}{{> p}}{{> p}}{{/inline}}{{> p}}'
    const list = JSON.stringify({ a: Array.from({ length: 3000 }, (_, i) => i) })
    for (const content of [Text, '{{#each a}}{{#each ../a}}{{#each ../../a}}x{{/each}}{{/each}}{{/each}}']) {
      const sending = v2.send(
        new SendEmailCommand({
          FromEmailAddress: Source,
          Destination: { ToAddresses: [newAddress()] },
          Content: { Template: { TemplateContent: { Subject: 'x', Text: content }, TemplateData: list } },
        }),
      )
      await expect(sending).rejects.toThrow(BadRequestException)
    }
    expect((await fetch(`${service.http}/api/health`)).status).toBe(200)
  })

  test('the SDK’s own retries pass greylisting', async () => {
    const to = newAddress('+smtp.451x2')
    const client = new SESv2Client(options(3))
    await client.send(
      new SendEmailCommand({
        FromEmailAddress: Source,
        Destination: { ToAddresses: [to] },
        Content: { Simple: { Subject: { Data: 'x' }, Body: { Text: { Data: 'x' } } } },
      }),
    )
    expect(await service.emails(to)).toHaveLength(1)
  })

  test('typed errors: MessageRejected, TooManyRequestsException, BadRequestException', async () => {
    const send = (to: string[], FromEmailAddress?: string) =>
      v2.send(
        new SendEmailCommand({
          FromEmailAddress,
          Destination: { ToAddresses: to },
          Content: { Simple: { Subject: { Data: 'x' }, Body: { Text: { Data: 'x' } } } },
        }),
      )
    await expect(send(['ann@elsewhere.example'], Source)).rejects.toThrow(MessageRejected)
    await expect(send([newAddress('+smtp.421')], Source)).rejects.toThrow(TooManyRequestsException)
    await expect(send([newAddress()])).rejects.toThrow('Missing required field: FromEmailAddress')
    await expect(send([], Source)).rejects.toThrow(BadRequestException)
    await expect(
      send(
        Array.from({ length: 51 }, () => newAddress()),
        Source,
      ),
    ).rejects.toThrow('Recipient count')
  })

  test('GetAccount', async () => {
    const { SendingEnabled, SendQuota } = await v2.send(new GetAccountCommand({}))
    expect(SendingEnabled).toBe(true)
    expect(SendQuota?.MaxSendRate).toBeGreaterThan(0)
  })

  test('an unknown operation is refused with the list of those that exist', async () => {
    const getting = v2.send(new GetContactListCommand({ ContactListName: 'x' }))
    await expect(getting).rejects.toThrow('POST /v2/email/outbound-emails')
  })
})

describe('version 1', () => {
  const send = (to: string[], more: object = {}) =>
    v1.send(
      new SendEmailV1({
        Source,
        Destination: { ToAddresses: to },
        Message: { Subject: { Data: 'x <&> y' }, Body: { Text: { Data: 'x' } } },
        ...more,
      }),
    )

  test('tags and the return path', async () => {
    const to = newAddress()
    await send([to], { ReturnPath: 'Bounces <bounces@example.com>', Tags: [{ Name: 'a', Value: 'b' }] })
    const email = await service.email(to)
    expect(email.mail_from).toBe('bounces@example.com')
    expect(email.from.address).toBe('shop@example.com')
    expect(headerOf(email, 'X-SES-MESSAGE-TAGS')).toBe('a=b')
    expect(email.subject).toBe('x <&> y')
  })

  test('empty lists, which the SDK sends as empty texts', async () => {
    const to = newAddress()
    await send([to], {
      Destination: { ToAddresses: [], CcAddresses: [], BccAddresses: [to] },
      ReplyToAddresses: [],
    })
    expect(headerOf(await service.email(to), 'Reply-To')).toBeUndefined()
    const RawMessage = { Data: rawMail(to) }
    await v1.send(new SendRawEmailCommand({ RawMessage, Destinations: [] }))
    expect(await service.emails(to)).toHaveLength(2)
    const none = await v1.send(new GetIdentityVerificationAttributesCommand({ Identities: [] }))
    expect(none.VerificationAttributes).toEqual({})
  })

  test('a raw message to the recipients of its header', async () => {
    const [to, bcc] = [newAddress(), newAddress()]
    const RawMessage = { Data: rawMail(to, `Bcc: ${bcc}\r\n`) }
    const { MessageId } = await v1.send(new SendRawEmailCommand({ RawMessage }))
    expect(headerOf(await service.email(bcc), 'X-Mayfly-Send-Id')).toBe(MessageId)
    expect(await service.emails(to)).toHaveLength(1)
  })

  test('templates: create, list, get, update, send, bulk, render, delete', async () => {
    const part = { SubjectPart: welcome.Subject, TextPart: welcome.Text, HtmlPart: welcome.Html }
    await v1.send(new CreateTemplateCommand({ Template: { TemplateName: 'v1', ...part } }))
    const creating = v1.send(new CreateTemplateCommand({ Template: { TemplateName: 'v1', ...part } }))
    await expect(creating).rejects.toMatchObject({ name: 'AlreadyExistsException' })
    const { TemplatesMetadata } = await v1.send(new ListTemplatesCommand({ MaxItems: 100 }))
    expect(TemplatesMetadata?.map(({ Name }) => Name)).toContain('v1')
    expect((await v1.send(new GetTemplateCommand({ TemplateName: 'v1' }))).Template).toMatchObject(part)

    const [ann, bob] = [newAddress(), newAddress()]
    await v1.send(
      new SendTemplatedEmailCommand({
        Source,
        Destination: { ToAddresses: [ann] },
        Template: 'v1',
        TemplateData: '{"name": "Ann", "code": "330915"}',
      }),
    )
    expect((await service.email(ann)).codes).toEqual(['330915'])
    const { Status } = await v1.send(
      new SendBulkTemplatedEmailCommand({
        Source,
        Template: 'v1',
        DefaultTemplateData: '{"name": "you", "code": "100200"}',
        DefaultTags: [{ Name: 'run', Value: '1' }],
        Destinations: [
          {
            Destination: { ToAddresses: [bob] },
            ReplacementTemplateData: '{"name": "Bob"}',
            ReplacementTags: [{ Name: 'who', Value: 'bob' }],
          },
          { Destination: { ToAddresses: ['eve@elsewhere.example'] } },
        ],
      }),
    )
    expect(Status?.map((one) => one.Status)).toEqual(['Success', 'MessageRejected'])
    const email = await service.email(bob)
    expect([email.subject, headerOf(email, 'X-SES-MESSAGE-TAGS')]).toEqual(['Welcome, Bob', 'run=1, who=bob'])

    await v1.send(new UpdateTemplateCommand({ Template: { TemplateName: 'v1', SubjectPart: 'Now {{x}}' } }))
    const rendered = await v1.send(
      new TestRenderTemplateCommand({ TemplateName: 'v1', TemplateData: '{"x":"<y>"}' }),
    )
    expect(rendered.RenderedTemplate).toContain('Subject: Now <y>')
    await v1.send(new DeleteTemplateCommand({ TemplateName: 'v1' }))
    const getting = v1.send(new GetTemplateCommand({ TemplateName: 'v1' }))
    await expect(getting).rejects.toMatchObject({ name: 'TemplateDoesNotExistException' })
  })

  test('quota, and the verification of an identity', async () => {
    expect((await v1.send(new GetSendQuotaCommand({}))).MaxSendRate).toBeGreaterThan(0)
    await v1.send(new VerifyEmailIdentityCommand({ EmailAddress: 'shop@example.com' }))
  })

  test('an unknown action is refused with the list of those that exist', async () => {
    const answer = await fetch(`${service.http}/ses`, {
      method: 'POST',
      body: new URLSearchParams({ Action: 'X' }),
    })
    expect(answer.status).toBe(400)
    expect(await answer.text()).toContain('SendRawEmail')
  })
})

test('every identity is verified, and lists name those that were created', async () => {
  const created = await v2.send(new CreateEmailIdentityCommand({ EmailIdentity: 'shop.example' }))
  expect(created).toMatchObject({ IdentityType: 'DOMAIN', VerifiedForSendingStatus: true })
  await v1.send(new VerifyEmailIdentityCommand({ EmailAddress: 'ann@shop.example' }))
  const { EmailIdentities } = await v2.send(new ListEmailIdentitiesCommand({}))
  const listed = [
    expect.objectContaining({ IdentityName: 'shop.example', VerificationStatus: 'SUCCESS' }),
    expect.objectContaining({ IdentityName: 'ann@shop.example', IdentityType: 'EMAIL_ADDRESS' }),
  ]
  expect(EmailIdentities).toEqual(expect.arrayContaining(listed))
  const { Identities } = await v1.send(new ListIdentitiesCommand({}))
  expect(Identities).toEqual(expect.arrayContaining(['shop.example', 'ann@shop.example']))
  const other = await v2.send(new GetEmailIdentityCommand({ EmailIdentity: 'other@b.example' }))
  expect(other).toMatchObject({ IdentityType: 'EMAIL_ADDRESS', VerifiedForSendingStatus: true })
  const names = ['shop.example', 'a<b@c.example']
  const attributes = await v1.send(new GetIdentityVerificationAttributesCommand({ Identities: names }))
  expect(attributes.VerificationAttributes).toEqual(
    Object.fromEntries(names.map((name) => [name, { VerificationStatus: 'Success' }])),
  )
})

test.each([0, 1, 320, 321])('an identity of %i characters is created if it has 1 to 320', async (length) => {
  const identity = 'd'.repeat(length)
  const isValid = length >= 1 && length <= 320
  const status = async (sent: Promise<unknown>) =>
    sent.then(
      () => 200,
      (error) => error.$metadata.httpStatusCode,
    )
  expect(await status(v2.send(new CreateEmailIdentityCommand({ EmailIdentity: identity })))).toBe(
    isValid ? 200 : 400,
  )
  expect(await status(v1.send(new VerifyEmailIdentityCommand({ EmailAddress: identity })))).toBe(
    isValid ? 200 : 400,
  )
})
