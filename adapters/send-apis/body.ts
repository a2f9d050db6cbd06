import { Buffer } from 'node:buffer'
import { SEND_BODIES_BYTES, SEND_BODY_MS } from '../../core/limits.ts'
import { ByteBudget } from './byte-budget.ts'
import { SendError } from './send-error.ts'

/**
 * The rest of a body that is too large is read and dropped up to this multiple, because SDKs answer
 * only then.
 */
const DROPPED_FACTOR = 4

/** Bodies of requests, with a bound on the bytes that all of them hold at once. */
export class BoundedBodies {
  readonly #budget = new ByteBudget(SEND_BODIES_BYTES)
  readonly #limit: number

  constructor(maxMessageBytes: number) {
    // The largest message as base64, with room for the other fields.
    this.#limit = Math.ceil((maxMessageBytes * 4) / 3) + 1024 * 1024
  }

  /**
   * Reads a body as soon as there is room for it, and holds that room until `handle` has ended. A
   * client that waits sends no more than the buffers of its connection hold.
   * @throws SendError
   */
  async use<T>(
    request: Request,
    body: AsyncIterable<Uint8Array>,
    handle: (body: Uint8Array) => Promise<T>,
  ): Promise<T> {
    const release = await this.#budget.take(Math.min(announcedBytes(request, this.#limit), SEND_BODIES_BYTES))
    try {
      return await handle(await readBody(request, body, this.#limit))
    } finally {
      release()
    }
  }
}

/** The Content-Length of a request; the limit if the request has none. */
export function announcedBytes(request: Request, limit: number): number {
  const length = Number(request.headers.get('Content-Length') ?? limit)
  return Number.isSafeInteger(length) && length >= 0 ? Math.min(length, limit) : limit
}

/**
 * The whole body of a request.
 * @throws SendError `too_large`, or `invalid` if it did not arrive completely within SEND_BODY_MS
 */
export async function readBody(
  request: Request,
  body: AsyncIterable<Uint8Array>,
  limit: number,
): Promise<Uint8Array> {
  const expected = Number(request.headers.get('Content-Length') ?? Number.NaN)
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of withinTime(body, SEND_BODY_MS)) {
      size += chunk.length
      if (size <= limit) chunks.push(chunk)
      else chunks.length = 0
      if (size > limit * DROPPED_FACTOR) break
    }
  } catch {
    throw new SendError('invalid', 'The request body did not arrive completely.')
  }
  if (size > limit) throw new SendError('too_large', `The request body has more than ${limit} bytes.`)
  if (size < expected) throw new SendError('invalid', 'The request body did not arrive completely.')
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, size)
}

/** Fails if the chunks do not end within `ms`. */
async function* withinTime(chunks: AsyncIterable<Uint8Array>, ms: number): AsyncIterable<Uint8Array> {
  const late = Promise.withResolvers<never>()
  late.promise.catch(() => {})
  const timer = setTimeout(() => late.reject(new Error('too slow')), ms)
  const iterator = chunks[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), late.promise])
      if (next.done === true) return
      yield next.value
    }
  } finally {
    clearTimeout(timer)
    void iterator.return?.()
  }
}
