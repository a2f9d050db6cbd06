import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import { BoundedBodies } from './body.ts'
import { mailgun } from './mailgun.ts'
import { Outbox, type OutboxOptions } from './outbox.ts'
import type { ProviderName } from './paths.ts'
import { postmark } from './postmark.ts'
import type { Provider, ProviderCall, ProviderEnv, ProviderTools } from './provider.ts'
import { resend } from './resend.ts'
import { DropConnection, SendError } from './send-error.ts'
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
  /** The bytes of the request's body. */
  body: AsyncIterable<Uint8Array>
  /** IP address. */
  client: string
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
 * request is answered after its message is stored durably. Credentials are not read.
 */
export function createSendApis(options: SendApiOptions): SendApis {
  const { templates, clock, answered, maxMessageBytes } = options
  const tools: ProviderTools = { outbox: new Outbox(options), templates, clock }
  const bodies = new BoundedBodies(maxMessageBytes)
  const app = new Hono<ProviderEnv>({ strict: false })
  for (const [name, create] of Object.entries(PROVIDERS)) app.route(`/${name}`, providerApp(create(tools)))

  return async ({ request, body, client, drop }) => {
    const started = performance.now()
    const requestId = randomUUID()
    const { pathname: path } = new URL(request.url)
    let failure: unknown
    const call: ProviderCall = {
      client,
      requestId,
      withBody: (handle) => bodies.use(request, body, handle),
      failed(error) {
        if (error instanceof DropConnection) drop()
        else failure = error
      },
    }
    const answer = await app.fetch(request, call)
    answer.headers.set('X-Request-Id', requestId)
    answer.headers.set('Cache-Control', 'no-store')
    answer.headers.set('Cross-Origin-Resource-Policy', 'same-origin')
    const ms = performance.now() - started
    answered({ requestId, method: request.method, path, status: answer.status, ms, error: failure })
    return answer
  }
}

/** The routes of a provider behind the steps that all requests share. */
function providerApp({ routes, refusal }: Provider): Hono<ProviderEnv> {
  const app = new Hono<ProviderEnv>()
  app.use(async (c, next) => {
    await c.env.withBody(async (body) => {
      c.set('body', body)
      await next()
    })
  })
  app.route('/', routes)
  app.onError((error, c) => {
    if (!(error instanceof SendError)) c.env.failed(error)
    const { pathname } = new URL(c.req.url)
    return refusal(asSendError(error), c.env.requestId, pathname.slice(pathname.indexOf('/', 1)))
  })
  return app
}

/** An unexpected error is the provider's "unavailable", without its text. */
function asSendError(error: unknown): SendError {
  if (error instanceof SendError) return error
  return new SendError('unavailable', 'The service failed. Its log has the reason.')
}
