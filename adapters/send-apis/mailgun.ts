import { Buffer } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import * as v from 'valibot'
import { inParallel } from '../../core/parallel.ts'
import { checkFormSize } from './body-size.ts'
import { describeTemplate, withTemplate } from './described-template.ts'
import { free } from './growing-bytes.ts'
import { type Mailbox, parseFields, parseMailbox } from './mailboxes.ts'
import {
  type Attachment,
  composed,
  copiesAtOnce,
  type Header,
  type OutgoingMail,
  type Parts,
} from './message.ts'
import {
  JsonObject,
  type Provider,
  type ProviderContext,
  type ProviderEnv,
  type ProviderTools,
  parseJson,
  validated,
} from './provider.ts'
import { RawMessage } from './raw-message.ts'
import { SendError, STATUSES } from './send-error.ts'
import { replaced } from './substitution.ts'

const BATCH_RECIPIENTS_MAX = 1000

/** A longer name would make the search slow. */
const VARIABLE = /%recipient\.([\w-]{1,100})%/g

const RecipientVariables = v.record(v.string(), JsonObject)

/**
 * The API of Mailgun.
 * @see https://documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/messages
 */
export function mailgun({ outbox }: ProviderTools): Provider {
  const routes = new Hono<ProviderEnv>()

  routes.post('/v3/:domain/messages', async (c) => {
    const form = await formOf(c)
    const id = newId(c.req.param('domain'))
    const mail = await outgoing(form)
    const copies = perRecipient(mail, form)
    const messages = copies.map(({ finish, ...one }) => composed({ ...mail, ...one }, id, id, finish))
    await inParallel(messages, copiesAtOnce(copies.length, mail), (message) =>
      outbox.send(message, c.env.client),
    )
    return c.json(queued(id))
  })

  routes.post('/v3/:domain/messages.mime', async (c) => {
    const form = await formOf(c)
    const raw = new RawMessage(await bytesOf(form.get('message')))
    const recipients = parseFields(all(form, 'to')).map(({ address }) => address)
    const id = newId(c.req.param('domain'))
    await outbox.send(raw.prepare(id, raw.sender, recipients), c.env.client)
    return c.json(queued(id))
  })

  return { routes, refusal }
}

/** A Message-ID of the sending domain, which is also the id of the answer. @throws SendError `invalid` */
function newId(domain: string): string {
  if (!/^[a-z0-9.-]{1,253}$/i.test(domain))
    throw new SendError('invalid', 'The domain of the path is not valid.')
  return `<${randomUUID().replaceAll('-', '')}@${domain}>`
}

function queued(id: string): { id: string; message: string } {
  return { id, message: 'Queued. Thank you.' }
}

/** A form in either encoding. @throws SendError `invalid` */
async function formOf(c: ProviderContext): Promise<FormData> {
  const headers = { 'Content-Type': c.req.header('Content-Type') ?? '' }
  checkFormSize(c.var.body, headers['Content-Type'].startsWith('multipart/') ? '\r\n--' : '&')
  const blob = new Blob([c.var.body as Uint8Array<ArrayBuffer>])
  free(c.var.body.buffer)
  try {
    return await new Response(blob, { headers }).formData()
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
  const to = parseFields(all(form, 'to'))
  if (to.length === 0) throw new SendError('invalid', 'to parameter is missing')
  return {
    from: parseMailbox(from),
    to,
    cc: parseFields(all(form, 'cc')),
    bcc: parseFields(all(form, 'bcc')),
    replyTo: parseFields(all(form, 'h:Reply-To')),
    subject: text(form, 'subject') ?? described?.subject ?? '',
    text: withTemplate(plain, described),
    html,
    alternatives: all(form, 'amp-html').map((content) => ({ contentType: 'text/x-amp-html', content })),
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

/** The recipients of one copy of a mail, and its parts if they differ. */
interface Copy {
  to: Mailbox[]
  finish?: () => Parts
}

/**
 * With recipient variables each recipient in `to` gets a separate mail, in which they replace
 * `%recipient.name%`.
 */
function perRecipient(mail: OutgoingMail, form: FormData): Copy[] {
  const json = text(form, 'recipient-variables')
  if (json === undefined) return [{ to: mail.to }]
  if (mail.to.length > BATCH_RECIPIENTS_MAX)
    throw new SendError('invalid', `At most ${BATCH_RECIPIENTS_MAX} recipients.`)
  const variables = validated(RecipientVariables, parseJson(json, 'recipient-variables'))
  return mail.to.map((recipient) => {
    const values = variables[recipient.address] ?? {}
    const valueFor = (name: string) => (Object.hasOwn(values, name) ? String(values[name]) : undefined)
    const replace = (source: string) => replaced(source, VARIABLE, valueFor)
    const finish = () => ({
      subject: replace(mail.subject),
      text: mail.text === undefined ? undefined : replace(mail.text),
      html: mail.html === undefined ? undefined : replace(mail.html),
    })
    return { to: [recipient], finish }
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
