import type { Bodies, Detail } from '../../reading/message.ts'

/**
 * The `content` part of a message: two lines of JSON, the Detail and the Bodies. JSON text holds no line break
 * of its own, so whoever needs only the detail reads one line, and 38 MB of HTML pass from the store into the
 * answer as the JSON that they are, never parsed.
 */
export function encodeContent(detail: Detail, bodies: Bodies): Uint8Array {
  return Buffer.from(`${JSON.stringify(detail)}\n${JSON.stringify(bodies)}`)
}

/** The detail, and the rest of the stream: the JSON text of the Bodies. */
export async function decodeContent(
  stream: AsyncIterable<Uint8Array>,
): Promise<{ detail: Detail; bodies: AsyncIterable<Uint8Array> }> {
  const chunks = stream[Symbol.asyncIterator]()
  const line: Uint8Array[] = []
  try {
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
      const end = next.value.indexOf(10)
      if (end === -1) {
        line.push(next.value)
        continue
      }
      line.push(next.value.subarray(0, end))
      const first = next.value.subarray(end + 1)
      return { detail: JSON.parse(Buffer.concat(line).toString()) as Detail, bodies: rest(first, chunks) }
    }
    throw new Error('the content part has no second line')
  } catch (error) {
    await chunks.return?.()
    throw error
  }
}

/** No generator: one that is returned from before it began would leave the stream behind it open. */
function rest(first: Uint8Array, chunks: AsyncIterator<Uint8Array>): AsyncIterable<Uint8Array> {
  let held = first
  const iterator: AsyncIterator<Uint8Array> = {
    async next() {
      if (held.length === 0) return chunks.next()
      const value = held
      held = held.subarray(held.length)
      return { done: false, value }
    },
    async return() {
      await chunks.return?.()
      return { done: true, value: undefined }
    },
  }
  return { [Symbol.asyncIterator]: () => iterator }
}
