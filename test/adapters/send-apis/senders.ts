import { SESClient, SendEmailCommand as SendEmailV1, SendRawEmailCommand } from '@aws-sdk/client-ses'
import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2'
import sendgridMail from '@sendgrid/mail'
import Mailgun from 'mailgun.js'
import { createTransport } from 'nodemailer'
import { ServerClient } from 'postmark'
import { Resend } from 'resend'
import type { TestService } from './setup.ts'

export interface TestMail {
  from: { name: string; address: string }
  to: { name: string; address: string }[]
  cc?: string[]
  bcc?: string[]
  replyTo?: string
  subject: string
  text?: string
  html?: string
  headers?: Record<string, string>
  attachments?: { filename: string; contentType: string; content: Buffer; cid?: string }[]
}

/** The official SDK of a provider, which sends the mails of the table. */
export interface Sender {
  name: string
  /** Sends a mail and returns the id in the response. */
  send(service: TestService, mail: TestMail): Promise<string>
  /** How `errorOf` shows the SDK's error for each kind of refusal. */
  errors: Record<'rejected' | 'throttled' | 'invalid' | 'tooLarge', string>
  /** The name or code of an error of this SDK. */
  errorOf(error: unknown): string
}

const credentials = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'not-checked' }
/** SDKs do not retry here, so that a test sees the error of a single attempt. */
const aws = (service: TestService) => ({
  endpoint: `${service.http}/ses`,
  region: 'eu-central-1',
  credentials,
  maxAttempts: 1,
})

const formatted = ({ name, address }: { name: string; address: string }) =>
  name === '' ? address : `"${name}" <${address}>`
const addresses = (list: { address: string }[]) => list.map(({ address }) => address)

const sesV2: Sender = {
  name: '@aws-sdk/client-sesv2',
  async send(service, mail) {
    const client = new SESv2Client(aws(service))
    const { MessageId } = await client.send(
      new SendEmailCommand({
        FromEmailAddress: formatted(mail.from),
        Destination: { ToAddresses: mail.to.map(formatted), CcAddresses: mail.cc, BccAddresses: mail.bcc },
        ReplyToAddresses: mail.replyTo === undefined ? undefined : [mail.replyTo],
        Content: {
          Simple: {
            Subject: { Data: mail.subject },
            Body: {
              ...(mail.text !== undefined && { Text: { Data: mail.text } }),
              ...(mail.html !== undefined && { Html: { Data: mail.html } }),
            },
            Headers: Object.entries(mail.headers ?? {}).map(([Name, Value]) => ({ Name, Value })),
            Attachments: mail.attachments?.map(({ filename, contentType, content, cid }) => ({
              FileName: filename,
              ContentType: contentType,
              RawContent: content,
              ...(cid !== undefined && { ContentId: cid, ContentDisposition: 'INLINE' as const }),
            })),
          },
        },
      }),
    )
    return MessageId ?? ''
  },
  errors: {
    rejected: 'MessageRejected',
    throttled: 'TooManyRequestsException',
    invalid: 'BadRequestException',
    tooLarge: 'BadRequestException',
  },
  errorOf: (error) => (error as Error).name,
}

/** Version 1 has no attachments, so a mail with any is sent raw, as applications do. */
const sesV1: Sender = {
  name: '@aws-sdk/client-ses',
  async send(service, mail) {
    const client = new SESClient(aws(service))
    if (mail.attachments !== undefined || mail.headers !== undefined) {
      const { MessageId } = await client.send(
        new SendRawEmailCommand({
          Source: mail.from.address,
          Destinations: [...addresses(mail.to), ...(mail.cc ?? []), ...(mail.bcc ?? [])],
          RawMessage: { Data: await rawOf(mail) },
        }),
      )
      return MessageId ?? ''
    }
    const { MessageId } = await client.send(
      new SendEmailV1({
        Source: formatted(mail.from),
        Destination: { ToAddresses: mail.to.map(formatted), CcAddresses: mail.cc, BccAddresses: mail.bcc },
        ReplyToAddresses: mail.replyTo === undefined ? undefined : [mail.replyTo],
        Message: {
          Subject: { Data: mail.subject },
          Body: {
            ...(mail.text !== undefined && { Text: { Data: mail.text } }),
            ...(mail.html !== undefined && { Html: { Data: mail.html } }),
          },
        },
      }),
    )
    return MessageId ?? ''
  },
  errors: {
    rejected: 'MessageRejected',
    throttled: 'Throttling',
    invalid: 'InvalidParameterValue',
    tooLarge: 'InvalidParameterValue',
  },
  errorOf: (error) => (error as Error).name,
}

/** The MIME message that Nodemailer builds, with the Bcc field that a careless application leaves in. */
async function rawOf(mail: TestMail): Promise<Buffer> {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  const { message } = await transport.sendMail({
    ...mail,
    attachments:
      mail.attachments?.map(({ cid, ...rest }) => ({ ...rest, ...(cid !== undefined && { cid }) })) ?? [],
  })
  const bcc = mail.bcc === undefined ? '' : `Bcc: ${mail.bcc.join(',\r\n ')}\r\n`
  return Buffer.concat([Buffer.from(bcc), message as Buffer])
}

const resend: Sender = {
  name: 'resend',
  async send(service, mail) {
    const client = new Resend('re_not_checked', { baseUrl: `${service.http}/resend` })
    const { data, error } = await client.emails.send({
      from: formatted(mail.from),
      to: mail.to.map(formatted),
      cc: mail.cc,
      bcc: mail.bcc,
      replyTo: mail.replyTo,
      subject: mail.subject,
      html: mail.html,
      text: mail.text as string,
      headers: mail.headers,
      attachments: mail.attachments?.map(({ filename, contentType, content, cid }) => ({
        filename,
        contentType,
        content,
        ...(cid !== undefined && { contentId: cid }),
      })),
    })
    if (error !== null) throw Object.assign(new Error(error.message), error)
    return data?.id ?? ''
  },
  errors: {
    rejected: 'validation_error',
    throttled: 'rate_limit_exceeded',
    invalid: 'validation_error',
    tooLarge: 'validation_error',
  },
  errorOf: (error) => (error as Error).name,
}

const sendgrid: Sender = {
  name: '@sendgrid/mail',
  async send(service, mail) {
    const client = new (sendgridMail.constructor as new () => typeof sendgridMail)()
    client.setApiKey('SG.not-checked')
    // biome-ignore lint/suspicious/noExplicitAny: the SDK's types leave the client out
    const inner = (client as any).client
    inner.setDefaultRequest('baseUrl', `${service.http}/sendgrid`)
    const [answer] = await client.send({
      from: { name: mail.from.name, email: mail.from.address },
      to: mail.to.map(({ name, address }) => ({ name, email: address })),
      ...(mail.cc && { cc: mail.cc }),
      ...(mail.bcc && { bcc: mail.bcc }),
      ...(mail.replyTo !== undefined && { replyTo: mail.replyTo }),
      subject: mail.subject,
      ...(mail.text !== undefined && { text: mail.text }),
      ...(mail.html !== undefined && { html: mail.html }),
      ...(mail.headers && { headers: mail.headers }),
      attachments: (mail.attachments ?? []).map(({ filename, contentType, content, cid }) => ({
        filename,
        type: contentType,
        content: content.toString('base64'),
        disposition: cid === undefined ? 'attachment' : 'inline',
        ...(cid !== undefined && { content_id: cid }),
      })),
    } as Parameters<typeof client.send>[0])
    return String(answer.headers['x-message-id'])
  },
  errors: { rejected: '400', throttled: '429', invalid: '400', tooLarge: '413' },
  errorOf: (error) => String((error as { code: number }).code),
}

const postmark: Sender = {
  name: 'postmark',
  async send(service, mail) {
    const requestHost = `${new URL(service.http).host}/postmark`
    const client = new ServerClient('not-checked', { useHttps: false, requestHost })
    const { MessageID } = await client.sendEmail({
      From: formatted(mail.from),
      To: mail.to.map(formatted).join(', '),
      Cc: mail.cc?.join(', '),
      Bcc: mail.bcc?.join(', '),
      ReplyTo: mail.replyTo,
      Subject: mail.subject,
      TextBody: mail.text,
      HtmlBody: mail.html,
      Headers: Object.entries(mail.headers ?? {}).map(([Name, Value]) => ({ Name, Value })),
      Attachments: mail.attachments?.map(({ filename, contentType, content, cid }) => ({
        Name: filename,
        ContentType: contentType,
        Content: content.toString('base64'),
        ContentID: cid === undefined ? null : `cid:${cid}`,
      })),
    })
    return MessageID
  },
  errors: {
    rejected: 'InactiveRecipientsError',
    throttled: 'RateLimitExceededError',
    invalid: 'InvalidEmailRequestError',
    tooLarge: 'UnknownError',
  },
  errorOf: (error) => (error as Error).name,
}

const mailgun: Sender = {
  name: 'mailgun.js',
  async send(service, mail) {
    const client = new Mailgun(FormData).client({
      username: 'api',
      key: 'not-checked',
      url: `${service.http}/mailgun`,
    })
    const attachments = mail.attachments ?? []
    const files = (inline: boolean) =>
      attachments
        .filter(({ cid }) => (cid !== undefined) === inline)
        .map(({ filename, contentType, content, cid }) => ({
          filename: cid ?? filename,
          contentType,
          data: content,
        }))
    const { id = '' } = await client.messages.create('mg.example.com', {
      from: formatted(mail.from),
      to: mail.to.map(formatted),
      cc: mail.cc,
      bcc: mail.bcc,
      ...(mail.replyTo !== undefined && { 'h:Reply-To': mail.replyTo }),
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
      ...Object.fromEntries(Object.entries(mail.headers ?? {}).map(([name, value]) => [`h:${name}`, value])),
      attachment: files(false),
      inline: files(true),
    } as Parameters<typeof client.messages.create>[1])
    return id
  },
  errors: { rejected: '400', throttled: '429', invalid: '400', tooLarge: '413' },
  errorOf: (error) => String((error as { status: number }).status),
}

export const SENDERS = [sesV2, sesV1, resend, sendgrid, postmark, mailgun]
