import type { IncomingMessage, ServerResponse } from 'node:http'
import { clientNetwork } from '../../core/access/client.ts'
import { answerTo } from './admit.ts'
import type { RequestRecord } from './app.ts'
import type { Endpoint } from './endpoint.ts'
import { STREAM_ENDPOINTS } from './endpoints.ts'
import type { NodeBindings, RequestHead } from './head.ts'
import { answerHeaders, corsHeaders, requestIdOf } from './headers.ts'
import { asProblem, problemAnswer } from './problem.ts'
import type { LiveService } from './service.ts'
import { ALL_VISITORS, type Visitors } from './visitors.ts'

export interface StreamRequestsOptions {
  service: LiveService
  /** The client's IP address; undefined for a request that is none of ours to answer. */
  clientAddress: (incoming: IncomingMessage) => string | undefined
  answered?: (record: RequestRecord) => void
  /** All unless given. */
  visitors?: Visitors
}

/** Takes a request, or answers false. */
export type StreamRequests = (incoming: IncomingMessage, outgoing: ServerResponse) => boolean

/** A host name as nearly every client sends it. */
const PLAIN_HOST = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::(?:[1-5]?\d{1,4}|6[0-4]\d{3}))?$/
/** A path parameter that no parser of URLs would change: an address, percent-encoded or not. */
const PLAIN_ADDRESS = "[\\w.!$&'*+=~%-]+(?:@|%40)[a-zA-Z0-9.-]+"

/**
 * Opens streams straight from Node's request, without the router and the objects that an ordinary request gets:
 * when a service comes back, thousands of clients do so at once. The checks and the handlers are those of the app,
 * which also serves whatever request for a stream is not plain.
 */
export function streamRequests({
  service,
  clientAddress,
  answered,
  visitors = ALL_VISITORS,
}: StreamRequestsOptions): StreamRequests {
  const routes = STREAM_ENDPOINTS.map((endpoint) => ({
    endpoint,
    pattern: new RegExp(`^(${endpoint.path.replace(/:\w+/, PLAIN_ADDRESS)})(?:\\?([^#]*))?$`),
  }))
  return (incoming, outgoing) => {
    const { method, url, headers } = incoming
    if (method !== 'GET' || url === undefined || !PLAIN_HOST.test(headers.host ?? '')) return false
    // Whoever may be refused is so by the app.
    if (!visitors.isOurs(headers.host!) || (headers.origin !== undefined && !visitors.anyOrigin)) return false
    for (const { endpoint, pattern } of routes) {
      const match = pattern.exec(url)
      if (match === null) continue
      const address = clientAddress(incoming)
      if (address === undefined) return false
      const head = new NodeHead({ incoming, outgoing }, match[1]!, match[2] ?? '', clientNetwork(address))
      void serve(service, endpoint, head, answered)
      return true
    }
    return false
  }
}

async function serve(
  service: LiveService,
  endpoint: Endpoint<LiveService>,
  head: NodeHead,
  answered: StreamRequestsOptions['answered'],
): Promise<void> {
  const started = performance.now()
  const { path, requestId, method } = head
  const { outgoing } = head.node
  let error: unknown
  try {
    await answerTo(service, endpoint, head, () => {})
  } catch (thrown) {
    error = thrown
    const { status, headers, body } = problemAnswer(asProblem(thrown), requestId)
    const length = { 'Content-Length': Buffer.byteLength(body) }
    outgoing.writeHead(status, { ...headers, ...answerHeaders(requestId, head.cors), ...length }).end(body)
  }
  const ms = performance.now() - started
  answered?.({ requestId, method, path, status: outgoing.statusCode, ms, error })
}

/** Most streams that come back have none: what they saw last is in a header. */
const NO_QUERY = new URLSearchParams()

class NodeHead implements RequestHead {
  readonly node: NodeBindings
  readonly path: string
  readonly client: string
  readonly requestId: string
  readonly method = 'GET'
  readonly cors = corsHeaders(ALL_VISITORS, undefined)
  readonly #search: string

  constructor(node: NodeBindings, path: string, search: string, client: string) {
    this.node = node
    this.path = path
    this.client = client
    this.requestId = requestIdOf(this.header('X-Request-Id'))
    this.#search = search
  }

  get origin(): string {
    return `http://${this.header('Host')}`
  }

  get query(): URLSearchParams {
    return this.#search === '' ? NO_QUERY : new URLSearchParams(this.#search)
  }

  header(name: string): string | undefined {
    // Of the headers that Node gives as lists none is asked for.
    return this.node.incoming.headers[name.toLowerCase()] as string | undefined
  }

  get signal(): AbortSignal {
    const { outgoing } = this.node
    const controller = new AbortController()
    if (outgoing.destroyed) controller.abort()
    else outgoing.once('close', () => controller.abort())
    return controller.signal
  }

  async text(): Promise<string> {
    return ''
  }
}
