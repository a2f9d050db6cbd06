import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { BlockList, Socket } from 'node:net'
import { getRequestListener, RequestError } from '@hono/node-server'
import { isLoopback } from '../../core/access/client.ts'
import { Problem } from '../../core/errors.ts'
import { LISTEN_BACKLOG, SECOND_MS, STREAM_STALL_MS } from '../../core/limits.ts'
import { listenOnAll } from '../net/listen.ts'
import { isAmong } from './client-address.ts'
import { openFilesMax, placesOf } from './connection-places.ts'
import { Connections } from './connections.ts'
import { withAnswerHeaders } from './headers.ts'
import { asProblem, problemResponse } from './problem.ts'
import { RequestScheduler } from './request-scheduler.ts'
import type { StreamRequests } from './stream-requests.ts'

/** Connections above the places, of which all but those of proxies end at once. */
const ACCEPTED_AHEAD = 100
/** A client that takes longer for its headers occupies a connection for nothing. */
const HEADERS_TIMEOUT_MS = 20 * SECOND_MS

/** The host in the URL of a request of HTTP/1.0 without Host, such as a health check of HAProxy. */
const NO_HOST = 'localhost'

export interface HttpListener {
  /** The addresses that it listens on. */
  hosts: string[]
  port: number
  /**
   * Accepts no new connections, closes those without a request, and lets the others finish their
   * answer for at most `graceMs`. The caller must have ended the streams.
   */
  stop(graceMs: number): Promise<void>
}

export interface HttpOptions {
  /** One that this machine does not have is left out. */
  hosts: string[]
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
  const withoutHost = getRequestListener(fetch as never, { errorHandler: refusal, hostname: NO_HOST })
  const connections = new Connections(
    (incoming, outgoing) => {
      if (options.streams?.(incoming, outgoing)) return
      // Only HTTP/1.1 requires the header Host (RFC 9112, section 3.2).
      const listener = incoming.httpVersion === '1.0' ? withoutHost : general
      void listener(incoming, outgoing)
    },
    options.scheduler ?? new RequestScheduler(),
    isProxyAmong(options.trusted),
  )
  const create = () => serverOf(connections, options)
  const { servers, hosts, port } = await listenOnAll(create, { ...options, backlog: LISTEN_BACKLOG })
  return { hosts, port, stop: (graceMs) => stop(servers as Server[], connections, graceMs) }
}

function serverOf(connections: Connections, { keepAliveMs }: HttpOptions): Server {
  const server = createServer({ requireHostHeader: false }, (incoming, outgoing) =>
    connections.requested(incoming, outgoing),
  )
  server.on('connection', (socket: Socket) => connections.opened(socket))
  // Connections of proxies have no places, but SMTP shares the files of the process. A newcomer must
  // get this far to end another connection.
  server.maxConnections = placesOf(openFilesMax()) + ACCEPTED_AHEAD
  server.headersTimeout = HEADERS_TIMEOUT_MS
  server.setTimeout(STREAM_STALL_MS, (socket) => connections.timedOut(socket))
  if (keepAliveMs !== undefined) server.keepAliveTimeout = keepAliveMs
  return server
}

async function stop(servers: Server[], connections: Connections, graceMs: number): Promise<void> {
  const closed = Promise.all(servers.map((server) => once(server, 'close')))
  for (const server of servers) server.close()
  // Node's closeIdleConnections() skips connections that never sent a request, which clients
  // open in advance.
  const idle = setInterval(() => connections.closeIdle(), 20)
  const cut = setTimeout(() => {
    for (const server of servers) server.closeAllConnections()
  }, graceMs)
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
  return withAnswerHeaders(problemResponse(problem, requestId), requestId)
}
