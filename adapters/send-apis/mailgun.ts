import { Buffer } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import * as v from 'valibot'
import { inParallel } from '../../core/parallel.ts'
import { parseMailbox, parseMailboxes } from './mailboxes.ts'
import { type Attachment, composed, copiesAtOnce, type Header, type OutgoingMail } from './message.ts'
import {
  describeTemplate,
  JsonObject,
  type Provider,
  type ProviderContext,
  type ProviderEnv,
  type ProviderTools,
  parseJson,
  refuseOthers,
  validated,
} from './provider.ts'
import { RawMessage } from './raw-message.ts'
import { SendError, STATUSES } from './send-error.ts'

const RECIPIENTS_MAX = 1000

const RecipientVariables = v.record(v.string(), JsonObject)

/**
 * The API of Mailgun.
 * @see https://documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/messages
 */
export function mailgun({ outbox }: ProviderTools): Provider {
  const routes = new Hono<ProviderEnv>()

  routes.post('/v3/:domain/messages', async (c) => {
    const form = await formOf(c)
    const domain = c.req.param('domain')
    const id = newId()
    const mail = await outgoing(form)
    const copies = perRecipient(mail, form)
    const messages = copies.map((one) => composed(one, id, domain))
    await inParallel(messages, copiesAtOnce(copies.length, mail), (message) =>
      outbox.send(message, c.env.client),
    )
    return c.json(queued(id, domain))
  })

  routes.post('/v3/:domain/messages.mime', async (c) => {
    const form = await formOf(c)
    const raw = new RawMessage(await bytesOf(form.get('message')))
    const recipients = all(form, 'to')
      .flatMap(parseMailboxes)
      .map(({ address }) => address)
    const id = newId()
    await outbox.send(raw.prepare(id, raw.sender, recipients), c.env.client)
    return c.json(queued(id, c.req.param('domain')))
  })

  return { routes: refuseOthers(routes), refusal }
}

function newId(): string {
  return randomUUID().replaceAll('-', '')
}

function queued(id: string, domain: string): { id: string; message: string } {
  return { id: `<${id}@${domain}>`, message: 'Queued. Thank you.' }
}

/** A form in either encoding. @throws SendError `invalid` */
async function formOf(c: ProviderContext): Promise<FormData> {
  const headers = { 'Content-Type': c.req.header('Content-Type') ?? '' }
  try {
    return await new Response(Buffer.from(c.var.body), { headers }).formData()
  } catch {
    throw new SendError('invalid', 'The request body is not a form (multipart/form-data).')
  }
}

/** @throws SendError `invalid` */
async function outgoing(form: FormData): Promise<OutgoingMail> {
  const from = text(form, 'from')
  if (from === undefined) throw new SendError('invalid', 'from parameter is missing')
  const template = text(form, 'template')
  const described = template === undefined ? undefined : describeTemplate(template, templateData(form))
  const [plain, html] = [text(form, 'text'), text(form, 'html')]
  const attachments = await Promise.all([
    ...form.getAll('attachment').map((file) => attachment(file, false)),
    ...form.getAll('inline').map((file) => attachment(file, true)),
  ])
  if (plain === undefined && html === undefined && described === undefined && attachments.length === 0) {
    throw new SendError('invalid', "Need at least one of 'text' or 'html' parameters specified")
  }
  const to = all(form, 'to').flatMap(parseMailboxes)
  if (to.length === 0) throw new SendError('invalid', 'to parameter is missing')
  return {
    from: parseMailbox(from),
    to,
    cc: all(form, 'cc').flatMap(parseMailboxes),
    bcc: all(form, 'bcc').flatMap(parseMailboxes),
    replyTo: all(form, 'h:Reply-To').flatMap(parseMailboxes),
    subject: text(form, 'subject') ?? described?.subject ?? '',
    text: plain ?? described?.text,
    html,
    headers: customHeaders(form),
    attachments,
  }
}

/**
 * Custom headers (`h:`), variables (`v:`) and tags (`o:tag`) as Mailgun puts them into the header.
 */
function customHeaders(form: FormData): Header[] {
  const headers: Header[] = []
  const variables: Record<string, string> = {}
  for (const [key, value] of form) {
    if (typeof value !== 'string') continue
    if (key.startsWith('h:') && key.toLowerCase() !== 'h:reply-to')
      headers.push({ name: key.slice(2), value })
    else if (key.startsWith('v:')) variables[key.slice(2)] = value
    else if (key === 'o:tag') headers.push({ name: 'X-Mailgun-Tag', value })
  }
  if (Object.keys(variables).length > 0) {
    headers.push({ name: 'X-Mailgun-Variables', value: JSON.stringify(variables) })
  }
  return headers
}

/** The data of a template: `t:variables`, or the variables of the mail. */
function templateData(form: FormData): Record<string, unknown> {
  const variables = text(form, 't:variables') ?? text(form, 'h:X-Mailgun-Variables')
  if (variables !== undefined) return validated(JsonObject, parseJson(variables, 't:variables'))
  const values = [...form].filter(([key]) => key.startsWith('v:'))
  return Object.fromEntries(values.map(([key, value]) => [key.slice(2), value]))
}

/**
 * With recipient variables each recipient in `to` gets a separate mail, in which they replace
 * `%recipient.name%`.
 */
function perRecipient(mail: OutgoingMail, form: FormData): OutgoingMail[] {
  const json = text(form, 'recipient-variables')
  if (json === undefined) return [mail]
  if (mail.to.length > RECIPIENTS_MAX) throw new SendError('invalid', `At most ${RECIPIENTS_MAX} recipients.`)
  const variables = validated(RecipientVariables, parseJson(json, 'recipient-variables'))
  return mail.to.map((recipient) => {
    const values = variables[recipient.address] ?? {}
    const replace = (source: string) =>
      source.replace(/%recipient\.([\w-]+)%/g, (match, name: string) =>
        Object.hasOwn(values, name) ? String(values[name]) : match,
      )
    return {
      ...mail,
      to: [recipient],
      subject: replace(mail.subject),
      text: mail.text === undefined ? undefined : replace(mail.text),
      html: mail.html === undefined ? undefined : replace(mail.html),
    }
  })
}

async function attachment(value: File | string, inline: boolean): Promise<Attachment> {
  if (typeof value === 'string') throw new SendError('invalid', 'An attachment must be a file.')
  return {
    filename: value.name,
    // The SDK names no other type; the name of the file often says more.
    contentType: value.type === 'application/octet-stream' ? undefined : value.type,
    content: await bytesOf(value),
    ...(inline && { contentId: value.name }),
  }
}

async function bytesOf(value: File | string | null): Promise<Uint8Array> {
  if (value === null) throw new SendError('invalid', 'message parameter is missing')
  return typeof value === 'string' ? Buffer.from(value) : new Uint8Array(await value.arrayBuffer())
}

function text(form: FormData, name: string): string | undefined {
  const value = form.get(name)
  return typeof value === 'string' ? value : undefined
}

function all(form: FormData, name: string): string[] {
  return form.getAll(name).filter((value) => typeof value === 'string')
}

function refusal(error: SendError): Response {
  return Response.json({ message: error.message }, { status: STATUSES[error.kind] })
}
