import type { EmailSummary, MessageBodies, MessageDetails } from '../../reading/message.ts'

const NEW_LINE = 10

type Summary = Pick<EmailSummary, 'bodyText' | 'bodyTextTruncated'>

/**
 * Returns the `body` part of a message: three lines of JSON, which are the details, the text and the
 * HTML. JSON contains no line break, so a reader that needs only the details stops after one line,
 * and the bodies (up to 38 MB of HTML) pass into the HTTP answer without being parsed. The line of
 * the text is empty if the summary has the whole text, so that it is stored once.
 */
export function encodeMessageBody(
  details: MessageDetails,
  { bodyText, bodyHtml }: MessageBodies,
  { bodyTextTruncated }: Summary,
): Uint8Array {
  const text = bodyTextTruncated ? JSON.stringify(bodyText) : ''
  return Buffer.from(`${JSON.stringify(details)}\n${text}\n${JSON.stringify(bodyHtml)}`)
}

/** Returns the details, and a stream of two lines of JSON: the text and the HTML. */
export async function decodeMessageBody(
  stream: AsyncIterable<Uint8Array>,
  { bodyText }: Pick<Summary, 'bodyText'>,
): Promise<{ details: MessageDetails; bodies: AsyncIterable<Uint8Array> }> {
  const chunks = stream[Symbol.asyncIterator]()
  const line: Uint8Array[] = []
  try {
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
      const end = next.value.indexOf(NEW_LINE)
      if (end === -1) {
        line.push(next.value)
        continue
      }
      line.push(next.value.subarray(0, end))
      const details = JSON.parse(Buffer.concat(line).toString()) as MessageDetails
      let first = next.value.subarray(end + 1)
      while (first.length === 0 && !next.done) {
        next = await chunks.next()
        first = next.value ?? first
      }
      const text = first[0] === NEW_LINE ? JSON.stringify(bodyText) : ''
      return { details, bodies: rest(Buffer.concat([Buffer.from(text), first]), chunks) }
    }
    throw new Error('the body part has no second line')
  } catch (error) {
    await chunks.return?.()
    throw error
  }
}

/**
 * Not a generator: returning from a generator before its first `next` would leave the stream open.
 */
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
