import { expect, test } from '@jest/globals'
import { type Answered, sendApis } from './in-process.ts'

const TO = 'a@mayfly.test'
const FROM = 'shop@shop.example'
const base64 = (text: string) => Buffer.from(text).toString('base64')
const FILE = base64('x')
const RAW = base64(`From: ${FROM}\nTo: ${TO}\n\nx`)
const NAMED = { Name: 'X-A', Value: 'b' }
const SES = { FromEmailAddress: FROM, Destination: { ToAddresses: [TO] }, EmailTags: [NAMED] }
const SES_FILE = { RawContent: FILE, FileName: 'a.txt' }
const SES_FORM = { Source: FROM, 'Destination.ToAddresses.member.1': TO }

/** A request with all that its provider requires: each of these members, and those inside of them. */
const REQUESTS: [path: string, body: object, required: string[]][] = [
  ['/resend/emails', { from: FROM, to: TO, subject: 'x', text: 'x' }, ['from', 'to', 'subject', 'text']],
  [
    '/resend/emails',
    { from: FROM, to: TO, subject: 'x', text: 'x', tags: [{ name: 'a', value: 'b' }] },
    ['tags.0.name', 'tags.0.value'],
  ],
  [
    '/sendgrid/v3/mail/send',
    {
      personalizations: [{ to: [{ email: TO }] }],
      from: { email: FROM },
      subject: 'x',
      content: [{ type: 'text/plain', value: 'x' }],
      attachments: [{ content: FILE, filename: 'a.txt' }],
    },
    [
      ...['personalizations', 'personalizations.0.to', 'personalizations.0.to.0.email', 'from', 'from.email'],
      ...['subject', 'content', 'content.0.type', 'content.0.value'],
      ...['attachments.0.content', 'attachments.0.filename'],
    ],
  ],
  [
    '/postmark/email',
    {
      From: FROM,
      To: TO,
      TextBody: 'x',
      Headers: [NAMED],
      Attachments: [{ Name: 'a.txt', Content: FILE }],
    },
    [
      'From',
      'To',
      'TextBody',
      'Headers.0.Name',
      'Headers.0.Value',
      'Attachments.0.Name',
      'Attachments.0.Content',
    ],
  ],
  [
    '/ses/v2/email/outbound-emails',
    {
      ...SES,
      Content: {
        Simple: {
          Subject: { Data: 'x' },
          Body: { Text: { Data: 'x' } },
          Headers: [NAMED],
          Attachments: [SES_FILE],
        },
      },
    },
    [
      ...[
        'FromEmailAddress',
        'Destination',
        'Content',
        'Content.Simple',
        'EmailTags.0.Name',
        'EmailTags.0.Value',
      ],
      ...['Content.Simple.Subject', 'Content.Simple.Subject.Data', 'Content.Simple.Body'],
      ...['Content.Simple.Body.Text.Data', 'Content.Simple.Headers.0.Name', 'Content.Simple.Headers.0.Value'],
      ...['Content.Simple.Attachments.0.RawContent', 'Content.Simple.Attachments.0.FileName'],
    ],
  ],
  [
    '/ses/v2/email/outbound-emails',
    { ...SES, Content: { Raw: { Data: RAW } } },
    ['Content.Raw', 'Content.Raw.Data'],
  ],
  [
    '/ses/v2/email/outbound-emails',
    { ...SES, Content: { Template: { TemplateContent: { Subject: 'x', Text: 'x' } } } },
    ['Content.Template', 'Content.Template.TemplateContent'],
  ],
  [
    '/ses/v2/email/outbound-bulk-emails',
    {
      FromEmailAddress: FROM,
      DefaultContent: { Template: { TemplateName: 'known', TemplateData: '{}' } },
      BulkEmailEntries: [{ Destination: { ToAddresses: [TO] }, ReplacementTags: [NAMED] }],
    },
    [
      ...[
        'FromEmailAddress',
        'DefaultContent',
        'DefaultContent.Template',
        'DefaultContent.Template.TemplateName',
      ],
      ...['BulkEmailEntries', 'BulkEmailEntries.0.ReplacementTags.0.Name'],
    ],
  ],
  [
    '/ses/v2/email/templates',
    { TemplateName: 'new', TemplateContent: { Subject: 'x', Text: 'x' } },
    ['TemplateName', 'TemplateContent'],
  ],
  ['/ses/v2/email/templates/known/render', { TemplateData: '{}' }, ['TemplateData']],
  [
    '/ses SendEmail',
    { ...SES_FORM, 'Message.Subject.Data': 'x', 'Message.Body.Text.Data': 'x' },
    ['Source', 'Destination', 'Message', 'Message.Subject', 'Message.Body'],
  ],
  ['/ses SendRawEmail', { 'RawMessage.Data': RAW }, ['RawMessage']],
  [
    '/ses SendTemplatedEmail',
    { ...SES_FORM, Template: 'known', TemplateData: '{}' },
    ['Source', 'Destination', 'Template', 'TemplateData'],
  ],
  [
    '/ses SendBulkTemplatedEmail',
    {
      Source: FROM,
      Template: 'known',
      DefaultTemplateData: '{}',
      'Destinations.member.1.Destination.ToAddresses.member.1': TO,
    },
    ['Source', 'Template', 'Destinations'],
  ],
  [
    '/ses CreateTemplate',
    { 'Template.TemplateName': 'new', 'Template.SubjectPart': 'x', 'Template.TextPart': 'x' },
    ['Template', 'Template.TemplateName'],
  ],
  [
    '/ses UpdateTemplate',
    { 'Template.TemplateName': 'known', 'Template.SubjectPart': 'x', 'Template.TextPart': 'x' },
    ['Template', 'Template.TemplateName'],
  ],
  ['/ses GetTemplate', { TemplateName: 'known' }, ['TemplateName']],
  ['/ses DeleteTemplate', { TemplateName: 'known' }, ['TemplateName']],
  [
    '/ses TestRenderTemplate',
    { TemplateName: 'known', TemplateData: '{}' },
    ['TemplateName', 'TemplateData'],
  ],
  ['/ses VerifyEmailIdentity', { EmailAddress: FROM }, ['EmailAddress']],
]

const NO_RECIPIENT = 'The message has no recipient.'
const NO_CONTENT = 'Content must have one of Simple, Raw and Template.'
const NO_TEMPLATE = 'Template needs TemplateName, TemplateArn or TemplateContent.'
/** What a refusal says, where it is not that the member is missing. */
const MESSAGES: Record<string, string> = {
  '/resend/emails from': 'Missing `from` field.',
  '/resend/emails to': 'Missing `to` field.',
  '/resend/emails subject': 'Missing `subject` field.',
  '/resend/emails text': 'Missing `html` or `text` field.',
  '/sendgrid/v3/mail/send subject': 'The subject is required.',
  '/sendgrid/v3/mail/send content': 'The content is required, or a template_id.',
  '/postmark/email To': NO_RECIPIENT,
  '/postmark/email TextBody': 'Provide either email TextBody or HtmlBody or both.',
  '/ses/v2/email/outbound-emails Destination': NO_RECIPIENT,
  '/ses/v2/email/outbound-emails Content.Simple': NO_CONTENT,
  '/ses/v2/email/outbound-emails Content.Raw': NO_CONTENT,
  '/ses/v2/email/outbound-emails Content.Template': NO_CONTENT,
  '/ses/v2/email/outbound-emails Content.Template.TemplateContent': NO_TEMPLATE,
  '/ses/v2/email/outbound-bulk-emails DefaultContent.Template.TemplateName': NO_TEMPLATE,
}

/** Sends a request; an action of SES version 1 as a form. Its service has the template "known". */
async function answerTo(path: string, body: object): Promise<Answered> {
  const { call } = sendApis()
  const TemplateContent = { Subject: 'x', Text: 'x' }
  await call('POST', '/ses/v2/email/templates', { TemplateName: 'known', TemplateContent })
  const [target = '', Action] = path.split(' ')
  const sent = Action === undefined ? body : new URLSearchParams({ Action, ...body })
  return call('POST', target, sent)
}

/** The body without a member, which a form has as the beginning of names. */
function without(path: string, body: object, member: string): object {
  const isOf = (name: string) => name === member || name.startsWith(`${member}.`)
  if (path.includes(' ')) return Object.fromEntries(Object.entries(body).filter(([name]) => !isOf(name)))
  const copy = JSON.parse(JSON.stringify(body)) as object
  const names = member.split('.')
  const last = names.pop()!
  // biome-ignore lint/suspicious/noExplicitAny: JSON of any shape
  delete names.reduce((value: any, name) => value[name], copy)[last]
  return copy
}

test.each(REQUESTS)('%s is accepted: %j', async (path, body) => {
  expect((await answerTo(path, body)).status).toBeLessThan(300)
})

test.each(
  REQUESTS.flatMap(([path, body, required]) => required.map((member) => [path, member, body] as const)),
)('%s is refused without %s', async (path, member, body) => {
  const answered = await answerTo(path, without(path, body, member))
  const status = /resend|postmark/.test(path) ? 422 : 400
  const message = MESSAGES[`${path} ${member}`] ?? `Missing required field: ${member}.`
  expect(reasonOf(answered)).toBe(`${status} ${message}`)
})

/** The status and the message of a refusal. */
function reasonOf({ status, text, json }: Answered): string {
  const message = json?.errors?.[0].message ?? json?.message ?? json?.Message
  return `${status} ${message ?? /<Message>(.*)<\/Message>/.exec(text)?.[1]}`
}

const MAIL = { from: FROM, to: TO, subject: 'x', text: 'x' }

test.each<[reason: string, path: string, body: unknown]>([
  [`422 ${NO_RECIPIENT}`, '/resend/emails', { ...MAIL, to: [] }],
  ['400 The raw message has no header.', '/ses SendRawEmail', { 'RawMessage.Data': base64('\n\nx') }],
  [
    "400 Missing required header 'From'.",
    '/ses SendRawEmail',
    { 'RawMessage.Data': base64(`To: ${TO}\n\nx`) },
  ],
  ['422 Invalid header name: "a b"', '/resend/emails', { ...MAIL, headers: { 'a b': 'c' } }],
  ['422 Invalid value of the header a', '/resend/emails', { ...MAIL, headers: { a: 'b\nc' } }],
  ['400 The domain of the path is not valid.', '/mailgun/v3/a_b/messages', new URLSearchParams(MAIL)],
  ['400 The request body is not a form (multipart/form-data).', '/mailgun/v3/shop.example/messages', MAIL],
])('"%s" %s', async (reason, path, body) => {
  const { call } = sendApis()
  const [target = '', Action] = path.split(' ')
  const sent = Action === undefined ? body : new URLSearchParams({ Action, ...(body as object) })
  expect(reasonOf(await call('POST', target, sent as object))).toBe(reason)
})
