import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { CatcherApis } from '../adapters/catcher-apis/catcher-apis.ts'
import type { CatcherStats } from '../adapters/catcher-apis/mailpit.ts'
import { isCatcherPath } from '../adapters/catcher-apis/paths.ts'
import type { NodeBindings } from '../adapters/http/head.ts'
import { corsHeaders, withAnswerHeaders } from '../adapters/http/headers.ts'
import { misdirected, type OriginPolicy } from '../adapters/http/origin-policy.ts'
import type { LiveService } from '../adapters/http/service.ts'
import type { Store } from '../adapters/sqlite/store.ts'
import { clientNetwork } from '../core/access/client.ts'
import { Problem } from '../core/errors.ts'
import type { AllMailbox } from '../core/inbox/all-mailbox.ts'
import type { Config } from './config.ts'
import type { Logger } from './log.ts'

export interface CatcherApiParts {
  config: Config
  store: Store
  service: Pick<LiveService, 'apiKeyService' | 'keylessRate' | 'isForThisMachine'>
  allMailbox: AllMailbox
  stats: () => Promise<CatcherStats>
  log: Logger
  clientAddress: (incoming: IncomingMessage) => string
}

/** Answers a request, or returns undefined for one that is not to a read API. */
export type CatcherApiRequests = (
  request: Request,
  env: unknown,
  originPolicy: OriginPolicy,
) => Promise<Response> | undefined

/**
 * The handler of requests to the read APIs of Mailpit and MailHog (contract: Catcher APIs). The
 * adapter is loaded by the first request.
 */
export function catcherApiRequests(parts: CatcherApiParts): CatcherApiRequests {
  const { config, service, clientAddress } = parts
  if (config.catcherApis === 'off') return () => undefined
  const isCounted = config.catcherApis === 'open' && !service.isForThisMachine
  let loading: Promise<CatcherApis> | undefined
  const answer = async (request: Request, client: string, originPolicy: OriginPolicy) => {
    const { headers, method } = request
    const [host, origin] = [headers.get('Host') ?? undefined, headers.get('Origin') ?? undefined]
    const refusal = misdirected(originPolicy, host, origin)
    if (refusal !== undefined) return new Response(refusal.detail, { status: 421 })
    // A page that passed the CORS check sends an Origin with a GET; an image or a link does not.
    const marks = origin === undefined && MARKS_READ.test(new URL(request.url).pathname)
    if ((marks || !['GET', 'HEAD'].includes(method)) && headers.get('Sec-Fetch-Site') === 'cross-site') {
      return new Response('A page of another site may not change anything here.', { status: 403 })
    }
    if (isCounted) service.keylessRate.admit(client)
    loading ??= load(parts)
    return (await loading)(request, client)
  }
  return (request, env, originPolicy) => {
    if (!isCatcherPath(new URL(request.url).pathname)) return undefined
    const client = clientNetwork(clientAddress((env as NodeBindings).incoming))
    return answer(request, client, originPolicy)
      .catch((error: unknown) => {
        if (error instanceof Problem && error.code === 'rate_limited') {
          return new Response(error.detail, { status: 429 })
        }
        throw error
      })
      .then((answered) => withHeaders(request, answered, originPolicy))
  }
}

/** The message of Mailpit, which a GET marks as read. */
const MARKS_READ = /^\/+api\/+v1\/+message\/+[^/]+\/*$/

/** A part that a view embeds: the sandbox makes the view a page of another origin. */
const VIEWED_PART = /^\/api\/v1\/message\/(?!latest\/)[^/]+\/part\/[^/]+$/

/** Adds the headers that every answer has. */
function withHeaders({ headers, url }: Request, answered: Response, originPolicy: OriginPolicy): Response {
  const [host, origin] = [headers.get('Host') ?? undefined, headers.get('Origin') ?? undefined]
  withAnswerHeaders(answered, randomUUID(), corsHeaders(originPolicy, host, origin))
  if (VIEWED_PART.test(new URL(url).pathname)) answered.headers.delete('Cross-Origin-Resource-Policy')
  return answered
}

async function load({
  config,
  store,
  service,
  allMailbox,
  stats,
  log,
}: CatcherApiParts): Promise<CatcherApis> {
  const { createCatcherApis } = await import('../adapters/catcher-apis/catcher-apis.ts')
  return createCatcherApis({
    allMail: store.allMail,
    blobs: store.blobs,
    allMailbox,
    stats,
    needsKey: config.catcherApis === 'on' && !service.isForThisMachine,
    isOperatorKey: (key) => service.apiKeyService.isOperatorKey(key),
    failed: (error) => log.error({ err: error }, 'catcher request'),
  })
}
