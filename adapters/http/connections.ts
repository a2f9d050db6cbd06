import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { clientNetwork, isLoopback } from '../../core/access/client.ts'
import {
  ANSWERS_STALLED_MAX,
  ANSWERS_WAITING_BYTES,
  PIPELINED_IN_ALL_MAX,
  PIPELINED_MAX,
  SHUNNED_MS,
} from '../../core/limits.ts'
import type { ByTurns } from './by-turns.ts'

const SWEEP_MS = 250

/** What happens on a connection; kept at its socket. */
interface Connection {
  /** The answer that is under way. */
  current: ServerResponse | undefined
  waiting: [IncomingMessage, ServerResponse][]
  /** Called when a request comes that has to wait behind the current answer. */
  followed: (() => void) | undefined
  /** Whether a request has come on it. */
  isUsed: boolean
  /** Bytes that its client had taken when it was looked at, and how often it had not taken more since. */
  taken: number
  stalls: number
}

const CONNECTION = Symbol('connection')
type ServedSocket = Socket & { [CONNECTION]?: Connection }

/**
 * The connections of a server. HTTP/1.1 lets a client send requests ahead of the answers (RFC 9112, section 9.3.2).
 * Node would begin them all, and an answer that waits behind another on its connection has no socket yet: what is
 * produced for it piles up. Here the requests of a connection are handled one after the other, and only so many
 * may wait. Node reads all that has come before it notices that a connection was ended, a thousand small requests
 * in 20 ms: so a client that sends more than may wait is shunned for a while. Not one on this machine, where it may
 * be a proxy.
 */
export class Connections {
  readonly #handle: RequestListener
  readonly #sockets = new Set<ServedSocket>()
  /** Client networks. */
  readonly #shunned = new Set<string>()
  readonly #turns: ByTurns
  readonly #sweeping: NodeJS.Timeout
  #waiting = 0

  constructor(handle: RequestListener, turns: ByTurns) {
    this.#handle = handle
    this.#turns = turns
    this.#sweeping = setInterval(() => this.#sweep(), SWEEP_MS).unref()
  }

  stop(): void {
    clearInterval(this.#sweeping)
  }

  opened(socket: ServedSocket): void {
    this.#turns.taken()
    if (this.#shunned.size > 0 && this.#shunned.has(networkOf(socket))) {
      socket.destroy()
      return
    }
    const connection: Connection = {
      current: undefined,
      waiting: [],
      followed: undefined,
      isUsed: false,
      taken: 0,
      stalls: 0,
    }
    socket[CONNECTION] = connection
    this.#sockets.add(socket)
    socket.on('close', () => {
      this.#sockets.delete(socket)
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
      if (tooMany) this.#shun(socket)
      socket.destroy()
      return
    }
    this.#waiting++
    connection.waiting.push([incoming, outgoing])
    connection.followed?.()
  }

  /** Takes no connection of its client for a while, and ends those that may hold as much and are not read yet. */
  #shun(socket: ServedSocket): void {
    const network = networkOf(socket)
    if (isLoopback(socket.remoteAddress ?? '::') || this.#shunned.has(network)) return
    this.#shunned.add(network)
    setTimeout(() => this.#shunned.delete(network), SHUNNED_MS).unref()
    for (const other of this.#sockets)
      if (other[CONNECTION]?.current === undefined && networkOf(other) === network) other.destroy()
  }

  /** To be called when nothing came or went on a connection for the time that its server gives it. */
  timedOut(socket: ServedSocket): void {
    const connection = socket[CONNECTION]
    if (connection === undefined) return
    // A stream or a wait may be silent for longer; and a client may open a connection in advance.
    const isIdle = connection.isUsed && connection.current === undefined
    if (isIdle || socket.writableLength > 0) socket.destroy()
  }

  /** Ends connections whose clients take nothing of what waits for them, the longest first, while it is too much. */
  #sweep(): void {
    let total = 0
    let stalled = 0
    const held: { socket: ServedSocket; bytes: number; stalls: number }[] = []
    for (const socket of this.#sockets) {
      const bytes = socket.writableLength
      if (bytes === 0) continue
      const connection = socket[CONNECTION]!
      const taken = socket.bytesWritten - bytes
      connection.stalls = taken === connection.taken ? connection.stalls + 1 : 0
      connection.taken = taken
      total += bytes
      // A stream has nothing but what waits here.
      if (connection.stalls > 1 && connection.followed === undefined) stalled++
      held.push({ socket, bytes, stalls: connection.stalls })
    }
    if (total <= ANSWERS_WAITING_BYTES && stalled <= ANSWERS_STALLED_MAX) return
    held.sort((a, b) => b.stalls - a.stalls || b.bytes - a.bytes)
    for (const { socket, bytes, stalls } of held) {
      if (stalls === 0 || (total <= ANSWERS_WAITING_BYTES && stalled <= ANSWERS_STALLED_MAX)) return
      if (socket[CONNECTION]!.followed === undefined) stalled--
      socket.destroy()
      total -= bytes
    }
  }

  /** Closes the connections that no answer is under way on: also those that never sent a request. */
  closeIdle(): void {
    for (const socket of this.#sockets) if (socket[CONNECTION]?.current === undefined) socket.destroy()
  }

  #begin(connection: Connection, incoming: IncomingMessage, outgoing: ServerResponse): void {
    connection.current = outgoing
    connection.isUsed = true
    outgoing.on('close', () => {
      connection.current = undefined
      connection.followed = undefined
      const next = connection.waiting.shift()
      if (next === undefined) return
      this.#waiting--
      this.#begin(connection, ...next)
    })
    const { socket } = incoming
    this.#turns.run(networkOf(socket), () => {
      if (!socket.destroyed) this.#handle(incoming, outgoing)
    })
  }
}

function networkOf(socket: Socket): string {
  return clientNetwork(socket.remoteAddress ?? '')
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
