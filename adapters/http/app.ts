import { type Context, Hono, type Next } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { compress } from 'hono/compress'
import type { RateWindow } from '../../core/access/api-keys.ts'
import { clientNetwork } from '../../core/access/client.ts'
import { Problem } from '../../core/errors.ts'
import { FairQueue } from '../../core/fair-queue.ts'
import { COMPRESSED_BYTES, REQUEST_BODY_BYTES } from '../../core/limits.ts'
import { answerTo } from './admit.ts'
import { compressed } from './answer.ts'
import type { Endpoint } from './endpoint.ts'
import type { NodeBindings, RequestHead } from './head.ts'
import { answerHeaders, corsHeaders, PREFLIGHT_HEADERS, requestIdOf } from './headers.ts'
import { misdirected, OPEN_ORIGIN_POLICY, type OriginPolicy } from './origin-policy.ts'
import { asProblem, bodyBrokenOff, methodNotAllowed, problemResponse } from './problem.ts'
import { isSent } from './sent.ts'
import type { Service } from './service.ts'

/**
 * A log record of an answered request. It has no query and no header, because both contain keys.
 */
export interface RequestRecord {
  requestId: string
  method: string
  path: string
  status: number
  ms: number
  /** A fault that the answer does not show. */
  error?: unknown
}

export interface AppOptions<S> {
  service: S
  endpoints: Endpoint<S>[]
  /** The client's IP address, as the host knows it. */
  clientAddress: (c: Context) => string
  /** Called once for each answered request; a stream is answered when it opens. */
  answered?: (record: RequestRecord) => void
  /** All origins and names unless given. */
  originPolicy?: OriginPolicy
}

interface Variables {
  requestId: string
  path: string
  cors: Record<string, string>
  rate: RateWindow
}

type App = Hono<{ Variables: Variables }>
type AppContext = Context<{ Variables: Variables }>

/** Answers of a megabyte that are produced at the same time. */
const LARGE_ANSWERS_AT_ONCE = 4

const BEARER = 'Bearer realm="mayfly"'

/**
 * Creates the HTTP interface, which is the same app on every host; the host decides which endpoints
 * it serves.
 */
export function createApp<S extends Service>(options: AppOptions<S>) {
  const { endpoints, answered, originPolicy = OPEN_ORIGIN_POLICY } = options
  const app: App = new Hono({ strict: true })
  app.use(answering(originPolicy, answered))
  // Of streamed bodies, only the JSON of a single email is compressed: messages and attachments are
  // sent unchanged, and events must not wait for a full buffer.
  app.use(compress({ threshold: COMPRESSED_BYTES, contentTypeFilter: /^application\/json/ }))
  addEndpoints(app, options, originPolicy)
  app.notFound((c) => problemResponse(new Problem('not_found', notFound(c.get('path'))), c.get('requestId')))
  const bearers = new Set(endpoints.filter(({ access }) => access === 'bearer').map(({ path }) => path))
  app.onError((error, c) => {
    const answer = problemResponse(asProblem(error), c.get('requestId'))
    if (answer.status === 401 && bearers.has(c.get('path'))) answer.headers.set('WWW-Authenticate', BEARER)
    return answer
  })
  return app
}

function notFound(path: string): string {
  const isPartEmpty = path.includes('//') || path.endsWith('/')
  const empty = isPartEmpty ? 'A part of this path is empty; is a variable not set? ' : ''
  return `${empty}GET /api/openapi.json lists every path of this service.`
}

/** Wraps every request: refuses foreign hosts and origins, adds the common headers, and reports the answer. */
function answering(originPolicy: OriginPolicy, answered: AppOptions<never>['answered']) {
  return async (c: AppContext, next: Next): Promise<void> => {
    const started = performance.now()
    const requestId = requestIdOf(c.req.header('X-Request-Id'))
    const { pathname: path, host: target } = new URL(c.req.url)
    c.set('requestId', requestId)
    c.set('path', path)
    const [host, origin] = [c.req.header('Host'), c.req.header('Origin')]
    c.set('cors', path.startsWith('/api/') ? corsHeaders(originPolicy, host, origin) : {})
    // A request line with a whole URL names the host too (RFC 9112, section 3.2.2).
    const refusal = misdirected(originPolicy, target, undefined) ?? misdirected(originPolicy, host, origin)
    if (refusal === undefined) await next()
    else c.res = problemResponse(refusal, requestId)
    // For HEAD, Hono sends the headers alone and leaves the body open.
    if (c.req.method === 'HEAD') await c.res.body?.cancel()
    addHeaders(c)
    const ms = performance.now() - started
    answered?.({ requestId, method: c.req.method, path, status: c.res.status, ms, error: c.error })
  }
}

/**
 * Adds the headers of every answer. A stream writes its own, and the response object that marks it
 * is shared by all streams.
 */
function addHeaders(c: AppContext): void {
  if (isSent(c.res)) return
  const headers = answerHeaders(c.get('requestId'), c.get('cors'), c.get('rate'))
  for (const [name, value] of Object.entries(headers)) {
    if (name === 'Vary') c.res.headers.append(name, value)
    else c.res.headers.set(name, value)
  }
}

/** Adds the endpoints path by path, because `/api/emails/latest` is not an address for any method. */
function addEndpoints<S extends Service>(app: App, options: AppOptions<S>, originPolicy: OriginPolicy): void {
  const large = new FairQueue(LARGE_ANSWERS_AT_ONCE)
  for (const [path, endpoints] of Map.groupBy(options.endpoints, ({ path }) => path)) {
    for (const endpoint of endpoints) addEndpoint(app, endpoint, options, originPolicy, large)
    refuseOtherMethods(app, path, endpoints)
  }
}

function addEndpoint<S extends Service>(
  app: App,
  endpoint: Endpoint<S>,
  { service, clientAddress }: AppOptions<S>,
  originPolicy: OriginPolicy,
  large: FairQueue,
): void {
  if (endpoint.method !== 'GET') app.on(endpoint.method, [endpoint.path], limitBody)
  app.on(endpoint.method, [endpoint.path], async (c) => {
    const head = headOf(c, clientNetwork(clientAddress(c)))
    refuseCrossSite(originPolicy, endpoint, head)
    const answer = async () =>
      compressed(
        await answerTo(service, endpoint, head, (rate) => c.set('rate', rate)),
        c.req.header('Accept-Encoding'),
      )
    return endpoint.isLarge ? large.run(head.client, answer) : answer()
  })
}

/** Answers OPTIONS, and 405 to methods that a path does not have. */
function refuseOtherMethods(app: App, path: string, endpoints: { method: string }[]): void {
  const methods = endpoints.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  app.options(path, (c) => c.body(null, 204, { ...PREFLIGHT_HEADERS, Allow: methods.join(', ') }))
  app.all(path, (c) => methodNotAllowed(methods, `Allowed here: ${methods.join(', ')}.`, c.get('requestId')))
}

/**
 * A page of another site may not change anything with what a browser adds by itself: its address,
 * and thereby the quotas of its user. A request with a key is meant: the page passed the CORS check
 * to send that header.
 * @throws Problem `cross_site`
 */
function refuseCrossSite(
  originPolicy: OriginPolicy,
  { method, changesState }: Pick<Endpoint<never>, 'method' | 'changesState'>,
  head: RequestHead,
): void {
  if (head.header('Sec-Fetch-Site') !== 'cross-site' || (method === 'GET' && !changesState)) return
  const hasKey = head.header('X-API-Key') !== undefined || head.header('Authorization') !== undefined
  if (hasKey && (originPolicy.anyOrigin || head.header('Origin') !== undefined)) return
  throw new Problem('cross_site', 'A page of another site needs an API key of its own for this.')
}

function headOf(c: AppContext, client: string): RequestHead {
  const request = c.req.raw
  const url = new URL(c.req.url)
  const bindings = c.env as Partial<NodeBindings> | undefined
  return {
    method: c.req.method,
    path: c.get('path'),
    origin: url.origin,
    query: url.searchParams,
    header: (name) => c.req.header(name),
    client,
    requestId: c.get('requestId'),
    cors: c.get('cors'),
    get signal() {
      return request.signal
    },
    text: () => request.text(),
    ...(bindings?.outgoing && { node: bindings as NodeBindings }),
  }
}

const bodyWithin = bodyLimit({
  maxSize: REQUEST_BODY_BYTES,
  onError: () => {
    throw new Problem('body_too_large', `A request body has at most ${REQUEST_BODY_BYTES} bytes.`)
  },
})

/**
 * Refuses a body that is too large, also one of unknown length. A failure while reading is the
 * client's.
 */
async function limitBody(c: Context, next: Next): Promise<Response | undefined> {
  try {
    return (await bodyWithin(c, next)) ?? undefined
  } catch (error) {
    throw error instanceof Problem ? error : bodyBrokenOff(error)
  }
}
