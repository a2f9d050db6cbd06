import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo, BlockList, Socket } from 'node:net'
import { getRequestListener, RequestError } from '@hono/node-server'
import { isLoopback } from '../../core/access/client.ts'
import { Problem } from '../../core/errors.ts'
import { LISTEN_BACKLOG, SECOND_MS, STREAM_STALL_MS, STREAMS_MAX } from '../../core/limits.ts'
import { isAmong } from './client-address.ts'
import { Connections } from './connections.ts'
import { answerHeaders } from './headers.ts'
import { asProblem, problemResponse } from './problem.ts'
import { RequestScheduler } from './request-scheduler.ts'
import type { StreamRequests } from './stream-requests.ts'

/** Streams, and connections of other requests. */
const CONNECTIONS_MAX = STREAMS_MAX + 2000
/** A client that takes longer for its headers occupies a connection for nothing. */
const HEADERS_TIMEOUT_MS = 20 * SECOND_MS

export interface HttpListener {
  host: string
  port: number
  /**
   * Accepts no new connections, closes those without a request, and lets the others finish their
   * answer for at most `graceMs`. The caller must have ended the streams.
   */
  stop(graceMs: number): Promise<void>
}

export interface HttpOptions {
  host: string
  port: number
  /** Handles the requests for streams; all others go to `fetch`. */
  streams?: StreamRequests
  /** Schedules the requests and other long work of this thread; by default a new one. */
  scheduler?: RequestScheduler
  /** Proxies, whose connections belong to many clients. */
  trusted?: BlockList
  /** How long an idle connection is kept; Node's 5 s unless given. */
  keepAliveMs?: number
}

/** Serves on a Node server. Resolves when it listens; rejects when the port is not available. */
export async function listenHttp(
  fetch: (request: Request, env?: unknown) => Response | Promise<Response>,
  options: HttpOptions,
): Promise<HttpListener> {
  // Node's own answer to a request without Host is not a problem document.
  const general = getRequestListener(fetch as never, { errorHandler: refusal })
  const connections = new Connections(
    (incoming, outgoing) => {
      if (!options.streams?.(incoming, outgoing)) void general(incoming, outgoing)
    },
    options.scheduler ?? new RequestScheduler(),
    isProxyAmong(options.trusted),
  )
  const server = createServer({ requireHostHeader: false }, (incoming, outgoing) =>
    connections.requested(incoming, outgoing),
  )
  server.on('connection', (socket: Socket) => connections.opened(socket))
  server.maxConnections = CONNECTIONS_MAX
  server.headersTimeout = HEADERS_TIMEOUT_MS
  server.setTimeout(STREAM_STALL_MS, (socket) => connections.timedOut(socket))
  if (options.keepAliveMs !== undefined) server.keepAliveTimeout = options.keepAliveMs
  server.listen({ port: options.port, host: options.host, backlog: LISTEN_BACKLOG })
  await once(server, 'listening')
  const { address, port } = server.address() as AddressInfo
  return { host: address, port, stop: (graceMs) => stop(server, connections, graceMs) }
}

async function stop(server: Server, connections: Connections, graceMs: number): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  // Node's closeIdleConnections() skips connections that never sent a request, which clients
  // open in advance.
  const idle = setInterval(() => connections.closeIdle(), 20)
  const cut = setTimeout(() => server.closeAllConnections(), graceMs)
  await closed
  connections.stop()
  clearInterval(idle)
  clearTimeout(cut)
}

/** Whether an address belongs to a proxy: on this machine, or a trusted one. */
function isProxyAmong(trusted: BlockList | undefined): (address: string) => boolean {
  return (address) => isLoopback(address) || (trusted !== undefined && isAmong(trusted, address))
}

/**
 * The answer to a request that never reaches the app, because its target and Host form no URL.
 */
function refusal(error: unknown): Response {
  const problem =
    error instanceof RequestError
      ? new Problem('invalid_query', 'The target of the request and its header Host do not make a URL.')
      : asProblem(error)
  const requestId = randomUUID()
  const answer = problemResponse(problem, requestId)
  for (const [name, value] of Object.entries(answerHeaders(requestId))) answer.headers.set(name, value)
  return answer
}
