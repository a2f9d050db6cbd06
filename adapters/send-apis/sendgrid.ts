import { randomBytes } from 'node:crypto'
import { Hono } from 'hono'
import * as v from 'valibot'
import { inParallel } from '../../core/parallel.ts'
import { describeTemplate, withTemplate } from './described-template.ts'
import { type Mailbox, parseMailbox } from './mailboxes.ts'
import {
  type Attachment,
  composed,
  copiesAtOnce,
  type OutgoingMail,
  type PreparedMessage,
} from './message.ts'
import {
  Base64,
  JsonObject,
  jsonBody,
  type Provider,
  type ProviderEnv,
  type ProviderTools,
  TextMap,
} from './provider.ts'
import { SendError, STATUSES } from './send-error.ts'
import { substituted } from './substitution.ts'

const MESSAGE_ID_HOST = 'geopod-ismtpd-0'
const PERSONALIZATIONS_MAX = 1000
/** The provider allows 10,000 bytes of custom arguments, and 1,000 addresses. */
const ARGUMENTS_MAX = 64 * 1024
const REPLY_TO_MAX = 1000

const Address = v.object({ email: v.string(), name: v.nullish(v.string()) })
const Addresses = v.array(Address)
const Arguments = v.record(v.string(), v.unknown())

const Personalization = v.object({
  from: v.optional(Address),
  to: v.pipe(Addresses, v.minLength(1, 'expected at least one recipient')),
  cc: v.optional(Addresses, []),
  bcc: v.optional(Addresses, []),
  subject: v.optional(v.string()),
  headers: v.optional(TextMap, {}),
  substitutions: v.optional(v.record(v.string(), v.unknown()), {}),
  dynamic_template_data: v.optional(JsonObject, {}),
  custom_args: v.optional(Arguments, {}),
})

const Mail = v.object({
  personalizations: v.pipe(
    v.array(Personalization),
    v.minLength(1, 'expected at least one personalization'),
    v.maxLength(PERSONALIZATIONS_MAX, `expected at most ${PERSONALIZATIONS_MAX} personalizations`),
  ),
  from: Address,
  reply_to: v.optional(Address),
  reply_to_list: v.optional(Addresses, []),
  subject: v.optional(v.string()),
  content: v.optional(v.array(v.object({ type: v.string(), value: v.string() })), []),
  attachments: v.optional(
    v.array(
      v.object({
        content: Base64,
        type: v.nullish(v.string()),
        filename: v.string(),
        disposition: v.nullish(v.string()),
        content_id: v.nullish(v.string()),
      }),
    ),
    [],
  ),
  template_id: v.optional(v.string()),
  headers: v.optional(TextMap, {}),
  categories: v.optional(v.array(v.string()), []),
  custom_args: v.optional(Arguments, {}),
  mail_settings: v.optional(
    v.object({ sandbox_mode: v.optional(v.object({ enable: v.optional(v.boolean()) })) }),
  ),
})

type MailInput = v.InferOutput<typeof Mail>
type PersonalizationInput = v.InferOutput<typeof Personalization>

/**
 * The API of Twilio SendGrid.
 * @see https://www.twilio.com/docs/sendgrid/api-reference/mail-send/mail-send
 */
export function sendgrid({ outbox }: ProviderTools): Provider {
  const routes = new Hono<ProviderEnv>()

  routes.post('/v3/mail/send', async (c) => {
    const input = jsonBody(c, Mail)
    const id = randomBytes(16).toString('base64url')
    const attachments = input.attachments.map(attachmentOf)
    const html = input.content.map(({ value }) => value).join('')
    const atOnce = copiesAtOnce(input.personalizations.length, { attachments, html, text: undefined })
    checkArguments(input)
    for (const [n, one] of input.personalizations.entries()) checkUnique(one, n)
    const messages = input.personalizations.map((one) => prepare(input, attachments, one, id))
    if (input.mail_settings?.sandbox_mode?.enable === true) return c.body(null, 200)
    await inParallel(messages, atOnce, (message) => outbox.send(message, c.env.client))
    return c.body(null, 202, { 'X-Message-Id': id })
  })

  return { routes, refusal }
}

/** All personalizations share these. @throws SendError `invalid` */
function checkArguments({ custom_args, categories, headers, reply_to_list }: MailInput): void {
  if (JSON.stringify([custom_args, categories, headers]).length > ARGUMENTS_MAX) {
    throw new SendError('invalid', `Headers, categories and custom_args have at most ${ARGUMENTS_MAX} bytes.`)
  }
  if (reply_to_list.length > REPLY_TO_MAX) {
    throw new SendError('invalid', `The field reply_to_list has at most ${REPLY_TO_MAX} addresses.`)
  }
}

/** The provider refuses an address that a personalization has twice. @throws SendError `invalid` */
function checkUnique(one: PersonalizationInput, n: number): void {
  const seen = new Set<string>()
  for (const field of ['to', 'cc', 'bcc'] as const) {
    for (const { email } of one[field]) {
      if (seen.has(email.toLowerCase())) {
        throw new SendError(
          'invalid',
          'Each email address in the personalization block should be unique between to, cc, and bcc. ' +
            `We found the first duplicate instance of [${email}] in the personalizations.${n}.${field} field.`,
        )
      }
      seen.add(email.toLowerCase())
    }
  }
}

/** The message of one personalization. @throws SendError `invalid` */
function prepare(
  input: MailInput,
  attachments: Attachment[],
  one: PersonalizationInput,
  id: string,
): PreparedMessage {
  const replace = (text: string) => substituted(text, one.substitutions)
  const described =
    input.template_id === undefined
      ? undefined
      : // A legacy template gets its values as substitutions.
        describeTemplate(input.template_id, { ...one.substitutions, ...one.dynamic_template_data })
  const subject = one.subject ?? input.subject ?? described?.subject
  if (subject === undefined) throw new SendError('invalid', 'The subject is required.')
  if (input.content.length === 0 && described === undefined) {
    throw new SendError('invalid', 'The content is required, or a template_id.')
  }
  const bodyOf = (wanted: string) => input.content.find(({ type }) => type.toLowerCase().startsWith(wanted))
  const bodies = [bodyOf('text/plain'), bodyOf('text/html')]
  const [text, html] = bodies.map((body) => body?.value)
  const mail: OutgoingMail = {
    from: mailbox(one.from ?? input.from),
    to: one.to.map(mailbox),
    cc: one.cc.map(mailbox),
    bcc: one.bcc.map(mailbox),
    replyTo: (input.reply_to === undefined ? input.reply_to_list : [input.reply_to]).map(mailbox),
    subject,
    text: withTemplate(text, described),
    html,
    alternatives: input.content
      .filter((content) => !bodies.includes(content))
      .map(({ type, value }) => ({ contentType: type, content: value })),
    headers: [
      ...Object.entries({ ...input.headers, ...one.headers }).map(([name, value]) => ({ name, value })),
      ...smtpApiHeader(input, one),
    ],
    attachments,
  }
  return composed(mail, id, `<${id}@${MESSAGE_ID_HOST}>`, () => ({
    subject: replace(subject),
    text: withTemplate(text === undefined ? undefined : replace(text), described),
    html: html === undefined ? undefined : replace(html),
  }))
}

function attachmentOf(attachment: MailInput['attachments'][number]): Attachment {
  return {
    filename: attachment.filename,
    contentType: attachment.type ?? undefined,
    content: attachment.content,
    contentId: attachment.content_id ?? undefined,
    inline: attachment.disposition === 'inline',
  }
}

/** Categories and custom arguments in the form in which SendGrid accepts them by SMTP. */
function smtpApiHeader(input: MailInput, one: PersonalizationInput): { name: string; value: string }[] {
  const arguments_ = { ...input.custom_args, ...one.custom_args }
  const value = {
    ...(input.categories.length > 0 && { category: input.categories }),
    ...(Object.keys(arguments_).length > 0 && { unique_args: arguments_ }),
  }
  return Object.keys(value).length === 0 ? [] : [{ name: 'X-SMTPAPI', value: JSON.stringify(value) }]
}

function mailbox({ email, name }: v.InferOutput<typeof Address>): Mailbox {
  return { name: name ?? '', address: parseMailbox(email).address }
}

function refusal(error: SendError): Response {
  const [, field = null] = /field:? ([\w.]+)[.:]/.exec(error.message) ?? []
  return Response.json(
    { errors: [{ message: error.message, field, help: null }] },
    { status: STATUSES[error.kind] },
  )
}
