import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import { ownTemplates } from '../../core/inbox/templates.ts'
import { mailgun } from './mailgun.ts'
import { Outbox, type OutboxOptions } from './outbox.ts'
import type { ProviderName } from './paths.ts'
import { postmark } from './postmark.ts'
import {
  type Provider,
  type ProviderCall,
  type ProviderEnv,
  type ProviderTools,
  refuseOthers,
} from './provider.ts'
import { withRenderBudget } from './render.ts'
import { resend } from './resend.ts'
import { DropConnection, SendError, type SendErrorKind } from './send-error.ts'
import { sendgrid } from './sendgrid.ts'
import { ses } from './ses/routes.ts'

export interface SendApiOptions extends OutboxOptions, Pick<ProviderTools, 'templates' | 'clock'> {
  /** Called for each answered request. Contains no header, no query and no part of a mail. */
  answered: (record: SendRecord) => void
}

export interface SendRecord {
  requestId: string
  method: string
  path: string
  status: number
  ms: number
  /** Set if the service failed. */
  error?: unknown
}

/** A request and the connection that it came by. */
export interface SendRequest {
  request: Request
  /** The bytes of the request's body, or why they could not be read. */
  body: Uint8Array | SendError
  /** IP address. */
  client: string
  /** The hash of the operator's key that was sent; empty where no key is needed. */
  owner: string
  /** Ends the connection without an answer. */
  drop(): void
}

export type SendApis = (request: SendRequest) => Promise<Response>

const PROVIDERS: Record<ProviderName, (tools: ProviderTools) => Provider> = {
  ses,
  resend,
  sendgrid,
  postmark,
  mailgun,
}

/**
 * The HTTP interfaces of mail providers (contract: Send APIs), each below its own path. A
 * request is answered after its message is stored durably. Each owner has its own templates, sent mails
 * and idempotency keys; owners are as few as the operator's keys. Credentials are not read.
 */
export function createSendApis(options: SendApiOptions): SendApis {
  const { templates, clock, answered, maxMessageBytes } = options
  const outbox = new Outbox(options)
  const apps = new Map<string, Hono<ProviderEnv>>()
  const appOf = (owner: string) => {
    const app =
      apps.get(owner) ?? appWith({ outbox, templates: ownTemplates(templates, owner), clock }, outbox)
    apps.set(owner, app)
    return app
  }

  return async ({ request, body, client, owner, drop }) => {
    const started = performance.now()
    const requestId = randomUUID()
    const { pathname: path } = new URL(request.url)
    let failure: unknown
    const call: ProviderCall = {
      client,
      requestId,
      body,
      failed(error) {
        if (error instanceof DropConnection) drop()
        else failure = error
      },
    }
    const answer = await withRenderBudget(maxMessageBytes, () => appOf(owner).fetch(request, call))
    answer.headers.set('X-Request-Id', requestId)
    answer.headers.set('Cache-Control', 'no-store')
    answer.headers.set('Cross-Origin-Resource-Policy', 'same-origin')
    const ms = performance.now() - started
    answered({ requestId, method: request.method, path, status: answer.status, ms, error: failure })
    return answer
  }
}

function appWith(tools: ProviderTools, outbox: Outbox): Hono<ProviderEnv> {
  const app = new Hono<ProviderEnv>({ strict: false })
  for (const [name, create] of Object.entries(PROVIDERS)) {
    app.route(`/${name}`, providerApp(create(tools), outbox))
  }
  return app
}

/** The refusals that a message may be the reason of; the others are of operations and templates. */
const OF_MESSAGES: ReadonlySet<SendErrorKind> = new Set([
  'invalid',
  'rejected',
  'throttled',
  'too_large',
  'unavailable',
  'rendering',
])

/** The routes of a provider behind the steps that all requests share. */
function providerApp({ routes, refusal }: Provider, outbox: Outbox): Hono<ProviderEnv> {
  const app = new Hono<ProviderEnv>()
  app.use(async (c, next) => {
    if (c.env.body instanceof SendError) throw c.env.body
    c.set('body', c.env.body)
    await next()
  })
  app.route('/', refuseOthers(routes))
  app.onError((error, c) => {
    if (!(error instanceof SendError)) c.env.failed(error)
    const { pathname } = new URL(c.req.url)
    const refused = asSendError(error)
    if (OF_MESSAGES.has(refused.kind)) outbox.reportRefusal(refused, c.env.client, null)
    return refusal(refused, c.env.requestId, pathname.slice(pathname.indexOf('/', 1)))
  })
  return app
}

/** An unexpected error is the provider's "unavailable", without its text. */
function asSendError(error: unknown): SendError {
  if (error instanceof SendError) return error
  return new SendError('unavailable', 'The service failed. Its log has the reason.')
}
