import type { IncomingMessage, ServerResponse } from 'node:http'
import { clientNetwork } from '../../core/access/client.ts'
import { answerTo } from './admit.ts'
import type { RequestRecord } from './app.ts'
import type { Endpoint } from './endpoint.ts'
import { STREAM_ENDPOINTS } from './endpoints.ts'
import type { NodeBindings, RequestHead } from './head.ts'
import { answerHeaders, corsHeaders, requestIdOf } from './headers.ts'
import { misdirected, OPEN_ORIGIN_POLICY, type OriginPolicy } from './origin-policy.ts'
import { asProblem, problemAnswer } from './problem.ts'
import type { LiveService } from './service.ts'

export interface StreamRequestsOptions {
  service: LiveService
  /** The client's IP address; undefined for a request that the app must refuse. */
  clientAddress: (incoming: IncomingMessage) => string | undefined
  answered?: (record: RequestRecord) => void
  /** All origins and names unless given. */
  originPolicy?: OriginPolicy
}

/** Handles a request, or returns false. */
export type StreamRequests = (incoming: IncomingMessage, outgoing: ServerResponse) => boolean

/** A Host header as nearly every client sends it. */
const PLAIN_HOST = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::(?:[1-5]?\d{1,4}|6[0-4]\d{3}))?$/
/** A path parameter that no URL parser changes: an address, percent-encoded or not. */
const PLAIN_ADDRESS = "[\\w.!$&'*+=~%-]+(?:@|%40)[a-zA-Z0-9.-]+"

/**
 * Opens streams directly from Node's request, without the router and the objects of an ordinary
 * request: after a restart thousands of clients reconnect at once. The checks and handlers are the
 * app's, which also serves stream requests that are not plain.
 */
export function streamRequests({
  service,
  clientAddress,
  answered,
  originPolicy = OPEN_ORIGIN_POLICY,
}: StreamRequestsOptions): StreamRequests {
  const routes = STREAM_ENDPOINTS.map((endpoint) => ({
    endpoint,
    pattern: new RegExp(`^(${endpoint.path.replace(/:\w+/, PLAIN_ADDRESS)})(?:\\?([^#]*))?$`),
  }))
  return (incoming, outgoing) => {
    const { method, url, headers } = incoming
    if (method !== 'GET' || !PLAIN_HOST.test(headers.host ?? '')) return false
    // The app answers what is refused.
    if (misdirected(originPolicy, headers.host, headers.origin) !== undefined) return false
    for (const { endpoint, pattern } of routes) {
      const match = pattern.exec(url!)
      if (match === null) continue
      const address = clientAddress(incoming)
      if (address === undefined) return false
      const path = { path: match[1]!, search: match[2] ?? '' }
      const head = new NodeHead({ incoming, outgoing }, path, clientNetwork(address), originPolicy)
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

/** Most streams that reconnect have no query: their last event id is in a header. */
const NO_QUERY = new URLSearchParams()

class NodeHead implements RequestHead {
  readonly node: NodeBindings
  readonly path: string
  readonly client: string
  readonly requestId: string
  readonly method = 'GET'
  readonly cors: Record<string, string>
  readonly #search: string

  constructor(
    node: NodeBindings,
    { path, search }: { path: string; search: string },
    client: string,
    originPolicy: OriginPolicy,
  ) {
    this.node = node
    this.path = path
    this.client = client
    this.cors = corsHeaders(originPolicy, this.header('Host'), this.header('Origin'))
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
    // No caller reads one of the headers that Node returns as a list.
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
