import { Buffer } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import * as v from 'valibot'
import { inParallel } from '../../core/parallel.ts'
import { describeTemplate, withTemplate } from './described-template.ts'
import { type Mailbox, parseFields, parseMailbox } from './mailboxes.ts'
import { composed, type OutgoingMail } from './message.ts'
import {
  Base64,
  JsonObject,
  jsonBody,
  type Provider,
  type ProviderEnv,
  type ProviderTools,
  TextMap,
  validated,
} from './provider.ts'
import { IdempotentRequests } from './resend-idempotency.ts'
import { SentMails } from './resend-sent.ts'
import { SendError, type SendErrorKind } from './send-error.ts'

const MESSAGE_ID_HOST = 'email.resend.com'
const BATCH_MAX = 100
const AT_ONCE = 16

const Addresses = v.union(
  [v.string(), v.pipe(v.array(v.string()), v.maxLength(50, 'expected at most 50 addresses'))],
  'expected an address or a list of addresses',
)
const Bytes = v.array(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(255)))
/** Base64, the JSON form of a Buffer, which Node's SDK sends, or a list of bytes, as Python's does. */
const Content = v.union(
  [
    Base64,
    v.pipe(
      Bytes,
      v.transform((data): Uint8Array => Buffer.from(data)),
    ),
    v.pipe(
      v.object({ type: v.literal('Buffer'), data: Bytes }),
      v.transform(({ data }): Uint8Array => Buffer.from(data)),
    ),
  ],
  'expected base64 or a list of bytes',
)

const Email = v.object({
  from: v.optional(v.string()),
  to: v.optional(Addresses),
  subject: v.optional(v.string()),
  html: v.nullish(v.string()),
  text: v.nullish(v.string()),
  cc: v.nullish(Addresses),
  bcc: v.nullish(Addresses),
  reply_to: v.nullish(Addresses),
  headers: v.nullish(TextMap),
  attachments: v.nullish(
    v.array(
      v.object({
        content: v.nullish(Content),
        filename: v.nullish(v.string()),
        path: v.nullish(v.string()),
        content_type: v.nullish(v.string()),
        content_id: v.nullish(v.string()),
      }),
    ),
  ),
  tags: v.nullish(v.array(v.object({ name: v.string(), value: v.string() }))),
  template: v.nullish(v.object({ id: v.string(), variables: v.nullish(JsonObject) })),
})

const Batch = v.pipe(v.array(v.unknown()), v.maxLength(BATCH_MAX, `expected at most ${BATCH_MAX} emails`))

type EmailInput = v.InferOutput<typeof Email>

/** The API of Resend. @see https://resend.com/docs/api-reference/emails/send-email */
export function resend({ outbox, clock }: ProviderTools): Provider {
  const routes = new Hono<ProviderEnv>()
  const sent = new SentMails(clock)
  const requests = new IdempotentRequests(clock)

  async function send(input: EmailInput, client: string): Promise<{ id: string }> {
    const id = randomUUID()
    const mail = outgoing(input)
    await outbox.send(composed(mail, id, `<${id}@${MESSAGE_ID_HOST}>`), client)
    sent.add(id, mail)
    return { id }
  }

  routes.post('/emails', (c) => requests.answer(c, () => send(jsonBody(c, Email), c.env.client)))

  routes.post('/emails/batch', (c) =>
    requests.answer(c, async () => {
      const isPermissive = c.req.header('x-batch-validation') === 'permissive'
      const errors: { index: number; message: string }[] = []
      // The provider refuses a batch as a whole, so all of it is checked first.
      const inputs = jsonBody(c, Batch).flatMap((one, index) => {
        try {
          const input = validated(Email, one)
          outgoing(input)
          return [input]
        } catch (error) {
          if (!isPermissive || !(error instanceof SendError)) throw error
          errors.push({ index, message: error.message })
          return []
        }
      })
      const data = await inParallel(inputs, AT_ONCE, (input) => send(input, c.env.client))
      return isPermissive ? { data, errors } : { data }
    }),
  )

  /** @throws SendError `not_found` */
  function find(id: string): object {
    const email = sent.find(id)
    if (email === undefined) throw new SendError('not_found', 'Email not found')
    return email
  }

  routes.get('/emails/:id', (c) => c.json(find(c.req.param('id'))))

  // Only a mail that was scheduled for later can be changed; here each one is delivered at once.
  routes.patch('/emails/:id', (c) => {
    find(c.req.param('id'))
    throw new SendError('invalid', 'The email was already sent, so it can no longer be updated.')
  })
  routes.post('/emails/:id/cancel', (c) => {
    find(c.req.param('id'))
    throw new SendError('invalid', 'The email was already sent, so it can no longer be canceled.')
  })

  return { routes, refusal }
}

/** @throws SendError `invalid` */
function outgoing(input: EmailInput): OutgoingMail {
  const { template } = input
  const described = template ? describeTemplate(template.id, template.variables ?? {}) : undefined
  if (input.from === undefined && described === undefined) {
    throw new MissingField('`from`')
  }
  if (input.to === undefined) throw new MissingField('`to`')
  const subject = input.subject ?? described?.subject
  if (subject === undefined) throw new MissingField('`subject`')
  if (described === undefined && input.html == null && input.text == null) {
    throw new MissingField('`html` or `text`')
  }
  return {
    from: parseMailbox(input.from ?? 'Template <template@resend.dev>'),
    to: mailboxes(input.to),
    cc: mailboxes(input.cc),
    bcc: mailboxes(input.bcc),
    replyTo: mailboxes(input.reply_to),
    subject,
    text: withTemplate(input.text ?? undefined, described),
    html: input.html ?? undefined,
    headers: [
      ...Object.entries(input.headers ?? {}).map(([name, value]) => ({ name, value })),
      ...(input.tags ?? []).map(({ name, value }) => ({ name: 'X-Resend-Tag', value: `${name}=${value}` })),
    ],
    attachments: (input.attachments ?? []).map((attachment) => {
      if (attachment.content == null) {
        throw new SendError('invalid', 'Attachments need `content`: this service does not fetch `path`.')
      }
      return {
        filename: attachment.filename ?? undefined,
        contentType: attachment.content_type ?? undefined,
        content: attachment.content,
        contentId: attachment.content_id ?? undefined,
      }
    }),
  }
}

function mailboxes(addresses: string | string[] | null | undefined): Mailbox[] {
  return parseFields([addresses ?? []].flat())
}

const ERRORS: Record<SendErrorKind, [status: number, name: string]> = {
  unauthorized: [401, 'invalid_api_key'],
  invalid: [422, 'validation_error'],
  rejected: [422, 'validation_error'],
  throttled: [429, 'rate_limit_exceeded'],
  too_large: [413, 'validation_error'],
  unavailable: [503, 'application_error'],
  not_found: [404, 'not_found'],
  template_not_found: [404, 'not_found'],
  template_exists: [409, 'validation_error'],
  template_invalid: [422, 'validation_error'],
  rendering: [422, 'validation_error'],
  limit_exceeded: [429, 'monthly_quota_exceeded'],
  unknown_operation: [404, 'not_found'],
}

/** Applications tell it from other invalid requests by its name. */
class MissingField extends SendError {
  constructor(field: string) {
    super('invalid', `Missing ${field} field.`)
  }
}

function refusal(error: SendError): Response {
  const [statusCode, general] = ERRORS[error.kind]
  const name = error instanceof MissingField ? 'missing_required_field' : general
  return Response.json({ statusCode, name, message: error.message }, { status: statusCode })
}
