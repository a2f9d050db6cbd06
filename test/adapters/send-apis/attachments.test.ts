import { expect, test } from '@jest/globals'
import { sendApis } from './in-process.ts'

const TO = 'bot@mayfly.test'
const FROM = 'shop@example.com'
const CONTENT = Buffer.from('content').toString('base64')

/** An attachment as the JSON of each provider has it. */
interface Given {
  name: string
  type: string | null
  id?: string
  isInline?: boolean
}

const PROVIDERS: Record<string, { path: string; mail: (given: Given) => object }> = {
  Resend: {
    path: '/resend/emails',
    mail: ({ name, type, id }) => ({
      from: FROM,
      to: TO,
      subject: 'x',
      text: 'x',
      attachments: [{ filename: name, content: CONTENT, content_type: type, content_id: id }],
    }),
  },
  SendGrid: {
    path: '/sendgrid/v3/mail/send',
    mail: ({ name, type, id, isInline }) => ({
      from: { email: FROM },
      personalizations: [{ to: [{ email: TO }] }],
      subject: 'x',
      content: [{ type: 'text/plain', value: 'x' }],
      attachments: [
        {
          filename: name,
          content: CONTENT,
          type,
          content_id: id,
          ...(isInline && { disposition: 'inline' }),
        },
      ],
    }),
  },
  Postmark: {
    path: '/postmark/email',
    mail: ({ name, type, id }) => ({
      From: FROM,
      To: TO,
      Subject: 'x',
      TextBody: 'x',
      Attachments: [{ Name: name, Content: CONTENT, ContentType: type, ContentID: id && `cid:${id}` }],
    }),
  },
  'Amazon SES': {
    path: '/ses/v2/email/outbound-emails',
    mail: ({ name, type, id, isInline }) => ({
      FromEmailAddress: FROM,
      Destination: { ToAddresses: [TO] },
      Content: {
        Simple: {
          Subject: { Data: 'x' },
          Body: { Text: { Data: 'x' } },
          Attachments: [
            {
              FileName: name,
              RawContent: CONTENT,
              ContentType: type,
              ContentId: id && `<${id}>`,
              ...(isInline && { ContentDisposition: 'INLINE' }),
            },
          ],
        },
      },
    }),
  },
}

/** The header of the attachment in the message that a provider's request becomes, without its boundary. */
async function headerOf(provider: string, given: Given): Promise<string[]> {
  const { path, mail } = PROVIDERS[provider]!
  const { call, sent } = sendApis()
  await call('POST', path, mail(given))
  const part = sent[0]!.raw.split(/^--.*\r\n/m).find((one) => one.includes(`name=${given.name}`))
  const [head, content] = part!.split('\r\n\r\n')
  expect(Buffer.from(content!, 'base64').toString()).toBe('content')
  return head!.split('\r\n').sort()
}

const ENCODING = 'Content-Transfer-Encoding: base64'

test.each(Object.keys(PROVIDERS))(
  '%s: an attachment has the type and the id that are sent',
  async (provider) => {
    const given = { name: 'a.bin', type: 'application/x-own', id: 'logo@shop' }
    expect(await headerOf(provider, given)).toEqual([
      'Content-Disposition: inline; filename=a.bin',
      'Content-ID: <logo@shop>',
      ENCODING,
      'Content-Type: application/x-own; name=a.bin',
    ])
  },
)

test.each(Object.keys(PROVIDERS))(
  '%s: without a type and an id, its name says the type',
  async (provider) => {
    expect(await headerOf(provider, { name: 'a.csv', type: null })).toEqual([
      'Content-Disposition: attachment; filename=a.csv',
      ENCODING,
      'Content-Type: text/csv; name=a.csv',
    ])
  },
)

test.each(['SendGrid', 'Amazon SES'])('%s: it may be inline without an id', async (provider) => {
  expect(await headerOf(provider, { name: 'a.csv', type: null, isInline: true })).toContain(
    'Content-Disposition: inline; filename=a.csv',
  )
})
