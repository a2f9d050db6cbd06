import { sendApis } from '../../adapters/send-apis/in-process.ts'
import type { Run } from './measure.ts'

const TO = 'a@mayfly.test'
const json = (path: string, body: (text: string) => object) => (text: string) =>
  `${path} ${JSON.stringify(body(text))}`

const resend = (fields: (text: string) => object) =>
  json('/resend/emails', (text) => ({ from: TO, to: TO, subject: 'x', text: 'x', ...fields(text) }))
const postmark = (fields: (text: string) => object) =>
  json('/postmark/email', (text) => ({ From: TO, To: TO, Subject: 'x', TextBody: 'x', ...fields(text) }))
const sendgrid = (fields: (text: string) => object) =>
  json('/sendgrid/v3/mail/send', (text) => ({
    personalizations: [{ to: [{ email: TO }] }],
    from: { email: TO },
    subject: 'x',
    content: [{ type: 'text/plain', value: 'x' }],
    ...fields(text),
  }))
const ses = (content: (text: string) => object, more: (text: string) => object = () => ({})) =>
  json('/ses/v2/email/outbound-emails', (text) => ({
    FromEmailAddress: TO,
    Destination: { ToAddresses: [TO] },
    Content: content(text),
    ...more(text),
  }))
const simple = { Simple: { Subject: { Data: 'x' }, Body: { Text: { Data: 'x' } } } }
const form = (path: string, fields: (text: string) => Record<string, string>) => (text: string) =>
  `${path} ${new URLSearchParams(fields(text))}`
const mailgun = (fields: (text: string) => Record<string, string>) =>
  form('/mailgun/v3/mayfly.test/messages', (text) => ({
    from: TO,
    to: TO,
    subject: 'x',
    text: 'x',
    ...fields(text),
  }))

/** An ordinary request with a text of this size. */
export const plainRequest = resend((text) => ({ text }))

/** For requests that repeat a text: its beginning, so that they are not larger than others. */
const part = (text: string, count: number) => text.slice(0, Math.ceil(text.length / count))

/** Requests whose fields are a stranger's text, as `path body`. */
export const sendFrames: ((text: string) => string)[] = [
  ...['from', 'to', 'cc', 'reply_to', 'subject', 'html', 'text'].map((name) =>
    resend((text) => ({ [name]: text })),
  ),
  resend((text) => ({ headers: { 'X-A': text, [text.slice(0, 90)]: 'x' } })),
  resend((text) => ({ attachments: [{ content: text, filename: 'x' }] })),
  resend((text) => ({
    attachments: [
      { content: 'QQ==', filename: part(text, 3), content_type: part(text, 3), content_id: part(text, 3) },
    ],
  })),
  resend((text) => ({ tags: [{ name: part(text, 2), value: part(text, 2) }] })),
  resend((text) => ({ template: { id: 'x', variables: { a: part(text, 2), b: { c: part(text, 2) } } } })),
  ...['From', 'To', 'Cc', 'ReplyTo', 'Subject', 'HtmlBody', 'TextBody', 'Tag'].map((name) =>
    postmark((text) => ({ [name]: text })),
  ),
  postmark((text) => ({
    Attachments: [{ Name: part(text, 3), Content: part(text, 3), ContentID: part(text, 3) }],
  })),
  postmark((text) => ({ Metadata: { a: part(text, 2) }, Headers: [{ Name: 'X-A', Value: part(text, 2) }] })),
  sendgrid((text) => ({ subject: part(text, 2), content: [{ type: 'text/html', value: part(text, 2) }] })),
  sendgrid((text) => ({ attachments: [{ content: part(text, 2), filename: part(text, 2) }] })),
  sendgrid((text) => ({
    personalizations: [
      {
        to: [{ email: TO, name: part(text, 2) }],
        substitutions: { '-n-': part(text, 2), [text.slice(0, 20)]: 'x' },
      },
    ],
    content: [{ type: 'text/plain', value: text }],
  })),
  ses((text) => ({
    Simple: {
      Subject: { Data: part(text, 3) },
      Body: { Text: { Data: part(text, 3) }, Html: { Data: part(text, 3) } },
    },
  })),
  ses((text) => ({ Raw: { Data: Buffer.from(`From: a@b.example\r\n${text}`).toString('base64') } })),
  ses((text) => ({ Raw: { Data: text } })),
  ses((text) => ({
    Template: {
      TemplateContent: { Subject: 'x', Text: part(text, 2) },
      TemplateData: JSON.stringify({ b: part(text, 2), l: [1, 2] }),
    },
  })),
  ses(
    () => simple,
    (text) => ({
      FromEmailAddress: part(text, 4),
      ReplyToAddresses: [part(text, 4)],
      EmailTags: [{ Name: part(text, 4), Value: part(text, 4) }],
    }),
  ),
  mailgun((text) => ({ text: part(text, 3), html: part(text, 3), subject: part(text, 3) })),
  mailgun((text) => ({ to: part(text, 3), 'h:X-A': part(text, 3), 'v:a': part(text, 3) })),
  mailgun((text) => ({ text, 'recipient-variables': JSON.stringify({ [TO]: { a: text.slice(0, 100) } }) })),
  (text) => `/mailgun/v3/mayfly.test/messages ${text}`,
  mailgun((text) => ({
    from: part(text, 4),
    cc: part(text, 4),
    'recipient-variables': part(text, 4),
    't:variables': part(text, 4),
  })),
  sendgrid((text) => ({
    personalizations: [
      {
        to: [{ email: part(text, 5) }],
        cc: [{ email: TO, name: part(text, 5) }],
        headers: { 'X-A': part(text, 5) },
      },
    ],
    from: { email: TO, name: part(text, 5) },
    custom_args: { a: part(text, 5) },
    reply_to: { email: part(text, 5) },
  })),
  json('/sendgrid/v3/mail/send', (text) => ({
    personalizations: text.split(' ', 4).map((name) => ({ to: [{ email: TO, name }] })),
    from: { email: TO },
    subject: 'x',
    content: [{ type: 'text/plain', value: 'x' }],
  })),
  ...['/resend/emails/batch', '/postmark/email/batch'].map((path) =>
    json(path, (text) =>
      text.split(' ', 4).map((word) => ({
        ...{ from: TO, to: TO, subject: word, text: word, From: TO, To: TO, Subject: word, TextBody: word },
      })),
    ),
  ),
  json('/postmark/email/batchWithTemplates', (text) => ({
    Messages: [1, 2, 3, 4].map(() => ({
      ...{ From: TO, To: TO, TemplateAlias: 'x', TemplateModel: { b: part(text, 8), l: [part(text, 8)] } },
    })),
  })),
  (text) => `/ses Action=SendEmail&${text}`,
  form('/ses', (text) => ({
    Action: 'SendEmail',
    Source: part(text, 3),
    'Destination.ToAddresses.member.1': TO,
    'Message.Subject.Data': part(text, 3),
    'Message.Body.Text.Data': part(text, 3),
  })),
  (text) => `/resend/emails ${text}`,
]

/** Sends a request to the send APIs of this process. */
export function sendRun(): Run {
  const { call, sent, records } = sendApis({ maxMessageBytes: 40_000_000 })
  return async (request) => {
    const space = request.indexOf(' ')
    const [path, body] = [request.slice(0, space), request.slice(space + 1)]
    const isForm = path.startsWith('/mailgun') || path === '/ses'
    await call('POST', path, isForm ? new URLSearchParams(body) : body)
    sent.length = 0
    records.length = 0
  }
}
