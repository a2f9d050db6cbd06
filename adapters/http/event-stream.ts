import type { ServerResponse } from 'node:http'
import type { NewEmail, Sink } from '../../core/events/live.ts'
import type { Email } from '../../core/inbox/email.ts'
import {
  KEEP_ALIVE_MS,
  SECOND_MS,
  STREAM_BACKLOG_BYTES,
  STREAM_BACKLOG_MS,
  STREAM_BURST_BYTES,
} from '../../core/limits.ts'
import type { KeepAlive } from './keep-alive.ts'
import { summary } from './wire/email.ts'

/** How long a client waits before it comes back, in ms. */
const RETRY_MS = 2 * SECOND_MS

/**
 * One open stream in the format of the HTML standard, section 9.2, written to Node's own response: of the ways
 * that Hono offers it holds the least memory and reaches many clients soonest (docs/decisions).
 */
export class EventStream implements Sink {
  readonly #response: ServerResponse
  readonly #keepAlive: KeepAlive
  #slot = -1
  /** Since when more waits for the client than should. */
  #slowSince: number | undefined

  constructor(response: ServerResponse, keepAlive: KeepAlive) {
    this.#response = response
    this.#keepAlive = keepAlive
  }

  /**
   * Sends the headers and the first bytes.
   * @param startId becomes the client's Last-Event-ID at once, without an event, so that a stream that breaks
   *   before its first event is resumed from here; undefined when the client has one already
   */
  start(headers: Record<string, string>, startId: string | undefined): void {
    this.#response.writeHead(200, {
      ...headers,
      'Content-Type': 'text/event-stream; charset=utf-8',
      // For proxies of the nginx kind, which would hold events back to fill a buffer.
      'X-Accel-Buffering': 'no',
    })
    const id = startId === undefined ? '' : `id: ${startId}\n`
    this.#response.write(`retry: ${RETRY_MS}\n${id}: connected\n\n`)
    this.#slot = this.#keepAlive.add(this)
  }

  /** The connection is gone, or about to be. */
  closed(): void {
    this.#keepAlive.remove(this, this.#slot)
  }

  email(event: NewEmail): void {
    this.#write(encoded(event))
  }

  gap(missedBefore: string): void {
    this.#write(frameOf(`data: ${JSON.stringify({ type: 'gap', missed_before: missedBefore })}\n\n`))
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

  comment(): void {
    this.#write(COMMENT)
  }

  end(reason: 'access changed' | 'failed' | 'stopping'): void {
    // A process that stops sends all its clients away at once; they must not all come back at once.
    const last =
      reason === 'stopping' ? `retry: ${RETRY_MS / 2 + Math.floor(Math.random() * RETRY_MS * 2)}\n\n` : ''
    this.#response.end(last)
  }

  /**
   * A client that reads too slowly is cut off: it comes back and is given what it missed from the store. What
   * came in this moment is no sign of that, since nothing of it can have been sent yet.
   *
   * Events go past the response to its socket, as the chunk that the response would make of them: it makes each
   * of three pieces and anew for every client, which takes half as long again when there are thousands.
   */
  #write(frame: Frame): void {
    const waiting = this.#response.writableLength
    if (waiting <= STREAM_BACKLOG_BYTES) this.#slowSince = undefined
    else {
      const now = performance.now()
      this.#slowSince ??= now
      if (waiting > STREAM_BURST_BYTES || now - this.#slowSince > STREAM_BACKLOG_MS) {
        this.#response.destroy()
        return
      }
    }
    // Only HTTP/1.0 has no chunks.
    this.#response.socket?.write(this.#response.chunkedEncoding ? frame.chunk : frame.text)
  }
}

/** A comment is due well before the limit, whatever the timer's drift. */
export const KEEP_ALIVE_PERIOD_MS = KEEP_ALIVE_MS - 3 * SECOND_MS

/** What is sent: as it is, and as a chunk (RFC 9112, section 7.1). */
interface Frame {
  text: Buffer
  chunk: Buffer
}

function frameOf(text: string): Frame {
  const size = Buffer.byteLength(text).toString(16)
  const chunk = Buffer.from(`${size}\r\n${text}\r\n`)
  return { text: chunk.subarray(size.length + 2, -2), chunk }
}

const COMMENT = frameOf(': keep-alive\n\n')

const encodings = new WeakMap<Email, Frame>()

/** The event of an email, made once however many streams it goes to. */
function encoded({ domain, email }: NewEmail): Frame {
  let frame = encodings.get(email)
  if (frame === undefined) {
    // JSON holds no line break and an id is a ULID, so that nothing in a mail can begin a field of its own.
    frame = frameOf(
      `id: ${email.id}\ndata: ${JSON.stringify({ type: 'new-email', domain, email: summary(email) })}\n\n`,
    )
    encodings.set(email, frame)
  }
  return frame
}
