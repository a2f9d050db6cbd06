import { randomUUID } from 'node:crypto'
import { type Context, Hono, type Next } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { RateWindow } from '../../core/access/api-keys.ts'
import { clientNetwork } from '../../core/access/client.ts'
import type { ApiKey } from '../../core/access/ports.ts'
import { Problem } from '../../core/errors.ts'
import { REQUEST_BODY_BYTES } from '../../core/limits.ts'
import { parseAddress } from '../../core/mail/address.ts'
import type { Call, DomainKeySource, Endpoint } from './endpoint.ts'
import { CORS_HEADERS, commonHeaders, PREFLIGHT_HEADERS } from './headers.ts'
import { asProblem, bodyBrokenOff, problemResponse } from './problem.ts'
import type { Service } from './service.ts'
import { parseQuery } from './validate.ts'

/** What is known of a request once it is answered. Holds no query and no header: both carry keys. */
export interface RequestRecord {
  requestId: string
  method: string
  path: string
  status: number
  ms: number
  /** Set when something broke that the caller was not told of. */
  error?: unknown
}

export interface AppOptions<S> {
  service: S
  endpoints: Endpoint<S>[]
  /** The client's IP address, as the host knows it. */
  clientAddress: (c: Context) => string
  /** Called once for each answered request; a stream is answered when it opens. */
  answered?: (record: RequestRecord) => void
}

interface Variables {
  requestId: string
  rate: RateWindow
}

/** The HTTP interface: the same app in every host, which says what of it is served there. */
export function createApp<S extends Service>({ service, endpoints, clientAddress, answered }: AppOptions<S>) {
  const app = new Hono<{ Variables: Variables }>({ strict: true })

  app.use(async (c, next) => {
    const started = performance.now()
    const requestId = requestIdOf(c)
    c.set('requestId', requestId)
    await next()
    // The answer of a stream is on its way already, and the object that says so is shared by all of them.
    if (!isSent(c.res)) stamp(c, requestId)
    const { pathname: path } = new URL(c.req.url)
    const ms = performance.now() - started
    answered?.({ requestId, method: c.req.method, path, status: c.res.status, ms, error: c.error })
  })

  for (const endpoint of endpoints) {
    if (endpoint.body !== undefined) app.on(endpoint.method, [endpoint.path], limitBody)
    app.on(endpoint.method, [endpoint.path], async (c) => {
      const url = new URL(c.req.url)
      const param = pathParameters(endpoint.path, url.pathname)
      const client = clientNetwork(clientAddress(c))
      // Who calls comes first: a stranger learns nothing of what is here, not even which queries are valid.
      const key =
        endpoint.access === 'api key' ? await authenticate(c, service) : (undefined as unknown as ApiKey)
      const inbox =
        endpoint.inbox === undefined
          ? (undefined as unknown as Call<S, unknown>['inbox'])
          : await openInbox(service, param('address'), domainKey(c, url, endpoint.inbox), client)
      const query = parseQuery(endpoint.query, url)
      const call = { c, service, client, query, param, inbox, key, requestId: c.get('requestId') }
      const answer = await endpoint.handle(call)
      // What was read may have come after a change of who may read it.
      if (inbox !== undefined && !isSent(answer))
        await service.domainService.checkStillOpen(inbox.registration)
      return answer
    })
  }

  for (const [path, methods] of methodsByPath(endpoints)) {
    app.options(path, (c) => c.body(null, 204, PREFLIGHT_HEADERS))
    app.all(path, (c) => {
      const answer = problemResponse(
        new Problem('method_not_allowed', `Allowed here: ${methods.join(', ')}.`),
        c.get('requestId'),
      )
      answer.headers.set('Allow', methods.join(', '))
      return answer
    })
  }

  app.notFound((c) =>
    problemResponse(
      new Problem('not_found', 'GET /api/openapi.json lists every path of this service.'),
      c.get('requestId'),
    ),
  )
  app.onError((error, c) => problemResponse(asProblem(error), c.get('requestId')))
  return app
}

/** Whether it is the answer of a stream, which is on its way already. */
function isSent({ headers }: Response): boolean {
  return headers.has('x-hono-already-sent')
}

/** An id that a caller sends is kept, so that it finds its request in our logs. */
function requestIdOf(c: Context): string {
  const sent = c.req.header('X-Request-Id')
  return sent !== undefined && /^[\w.-]{1,64}$/.test(sent) ? sent : randomUUID()
}

function stamp(c: Context<{ Variables: Variables }>, requestId: string): void {
  const { headers } = c.res
  for (const [name, value] of Object.entries(commonHeaders(requestId))) headers.set(name, value)
  if (c.req.path.startsWith('/api/')) {
    for (const [name, value] of Object.entries(CORS_HEADERS)) headers.set(name, value)
  }
  const rate = c.get('rate')
  if (rate !== undefined) {
    headers.set('RateLimit-Limit', String(rate.limit))
    headers.set('RateLimit-Remaining', String(rate.remaining))
    headers.set('RateLimit-Reset', String(rate.reset))
  }
}

async function authenticate(c: Context<{ Variables: Variables }>, service: Service): Promise<ApiKey> {
  const { key, rate, admitted } = await service.apiKeyService.authenticate(c.req.header('X-API-Key'))
  c.set('rate', rate)
  if (admitted) return key
  throw new Problem('rate_limited', `A key has ${rate.limit} requests a minute. Wait for the next one.`, {
    retryAfter: rate.reset,
  })
}

async function openInbox(service: Service, text: string, key: string | undefined, client: string) {
  const address = parseAddress(text)
  return { ...address, registration: await service.domainService.open(address.domain, key, client) }
}

function domainKey(c: Context, url: URL, source: DomainKeySource): string | undefined {
  const header = source === 'query' ? undefined : c.req.header('X-Domain-Key')
  return header ?? (source === 'header' ? undefined : (url.searchParams.get('key') ?? undefined))
}

/**
 * The parameters of a path, percent-decoded exactly once: `%2540` is `%40`, and `%2F` in an address is a part
 * of it. @throws Problem `invalid_address` or `invalid_query` for an encoding that is none
 */
function pathParameters(pattern: string, path: string): (name: string) => string {
  const segments = path.split('/')
  const positions = pattern.split('/')
  return (name) => {
    try {
      return decodeURIComponent(segments[positions.indexOf(`:${name}`)]!)
    } catch {
      const code =
        name === 'address' ? 'invalid_address' : name === 'domain' ? 'invalid_domain' : 'invalid_query'
      throw new Problem(code, `The path parameter "${name}" is not percent-encoded UTF-8.`)
    }
  }
}

const bodyWithin = bodyLimit({
  maxSize: REQUEST_BODY_BYTES,
  onError: () => {
    throw new Problem('body_too_large', `A request body has at most ${REQUEST_BODY_BYTES} bytes.`)
  },
})

/** Reads a body of unknown length as far as it may go. What fails here is the client's sending, not ours. */
async function limitBody(c: Context, next: Next): Promise<Response | undefined> {
  try {
    return (await bodyWithin(c, next)) ?? undefined
  } catch (error) {
    throw error instanceof Problem ? error : bodyBrokenOff(error)
  }
}

function methodsByPath(endpoints: { method: string; path: string }[]): Map<string, string[]> {
  const paths = new Map<string, string[]>()
  for (const { method, path } of endpoints) {
    const allowed = method === 'GET' ? ['GET', 'HEAD'] : [method]
    paths.set(path, [...(paths.get(path) ?? []), ...allowed])
  }
  return paths
}
