import { setImmediate as turn } from 'node:timers/promises'
import { SECOND_MS, SEND_BODIES_BYTES, SEND_BODY_MS } from '../../core/limits.ts'
import { type BodyRoom, ByteBudget } from './byte-budget.ts'
import { GrowingBytes } from './growing-bytes.ts'
import { SendError } from './send-error.ts'

/**
 * The rest of a body that is too large is read and dropped up to this multiple, because SDKs answer
 * only then.
 */
const DROPPED_FACTOR = 4
/** A client that sends nothing for this long loses its room if another body waits for it. */
const STALL_MS = 5 * SECOND_MS
/** Chunks of one byte of a chunked body, which is read 64 KB at a time, would hold the thread for 100 ms. */
const SMALL_CHUNK_BYTES = 1024

/** A request whose body is read. */
export interface Upload {
  request: Request
  body: AsyncIterable<Uint8Array>
  /** The client's network. */
  client: string
}

/** Bodies of requests, with a bound on the bytes that all of them hold at once. */
export class BoundedBodies {
  readonly #budget: ByteBudget
  readonly #limit: number

  constructor(maxMessageBytes: number) {
    // The largest message as base64, with room for the other fields.
    this.#limit = Math.ceil((maxMessageBytes * 4) / 3) + 1024 * 1024
    this.#budget = new ByteBudget(Math.max(SEND_BODIES_BYTES, 2 * this.#limit), this.#limit)
  }

  /**
   * Reads a body, and holds its room until `handle` has ended. A client whose body waits for room
   * sends no more than the buffers of its connection hold. `handle` gets the reason if the body is
   * refused.
   */
  async use<T>(upload: Upload, handle: (body: Uint8Array | SendError) => Promise<T>): Promise<T> {
    const room = this.#budget.open(upload.client)
    try {
      return await handle(await this.#read(upload, room))
    } finally {
      room.free()
    }
  }

  async #read({ request, body }: Upload, room: BodyRoom): Promise<Uint8Array | SendError> {
    try {
      return await readBody(request, body, {
        limit: this.#limit,
        room,
        isShort: () => this.#budget.isShort,
      })
    } catch (error) {
      if (error instanceof SendError) return error
      throw error
    }
  }
}

export interface ReadOptions {
  /** The most bytes of a body. */
  limit: number
  room: Pick<BodyRoom, 'take' | 'free'>
  /** Whether another body waits for room. */
  isShort: () => boolean
}

/**
 * The whole body of a request, in memory that can be transferred to another thread.
 * @throws SendError `too_large`, or `invalid` if it did not arrive completely within SEND_BODY_MS
 */
export async function readBody(
  request: Request,
  body: AsyncIterable<Uint8Array>,
  { limit, room, isShort }: ReadOptions,
): Promise<Uint8Array> {
  const expected = Number(request.headers.get('Content-Length') ?? Number.NaN)
  const bytes = new GrowingBytes(limit)
  let size = 0
  try {
    for await (const chunk of withinTime(body, isShort)) {
      size += chunk.length
      if (size <= limit) {
        await room.take(chunk.length)
        bytes.add(chunk)
      } else {
        bytes.drop()
        room.free()
      }
      if (size > limit * DROPPED_FACTOR) break
    }
  } catch (error) {
    if (error instanceof SendError) throw error
    throw new SendError('invalid', 'The request body did not arrive completely.')
  }
  if (size > limit) throw new SendError('too_large', `The request body has more than ${limit} bytes.`)
  if (size < expected) throw new SendError('invalid', 'The request body did not arrive completely.')
  return bytes.take()
}

/**
 * Fails if the chunks do not end within SEND_BODY_MS, or if none arrives for STALL_MS while others
 * wait for room.
 */
async function* withinTime(
  chunks: AsyncIterable<Uint8Array>,
  isShort: () => boolean,
): AsyncIterable<Uint8Array> {
  let late: Error | undefined
  let isAwaited = false
  let stalledMs = 0
  let reject = (_error: Error) => {}
  const fail = (reason: string) => {
    late = new Error(reason)
    reject(late)
  }
  const timer = setTimeout(() => fail('too slow'), SEND_BODY_MS).unref()
  const stall = setInterval(() => {
    stalledMs = isAwaited ? stalledMs + SECOND_MS : 0
    if (stalledMs > STALL_MS && isShort()) fail('stalled')
  }, SECOND_MS).unref()
  const iterator = chunks[Symbol.asyncIterator]()
  // A race with one promise for all chunks would hold 300 bytes for each chunk until the last one.
  const nextInTime = () =>
    new Promise<IteratorResult<Uint8Array>>((resolve, rejectNext) => {
      reject = rejectNext
      iterator.next().then(resolve, rejectNext)
    })
  try {
    for (;;) {
      if (late !== undefined) throw late
      isAwaited = true
      const next = await nextInTime()
      isAwaited = false
      stalledMs = 0
      if (next.done === true) return
      yield next.value
      // Small chunks are joined while they wait in the stream, so that each costs less.
      if (next.value.length < SMALL_CHUNK_BYTES) await turn()
    }
  } finally {
    clearTimeout(timer)
    clearInterval(stall)
    void iterator.return?.()
  }
}
