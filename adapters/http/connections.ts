import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { PIPELINED_IN_ALL_MAX, PIPELINED_MAX } from '../../core/limits.ts'

/** What happens on a connection; kept at its socket. */
interface Connection {
  /** The answer that is under way. */
  current: ServerResponse | undefined
  waiting: [IncomingMessage, ServerResponse][]
  /** Called when a request comes that has to wait behind the current answer. */
  followed: (() => void) | undefined
}

const CONNECTION = Symbol('connection')
type ServedSocket = Socket & { [CONNECTION]?: Connection }

/**
 * The connections of a server. HTTP/1.1 lets a client send requests ahead of the answers (RFC 9112, section 9.3.2).
 * Node would begin them all, and an answer that waits behind another on its connection has no socket yet: what is
 * produced for it piles up. Here the requests of a connection are handled one after the other, and only so many
 * may wait.
 */
export class Connections {
  readonly #handle: RequestListener
  readonly #sockets = new Set<ServedSocket>()
  #waiting = 0

  constructor(handle: RequestListener) {
    this.#handle = handle
  }

  opened(socket: ServedSocket): void {
    const connection: Connection = { current: undefined, waiting: [], followed: undefined }
    socket[CONNECTION] = connection
    this.#sockets.add(socket)
    socket.on('close', () => {
      this.#sockets.delete(socket)
      this.#waiting -= connection.waiting.length
      connection.waiting = []
    })
  }

  requested(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const connection = (incoming.socket as ServedSocket)[CONNECTION]!
    if (connection.current === undefined) {
      this.#begin(connection, incoming, outgoing)
      return
    }
    if (connection.waiting.length >= PIPELINED_MAX || this.#waiting >= PIPELINED_IN_ALL_MAX) {
      incoming.socket.destroy()
      return
    }
    this.#waiting++
    connection.waiting.push([incoming, outgoing])
    connection.followed?.()
  }

  /** Closes the connections that no answer is under way on: also those that never sent a request. */
  closeIdle(): void {
    for (const socket of this.#sockets) if (socket[CONNECTION]?.current === undefined) socket.destroy()
  }

  #begin(connection: Connection, incoming: IncomingMessage, outgoing: ServerResponse): void {
    connection.current = outgoing
    outgoing.on('close', () => {
      connection.current = undefined
      connection.followed = undefined
      const next = connection.waiting.shift()
      if (next === undefined) return
      this.#waiting--
      this.#begin(connection, ...next)
    })
    this.#handle(incoming, outgoing)
  }
}

/**
 * For an answer that does not end by itself: whether a request waits behind it on its connection already;
 * otherwise `followed` is called when one comes.
 */
export function isFollowed(socket: ServedSocket, followed: () => void): boolean {
  const connection = socket[CONNECTION]
  if (connection === undefined) return false
  connection.followed = followed
  return connection.waiting.length > 0
}
