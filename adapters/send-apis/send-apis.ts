import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import { SEND_BODIES_BYTES } from '../../core/limits.ts'
import { announcedBytes, bodyLimit, readBody } from './body.ts'
import { ByteBudget } from './byte-budget.ts'
import { mailgun } from './mailgun.ts'
import { Outbox, type OutboxOptions } from './outbox.ts'
import type { ProviderName } from './paths.ts'
import { postmark } from './postmark.ts'
import type { Provider, ProviderEnv, ProviderTools } from './provider.ts'
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

/** Handles a request. `drop` ends its connection without an answer. */
export type SendApis = (request: Request, client: string, drop: () => void) => Promise<Response>

const PROVIDERS: Record<ProviderName, (tools: ProviderTools) => Provider> = {
  ses,
  resend,
  sendgrid,
  postmark,
  mailgun,
}

/**
 * The HTTP interfaces of mail providers (contract: Send APIs), each below a path of its own. A request is
 * answered after its message is stored durably. Credentials are not read.
 */
export function createSendApis(options: SendApiOptions): SendApis {
  const { templates, clock, answered } = options
  const tools: ProviderTools = { outbox: new Outbox(options), templates, clock }
  const budget = new ByteBudget(SEND_BODIES_BYTES)
  const limit = bodyLimit(options.maxMessageBytes)
  const providers = new Map(
    Object.entries(PROVIDERS).map(([name, create]) => [name, prepared(create(tools))]),
  )

  return async (request, client, drop) => {
    const started = performance.now()
    const requestId = randomUUID()
    const { pathname } = new URL(request.url)
    const [, name = '', ...rest] = pathname.split('/')
    const path = `/${rest.join('/')}`
    const provider = providers.get(name)
    if (provider === undefined) throw new Error(`no provider has the path ${pathname}`)
    let answer: Response
    let failure: unknown
    let release = (): void => {}
    try {
      release = await budget.take(Math.min(announcedBytes(request, limit), SEND_BODIES_BYTES))
      const body = await readBody(request, limit)
      answer = await provider.fetch(
        new Request(new URL(path, request.url), { method: request.method, headers: request.headers }),
        {
          body,
          client,
          requestId,
        },
      )
    } catch (error) {
      if (error instanceof DropConnection) drop()
      else if (!(error instanceof SendError)) failure = error
      answer = provider.refusal(asSendError(error), requestId, path)
    } finally {
      release()
    }
    answer.headers.set('X-Request-Id', requestId)
    answer.headers.set('Cache-Control', 'no-store')
    answer.headers.set('Cross-Origin-Resource-Policy', 'same-origin')
    const ms = performance.now() - started
    answered({ requestId, method: request.method, path: pathname, status: answer.status, ms, error: failure })
    return answer
  }
}

interface Prepared extends Provider {
  fetch(request: Request, variables: ProviderEnv['Variables']): Promise<Response>
}

function prepared(provider: Provider): Prepared {
  const app = new Hono<ProviderEnv & { Bindings: ProviderEnv['Variables'] }>({ strict: false })
  app.use(async (c, next) => {
    c.set('body', c.env.body)
    c.set('client', c.env.client)
    c.set('requestId', c.env.requestId)
    await next()
  })
  app.route('/', provider.routes)
  app.onError((error) => {
    throw error
  })
  return { ...provider, fetch: async (request, variables) => app.fetch(request, variables) }
}

/** An unexpected error is the provider's "unavailable", without its text. */
function asSendError(error: unknown): SendError {
  if (error instanceof SendError) return error
  return new SendError('unavailable', 'The service failed. Its log has the reason.')
}
