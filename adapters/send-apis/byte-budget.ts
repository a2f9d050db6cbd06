import { SEND_BODY_STARTS_BYTES, SEND_REQUESTS_WAITING, SEND_SMALL_BODY_BYTES } from '../../core/limits.ts'
import { SendError } from './send-error.ts'

/** The room that one request body holds. */
export interface BodyRoom {
  /**
   * Takes room for bytes that have arrived; waits until there is some.
   * @throws SendError `throttled` if too many bodies wait already
   */
  take(bytes: number): Promise<void>
  /** Frees all of it. May be called more than once. */
  free(): void
}

interface Body {
  client: string
  /** Bytes of its beginning, which have room of their own. */
  start: number
  bytes: number
}

/**
 * Bounds the bytes that request bodies hold at once, counted as they arrive. The beginnings of
 * bodies have room of their own, so a small body never waits for a large one. One client holds at
 * most half. Room for one largest body is kept for the oldest body, which therefore always ends, and
 * then the next one is the oldest: bodies that wait for each other do not exist.
 */
export class ByteBudget {
  readonly #total: number
  readonly #largest: number
  /** In the order in which they first took room. */
  readonly #bodies = new Set<Body>()
  readonly #clients = new Map<string, { starts: number; bytes: number }>()
  readonly #waiting: { body: Body; bytes: number; begin: () => void }[] = []
  #starts = 0
  #bytes = 0

  /** @param largest the most bytes of one body; `total` is at least twice as much */
  constructor(total: number, largest: number) {
    this.#total = total
    this.#largest = largest
  }

  /** Whether a body waits for room. */
  get isShort(): boolean {
    return this.#waiting.length > 0
  }

  open(client: string): BodyRoom {
    const body: Body = { client, start: 0, bytes: 0 }
    return {
      take: (bytes) => this.#take(body, bytes),
      free: () => this.#free(body),
    }
  }

  async #take(body: Body, bytes: number): Promise<void> {
    if (this.#takeStart(body, bytes)) return
    this.#bodies.add(body)
    if (this.#may(body, bytes)) {
      this.#hold(body, bytes)
      return
    }
    if (this.#waiting.length >= SEND_REQUESTS_WAITING) {
      throw new SendError('throttled', 'Too many requests at once. Try again later.')
    }
    await new Promise<void>((begin) => this.#waiting.push({ body, bytes, begin }))
  }

  #takeStart(body: Body, bytes: number): boolean {
    const held = this.#clientOf(body)
    const isStart = body.bytes === 0 && body.start + bytes <= SEND_SMALL_BODY_BYTES
    if (!isStart || this.#starts + bytes > SEND_BODY_STARTS_BYTES) return false
    if (held.starts + bytes > SEND_BODY_STARTS_BYTES / 2) return false
    this.#starts += bytes
    held.starts += bytes
    body.start += bytes
    return true
  }

  #may(body: Body, bytes: number): boolean {
    const [oldest] = this.#bodies
    if (oldest === body || oldest === undefined) return true
    const shared = this.#bytes - oldest.bytes + bytes
    return shared <= this.#total - this.#largest && this.#clientOf(body).bytes + bytes <= this.#total / 2
  }

  #hold(body: Body, bytes: number): void {
    this.#bytes += bytes
    this.#clientOf(body).bytes += bytes
    body.bytes += bytes
  }

  #clientOf({ client }: Body): { starts: number; bytes: number } {
    const held = this.#clients.get(client) ?? { starts: 0, bytes: 0 }
    this.#clients.set(client, held)
    return held
  }

  #free(body: Body): void {
    const held = this.#clientOf(body)
    this.#starts -= body.start
    this.#bytes -= body.bytes
    held.starts -= body.start
    held.bytes -= body.bytes
    body.start = 0
    body.bytes = 0
    this.#bodies.delete(body)
    if (held.starts === 0 && held.bytes === 0) this.#clients.delete(body.client)
    this.#beginWaiting()
  }

  #beginWaiting(): void {
    for (const next of [...this.#waiting]) {
      if (!this.#may(next.body, next.bytes)) continue
      this.#waiting.splice(this.#waiting.indexOf(next), 1)
      this.#hold(next.body, next.bytes)
      next.begin()
    }
  }
}
