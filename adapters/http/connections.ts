import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { PIPELINED_IN_ALL_MAX, PIPELINED_MAX } from '../../core/limits.ts'

type Exchange = [IncomingMessage, ServerResponse]

interface Connection {
  /** The exchange that is answered now. */
  current: ServerResponse | undefined
  waiting: Exchange[]
  /** What is to be done when a request comes that would wait behind the current one. */
  followed: (() => void) | undefined
}

/**
 * The connections of a server. HTTP/1.1 lets a client send requests ahead of the answers (RFC 9112, section 9.3.2).
 * Node would begin them all, and an answer that waits behind another on its connection has no socket yet: what is
 * produced for it piles up. Here the requests of a connection are handled one after the other, and only so many
 * may wait.
 */
export class Connections {
  readonly #handle: RequestListener
  readonly #open = new Map<Socket, Connection>()
  #waiting = 0

  constructor(handle: RequestListener) {
    this.#handle = handle
  }

  opened(socket: Socket): void {
    const connection: Connection = { current: undefined, waiting: [], followed: undefined }
    this.#open.set(socket, connection)
    ofSocket.set(socket, connection)
    socket.once('close', () => {
      this.#open.delete(socket)
      this.#waiting -= connection.waiting.length
      connection.waiting = []
    })
  }

  requested(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const connection = this.#open.get(incoming.socket)
    if (connection === undefined) return
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
    for (const [socket, { current }] of this.#open) if (current === undefined) socket.destroy()
  }

  #begin(connection: Connection, incoming: IncomingMessage, outgoing: ServerResponse): void {
    connection.current = outgoing
    outgoing.once('close', () => {
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

const ofSocket = new WeakMap<Socket, Connection>()

/**
 * For an answer that does not end by itself: whether a request waits behind it on its connection already;
 * otherwise `followed` is called when one comes.
 */
export function isFollowed(socket: Socket, followed: () => void): boolean {
  const connection = ofSocket.get(socket)
  if (connection === undefined) return false
  connection.followed = followed
  return connection.waiting.length > 0
}
