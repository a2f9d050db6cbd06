import type { ServerResponse } from 'node:http'
import type { EndReason, InboxChange, NewEmail, Sink } from '../../core/events/sink.ts'
import { KEEP_ALIVE_MS, RECONNECT_MIN_MS, SECOND_MS, STREAM_BURST_BYTES } from '../../core/limits.ts'
import { changeFrame, chunkOf, emailFrame, type Frame, gapFrame, KEEP_ALIVE } from './frame.ts'
import { KeepAlive } from './keep-alive.ts'

/** Well below the limit, because timers drift. */
export const KEEP_ALIVE_PERIOD_MS = KEEP_ALIVE_MS - 3 * SECOND_MS

const keepAlive = new KeepAlive(KEEP_ALIVE_PERIOD_MS, 12)

/**
 * One open stream, written to Node's own response: it takes less memory than Hono's streams and
 * reaches many clients sooner (docs/decisions/streams-on-nodes-response.md).
 */
export class EventStream implements Sink {
  readonly #response: ServerResponse
  #slot = -1

  constructor(response: ServerResponse) {
    this.#response = response
  }

  /**
   * Sends the headers and the first event, `connected`. It has a name, an id and data, because
   * clients drop an id without data, and `onmessage` does not see an event with a name.
   * @param id becomes the client's Last-Event-ID, so that a stream that breaks before its first
   *   email is resumed from here
   */
  start(headers: Record<string, string>, id: string): void {
    const { socket } = this.#response
    // Corked, so that headers and first bytes are one packet.
    socket?.cork()
    this.#response
      .writeHead(200, {
        ...headers,
        'Content-Type': 'text/event-stream; charset=utf-8',
        // Tells proxies such as nginx not to buffer events.
        'X-Accel-Buffering': 'no',
      })
      .flushHeaders()
    // Written as text, because it is sent to one client only.
    const text = `retry: ${RECONNECT_MIN_MS}\nevent: connected\nid: ${id}\ndata: {}\n\n`
    socket?.write(this.#response.chunkedEncoding ? chunkOf(text) : text, 'latin1')
    socket?.uncork()
    this.#evictIfFull()
    this.#slot = keepAlive.add(this)
  }

  /** Must be called when the connection closes. */
  closed(): void {
    keepAlive.remove(this, this.#slot)
  }

  email(event: NewEmail): void {
    this.#write(emailFrame(event))
  }

  change(event: InboxChange): void {
    this.#write(changeFrame(event))
  }

  gap(missedBefore: string): void {
    this.#write(gapFrame(missedBefore))
  }

  comment(): void {
    this.#write(KEEP_ALIVE)
  }

  ready(): Promise<void> | undefined {
    const { socket } = this.#response
    if (!socket?.writableNeedDrain || socket.destroyed) return undefined
    return new Promise((resolve) => {
      const go = () => {
        socket.off('drain', go)
        socket.off('close', go)
        resolve()
      }
      socket.on('drain', go)
      socket.on('close', go)
    })
  }

  end(_: EndReason, withinMs?: number): void {
    // This `retry` applies once: the next stream begins with the usual one.
    this.#response.end(
      withinMs === undefined
        ? ''
        : `retry: ${RECONNECT_MIN_MS / 2 + Math.floor(Math.random() * withinMs)}\n\n`,
    )
  }

  /**
   * Writes an event to the socket as a chunk that is encoded once for all clients. The response
   * would encode it again for each client in three pieces, which takes 1.5 times as long with
   * thousands of clients.
   */
  #write(frame: Frame): void {
    const { socket } = this.#response
    if (socket === null || socket.destroyed) return
    // HTTP/1.0 has no chunks.
    socket.write(this.#response.chunkedEncoding ? frame.chunk : frame.text)
    this.#evictIfFull()
  }

  /**
   * Evicts a client with too many waiting bytes; the sweep of the connections evicts clients that
   * are merely slow. The client reconnects and gets the missed events from the store.
   */
  #evictIfFull(): void {
    if ((this.#response.socket?.writableLength ?? 0) > STREAM_BURST_BYTES) this.#response.destroy()
  }
}
