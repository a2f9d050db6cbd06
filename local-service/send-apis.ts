import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { NodeBindings } from '../adapters/http/head.ts'
import { corsHeaders, withAnswerHeaders } from '../adapters/http/headers.ts'
import { misdirected, type OriginPolicy } from '../adapters/http/origin-policy.ts'
import { problemResponse } from '../adapters/http/problem.ts'
import { BoundedBodies } from '../adapters/send-apis/body.ts'
import { credentialsIn } from '../adapters/send-apis/credential.ts'
import { isSendPath } from '../adapters/send-apis/paths.ts'
import type { SendRecord } from '../adapters/send-apis/send-apis.ts'
import { SendError } from '../adapters/send-apis/send-error.ts'
import { OperatorKeys } from '../core/access/api-keys.ts'
import { clientNetwork } from '../core/access/client.ts'
import { Problem } from '../core/errors.ts'
import type { RefusedMail } from '../core/inbox/refusals.ts'
import { domainsOf } from '../service/sqlite.ts'
import type { Config } from './config.ts'
import { isLoopbackHost } from './config-values.ts'
import type { Ingest } from './ingest.ts'
import { type Logger, shownMs } from './log.ts'
import type { SendAnswer, SentRequest } from './send-thread.ts'
import { type SendThread, startSendThread } from './start-send-thread.ts'

export interface SendApiParts {
  config: Config
  ingest: Ingest
  log: Logger
  /** Receives every recipient and message that was refused. */
  refused: (refusal: RefusedMail) => void
  clientAddress: (incoming: IncomingMessage) => string
}

/** Answers a request, or returns undefined for one that is not to a send API. */
export type SendApiRequests = (
  request: Request,
  env: unknown,
  originPolicy: OriginPolicy,
) => Promise<Response> | undefined

export interface LocalSendApis {
  handle: SendApiRequests
  /** Ends the thread. Requests under way are not answered. */
  stop(): Promise<void>
}

/**
 * Handles requests to the send APIs (contract: Send APIs). This thread only reads their bodies; the
 * first request starts another thread for the rest, because most services never need it.
 */
export function sendApiRequests(parts: SendApiParts): LocalSendApis {
  const { config, clientAddress, log } = parts
  const bodies = new BoundedBodies(config.maxMessageBytes)
  let thread: SendThread | undefined
  const running = () => {
    thread ??= start(parts, (error) => {
      thread = undefined
      if (error !== undefined) log.error({ err: error }, 'the thread of the send APIs ended')
    })
    return thread
  }
  const ownerOf = ownerRule(config)
  const answer = async (request: Request, incoming: IncomingMessage) => {
    const client = clientAddress(incoming)
    const owner = ownerOf(request)
    if (owner === undefined) {
      // The body of a stranger is not read; the thread only words the refusal as the provider does.
      const { url, method } = request
      const sent: SentRequest = { url, method, headers: [], client, owner: '', refused: UNAUTHORIZED }
      return responseOf(await running().handle(sent, new Uint8Array()))
    }
    const upload = { request, body: incoming, client: clientNetwork(client) }
    const answered = await bodies.use(upload, (body) => {
      const { url, method } = request
      const refused = body instanceof SendError ? { kind: body.kind, message: body.message } : undefined
      const sent: SentRequest = { url, method, headers: [...request.headers], client, owner, refused }
      return running().handle(sent, body instanceof SendError ? new Uint8Array() : body)
    })
    if (answered.isDropped) incoming.socket.destroy()
    return responseOf(answered)
  }
  return {
    handle(request, env, originPolicy) {
      const { pathname } = new URL(request.url)
      if (!config.sendApis || !isSendPath(pathname)) return undefined
      if (isFromBrowser(request)) return browserRefusal(request, originPolicy)
      return answer(request, (env as NodeBindings).incoming).catch(unavailable)
    },
    async stop() {
      await thread?.end()
    },
  }
}

function responseOf({ status, headers, body }: SendAnswer): Response {
  return new Response(body === '' ? null : body, { status, headers })
}

/** The thread ended, so there is no answer in the form of the provider. */
function unavailable(): Response {
  return Response.json(
    { message: 'The request could not be handled, because it or another one needs too much memory.' },
    { status: 503 },
  )
}

const UNAUTHORIZED: SentRequest['refused'] = {
  kind: 'unauthorized',
  message:
    "This service is not on loopback, so it needs an operator's key (MAYFLY_API_KEYS), as the credential of the " +
    'SDK or in X-API-Key.',
}

/**
 * Returns the owner of a request: on loopback everyone is the same one, elsewhere it is the hash of the
 * operator's key, without which nothing may be sent.
 */
function ownerRule({ host, apiKeys }: Config): (request: Request) => string | undefined {
  if (isLoopbackHost(host)) return () => ''
  const keys = new OperatorKeys(apiKeys, Date.now())
  return ({ headers }) =>
    credentialsIn((name) => headers.get(name))
      .map((text) => keys.match(text)?.hash)
      .find((hash) => hash !== undefined)
}

/** Pages of other origins could otherwise fill mailboxes: SDKs of providers run on servers. */
function isFromBrowser({ headers }: Request): boolean {
  return headers.has('Origin') || headers.has('Sec-Fetch-Site')
}

/**
 * The answer to a page that may call the other APIs. The app answers pages that may call nothing,
 * and people who open the path.
 */
function browserRefusal(
  { method, headers }: Request,
  originPolicy: OriginPolicy,
): Promise<Response> | undefined {
  const [host, origin] = [headers.get('Host') ?? undefined, headers.get('Origin') ?? undefined]
  const isOfApp =
    method === 'GET' || method === 'HEAD' || misdirected(originPolicy, host, origin) !== undefined
  if (isOfApp) return undefined
  const detail =
    'Pages in a browser cannot send, even if MAYFLY_CORS_ORIGINS names their origin. Send from a server or a test.'
  const requestId = randomUUID()
  const answer = problemResponse(new Problem('cross_site', detail), requestId)
  return Promise.resolve(withAnswerHeaders(answer, requestId, corsHeaders(originPolicy, host, origin)))
}

function start(
  { config, ingest, log, refused }: SendApiParts,
  ended: (error: Error | undefined) => void,
): SendThread {
  const { store } = ingest
  const { templates } = store
  const domains = domainsOf(store, config.catchAll)
  return startSendThread({
    faults: config.smtpFaults,
    maxMessageBytes: config.maxMessageBytes,
    calls: {
      refused: async (refusal: RefusedMail) => refused(refusal),
      findDomain: (name: string) => domains.find(name),
      deliver: (...args: Parameters<Ingest['deliver']>) => ingest.deliver(...args),
      create: (...args: Parameters<typeof templates.create>) => templates.create(...args),
      replace: (...args: Parameters<typeof templates.replace>) => templates.replace(...args),
      find: (...args: Parameters<typeof templates.find>) => templates.find(...args),
      list: (...args: Parameters<typeof templates.list>) => templates.list(...args),
      remove: (...args: Parameters<typeof templates.remove>) => templates.remove(...args),
    },
    answered: (record) => logRequest(log, record),
    ended,
  })
}

function logRequest(log: Logger, { error, ms, ...record }: SendRecord): void {
  const fields = { ...record, ms: shownMs(ms) }
  if (error !== undefined) log.error({ ...fields, err: error }, 'send request')
  else log.debug(fields, 'send request')
}
