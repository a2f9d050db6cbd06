import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import * as v from 'valibot'
import { SEND_BATCH_MAX } from '../../core/limits.ts'
import { inParallel } from '../../core/parallel.ts'
import { parseMailbox, parseMailboxes } from './mailboxes.ts'
import { composed, type OutgoingMail, type Parts } from './message.ts'
import { PostmarkTemplates, postmarkTemplateRoutes } from './postmark-templates.ts'
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
import { SendError, type SendErrorKind } from './send-error.ts'

const MESSAGE_ID_HOST = 'mtasv.net'
const AT_ONCE = 16

const Fields = {
  From: v.string(),
  To: v.optional(v.string(), ''),
  Cc: v.nullish(v.string()),
  Bcc: v.nullish(v.string()),
  ReplyTo: v.nullish(v.string()),
  Tag: v.nullish(v.string()),
  Headers: v.nullish(v.array(v.object({ Name: v.string(), Value: v.string() }))),
  Metadata: v.nullish(TextMap),
  MessageStream: v.nullish(v.string()),
  Attachments: v.nullish(
    v.array(
      v.object({
        Name: v.string(),
        Content: Base64,
        ContentType: v.nullish(v.string()),
        ContentID: v.nullish(v.string()),
      }),
    ),
  ),
}

const Email = v.object({
  ...Fields,
  Subject: v.optional(v.string(), ''),
  HtmlBody: v.nullish(v.string()),
  TextBody: v.nullish(v.string()),
})

const TemplatedEmail = v.object({
  ...Fields,
  TemplateId: v.nullish(v.union([v.number(), v.string()])),
  TemplateAlias: v.nullish(v.string()),
  TemplateModel: v.optional(JsonObject, {}),
})

type EmailInput = v.InferOutput<typeof Email>

interface Result {
  To?: string | undefined
  Cc?: string | undefined
  Bcc?: string | undefined
  SubmittedAt?: string
  MessageID?: string
  ErrorCode: number
  Message: string
}

const Batch = v.pipe(
  v.array(v.unknown()),
  v.maxLength(SEND_BATCH_MAX, `expected at most ${SEND_BATCH_MAX} messages`),
)

/** The API of Postmark. @see https://postmarkapp.com/developer/api/email-api */
export function postmark({ outbox, templates: store, clock }: ProviderTools): Provider {
  const routes = new Hono<ProviderEnv>()
  const templates = new PostmarkTemplates(store, clock)
  const sender = new PostmarkSender(outbox, templates, clock)
  routes.post('/email', async (c) => c.json(await sender.send(jsonBody(c, Email), c.env.client)))
  routes.post('/email/batch', async (c) => {
    const send = async (input: unknown) => sender.send(validated(Email, input), c.env.client)
    return c.json(await sendBatch(jsonBody(c, Batch), send))
  })
  routes.post('/email/withTemplate', async (c) =>
    c.json(await sender.sendTemplated(jsonBody(c, v.unknown()), c.env.client)),
  )
  routes.post('/email/batchWithTemplates', async (c) => {
    const { Messages } = jsonBody(c, v.object({ Messages: Batch }))
    return c.json(await sendBatch(Messages, (input) => sender.sendTemplated(input, c.env.client)))
  })
  postmarkTemplateRoutes(routes, templates)
  return { routes, refusal }
}

class PostmarkSender {
  readonly #outbox: ProviderTools['outbox']
  readonly #templates: PostmarkTemplates
  readonly #clock: ProviderTools['clock']

  constructor(outbox: ProviderTools['outbox'], templates: PostmarkTemplates, clock: ProviderTools['clock']) {
    this.#outbox = outbox
    this.#templates = templates
    this.#clock = clock
  }

  async send(email: EmailInput, client: string, finish?: () => Parts): Promise<Result> {
    const id = randomUUID()
    await this.#outbox.send(composed(outgoing(email), id, `<${id}@${MESSAGE_ID_HOST}>`, finish), client)
    const submitted = { To: email.To, Cc: email.Cc ?? undefined, Bcc: email.Bcc ?? undefined }
    const SubmittedAt = new Date(this.#clock()).toISOString()
    return { ...submitted, SubmittedAt, MessageID: id, ErrorCode: 0, Message: 'OK' }
  }

  async sendTemplated(input: unknown, client: string): Promise<Result> {
    const { TemplateId, TemplateAlias, TemplateModel, ...email } = validated(TemplatedEmail, input)
    const { parts, finish } = await this.#templates.partsOf(TemplateAlias ?? TemplateId, TemplateModel)
    const { subject: Subject, text: TextBody, html: HtmlBody } = parts
    return this.send({ ...email, Subject, TextBody, HtmlBody }, client, finish)
  }
}

/** A batch reports the result of each of its messages. */
function sendBatch(inputs: unknown[], attempt: (input: unknown) => Promise<Result>): Promise<Result[]> {
  return inParallel(inputs, AT_ONCE, (input) =>
    attempt(input).catch((error: unknown) => {
      if (error instanceof SendError) return errorOf(error)
      throw error
    }),
  )
}

/** @throws SendError `invalid` */
function outgoing(email: EmailInput): OutgoingMail {
  if (email.HtmlBody == null && email.TextBody == null) {
    throw new SendError('invalid', 'Provide either email TextBody or HtmlBody or both.')
  }
  return {
    from: parseMailbox(email.From),
    to: parseMailboxes(email.To),
    cc: parseMailboxes(email.Cc ?? ''),
    bcc: parseMailboxes(email.Bcc ?? ''),
    replyTo: parseMailboxes(email.ReplyTo ?? ''),
    subject: email.Subject,
    text: email.TextBody ?? undefined,
    html: email.HtmlBody ?? undefined,
    headers: [
      ...(email.Headers ?? []).map(({ Name, Value }) => ({ name: Name, value: Value })),
      ...(email.Tag ? [{ name: 'X-PM-Tag', value: email.Tag }] : []),
      ...(email.MessageStream ? [{ name: 'X-PM-Message-Stream', value: email.MessageStream }] : []),
      ...Object.entries(email.Metadata ?? {}).map(([name, value]) => ({
        name: `X-PM-Metadata-${name}`,
        value,
      })),
    ],
    attachments: (email.Attachments ?? []).map(({ Name, Content, ContentType, ContentID }) => ({
      filename: Name,
      contentType: ContentType ?? undefined,
      content: Content,
      contentId: ContentID?.replace(/^cid:/, '') || undefined,
    })),
  }
}

/**
 * The statuses and error codes of Postmark.
 * @see https://postmarkapp.com/developer/api/overview#error-codes
 */
const ERRORS: Record<SendErrorKind, [status: number, code: number]> = {
  unauthorized: [401, 10],
  invalid: [422, 300],
  rejected: [422, 406],
  throttled: [429, 429],
  too_large: [413, 413],
  unavailable: [503, 100],
  not_found: [422, 1101],
  template_not_found: [422, 1101],
  template_exists: [422, 1125],
  template_invalid: [422, 1109],
  rendering: [422, 1109],
  limit_exceeded: [422, 1105],
  unknown_operation: [404, 402],
}

function errorOf(error: SendError): Result {
  const inactive = `You tried to send to recipient(s) that have been marked as inactive. Found inactive addresses: ${error.recipients.join(', ')}. ${error.message}`
  return {
    ErrorCode: ERRORS[error.kind][1],
    Message: error.kind === 'rejected' ? inactive : error.message,
  }
}

function refusal(error: SendError): Response {
  return Response.json(errorOf(error), { status: ERRORS[error.kind][0] })
}
