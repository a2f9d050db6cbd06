import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { clientNetwork, isLoopback } from '../../core/access/client.ts'
import {
  IDLE_CONNECTIONS_PER_CLIENT,
  PIPELINED_IN_ALL_MAX,
  PIPELINED_MAX,
  REFUSED_MS,
} from '../../core/limits.ts'
import { ConnectionPlaces, type Holder } from './connection-places.ts'
import type { RequestScheduler } from './request-scheduler.ts'
import { newWriteState, slowWriters, type WriteState } from './write-budget.ts'

const SWEEP_MS = 250
/**
 * A connection is idle after this time without a request: a client that opens many at once needs a
 * moment.
 */
const IDLE_AFTER_MS = 1000

/** The state of a connection, kept at its socket. */
interface Connection extends Holder {
  socket: ServedSocket
  /** The answer that is being produced or sent. */
  current: ServerResponse | undefined
  waiting: [IncomingMessage, ServerResponse][]
  /** For a stream: called when a further request arrives on its connection. */
  followed: (() => void) | undefined
  /** Whether it has received a request. */
  isUsed: boolean
  /** When it was opened or its last answer ended, by performance.now(). */
  idleSince: number
  write: WriteState
}

const CONNECTION = Symbol('connection')
type ServedSocket = Socket & { [CONNECTION]?: Connection }

/**
 * The connections of a server, with limits for each client.
 *
 * HTTP/1.1 lets a client send requests ahead of the answers (RFC 9112, section 9.3.2). Node would
 * start all of them, and buffer every answer that waits behind another one on the connection. This
 * class handles the requests of a connection one after the other, and limits how many wait. Node
 * reads everything that has arrived before it notices that a connection was closed, a thousand
 * small requests in 20 ms, so the address of a client that pipelines too much is refused for a
 * while. A proxy is not refused, because others use it too.
 */
export class Connections {
  readonly #handle: RequestListener
  readonly #connections = new Set<Connection>()
  /** Client networks. */
  readonly #refused = new Set<string>()
  readonly #scheduler: RequestScheduler
  readonly #isProxy: (address: string) => boolean
  readonly #sweeping: NodeJS.Timeout
  readonly #places: ConnectionPlaces
  #waiting = 0

  /** @param isProxy whether the connections of this IP address belong to many clients */
  constructor(
    handle: RequestListener,
    scheduler: RequestScheduler,
    isProxy: (address: string) => boolean = isLoopback,
    places = new ConnectionPlaces(),
  ) {
    this.#places = places
    this.#handle = handle
    this.#scheduler = scheduler
    this.#isProxy = isProxy
    this.#sweeping = setInterval(() => this.#sweep(performance.now()), SWEEP_MS).unref()
  }

  stop(): void {
    clearInterval(this.#sweeping)
  }

  opened(socket: ServedSocket): void {
    this.#scheduler.connectionAccepted()
    const client = clientNetwork(socket.remoteAddress ?? '')
    if (this.#refused.has(client)) {
      socket.destroy()
      return
    }
    const now = performance.now()
    const connection: Connection = {
      socket,
      client,
      hasAnswered: false,
      end: () => socket.destroy(),
      current: undefined,
      waiting: [],
      followed: undefined,
      isUsed: false,
      idleSince: now,
      write: newWriteState(now),
    }
    if (!this.#isProxy(socket.remoteAddress ?? '::') && !this.#places.enter(connection)) {
      socket.destroy()
      return
    }
    socket[CONNECTION] = connection
    this.#connections.add(connection)
    socket.on('close', () => {
      this.#places.leave(connection)
      this.#connections.delete(connection)
      this.#waiting -= connection.waiting.length
      connection.waiting = []
    })
  }

  requested(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const socket = incoming.socket as ServedSocket
    const connection = socket[CONNECTION]
    if (connection === undefined || socket.destroyed) return
    if (connection.current === undefined) {
      this.#begin(connection, incoming, outgoing)
      return
    }
    const tooMany = connection.waiting.length >= PIPELINED_MAX
    if (tooMany || this.#waiting >= PIPELINED_IN_ALL_MAX) {
      if (tooMany) this.#refuse(connection)
      socket.destroy()
      return
    }
    this.#waiting++
    connection.waiting.push([incoming, outgoing])
    connection.followed?.()
  }

  /**
   * Refuses the client's connections for a while, and ends those that may hold as many requests
   * unread.
   */
  #refuse({ socket, client }: Connection): void {
    if (this.#isProxy(socket.remoteAddress ?? '::') || this.#refused.has(client)) return
    this.#refused.add(client)
    setTimeout(() => this.#refused.delete(client), REFUSED_MS).unref()
    for (const connection of this.#connections) {
      if (connection.current === undefined && connection.client === client) connection.socket.destroy()
    }
  }

  /**
   * Must be called when a connection has been silent for the time-out of its server.
   */
  timedOut(socket: ServedSocket): void {
    const connection = socket[CONNECTION]
    if (connection === undefined) return
    // A stream or a wait may be silent for longer, and a client may open a connection in advance.
    const isIdle = connection.isUsed && connection.current === undefined
    if (isIdle || socket.writableLength > 0) socket.destroy()
  }

  /**
   * Checks every connection once: evicts slow readers, and idle connections of a client that has
   * too many.
   */
  #sweep(now: number): void {
    const idle = new Map<string, Connection[]>()
    const writers = []
    for (const connection of this.#connections) {
      const { socket, client, current, followed, write } = connection
      if (current === undefined && now - connection.idleSince > IDLE_AFTER_MS) {
        const own = idle.get(client)
        if (own === undefined) idle.set(client, [connection])
        else own.push(connection)
      }
      if (socket.writableLength === 0 && !write.waited) continue
      const isProducing = current !== undefined && followed === undefined && !current.writableEnded
      writers.push({ socket, client, isStream: followed !== undefined, isProducing, write })
    }
    for (const { socket } of slowWriters(writers, now)) socket.destroy()
    for (const own of idle.values()) {
      const tooMany = own.length - IDLE_CONNECTIONS_PER_CLIENT
      if (tooMany <= 0 || this.#isTrustedProxy(own[0]!)) continue
      const oldest = own.toSorted((a, b) => a.idleSince - b.idleSince).slice(0, tooMany)
      for (const { socket } of oldest) socket.destroy()
    }
  }

  /**
   * A loopback address alone is no exception: a proxy on this machine has fewer idle connections.
   */
  #isTrustedProxy({ socket }: Connection): boolean {
    const address = socket.remoteAddress ?? '::'
    return this.#isProxy(address) && !isLoopback(address)
  }

  /** Closes the connections without an answer, also those that never sent a request. */
  closeIdle(): void {
    for (const { socket, current } of this.#connections) if (current === undefined) socket.destroy()
  }

  #begin(connection: Connection, incoming: IncomingMessage, outgoing: ServerResponse): void {
    connection.current = outgoing
    connection.isUsed = true
    outgoing.on('close', () => {
      connection.hasAnswered = true
      connection.current = undefined
      connection.followed = undefined
      connection.idleSince = performance.now()
      const next = connection.waiting.shift()
      if (next === undefined) return
      this.#waiting--
      this.#begin(connection, ...next)
    })
    const { socket } = incoming
    this.#scheduler.run(connection.client, () => {
      if (!socket.destroyed) this.#handle(incoming, outgoing)
    })
  }
}

/**
 * For a stream: returns whether a further request already waits on its connection; otherwise calls
 * `followed` when one arrives.
 */
export function isFollowed(socket: ServedSocket, followed: () => void): boolean {
  const connection = socket[CONNECTION]
  if (connection === undefined) return false
  connection.followed = followed
  // A stream is an answer that has begun.
  connection.hasAnswered = true
  return connection.waiting.length > 0
}
