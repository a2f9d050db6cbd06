import type { MessageBodies, MessageDetails } from '../../reading/message.ts'

/** The first line of the part: what the single-email endpoint adds, except the two bodies. */
interface DetailsRecord extends Pick<MessageDetails, 'headers' | 'date' | 'verdicts'> {
  message_id: string | null
  attachments: {
    id: string
    filename: string | null
    content_type: string
    size: number
    inline: boolean
    content_id: string | null
    sha256: string
  }[]
  mail_from: string | null
  parse_error?: string
}

/**
 * The `content` part of a message: two lines of JSON, the details and the bodies, with snake_case
 * names. JSON text contains no line break, so a reader that needs only the details stops after
 * one line, and the bodies (up to 38 MB of HTML) pass into the HTTP answer without being parsed.
 */
export function encodeMessageBody(details: MessageDetails, bodies: MessageBodies): Uint8Array {
  const { headers, messageId, date, attachments, verdicts, mailFrom, parseError } = details
  const record: DetailsRecord = {
    headers,
    message_id: messageId,
    date,
    attachments: attachments.map(({ contentType, contentId, ...same }) => ({
      ...same,
      content_type: contentType,
      content_id: contentId,
    })),
    verdicts,
    mail_from: mailFrom,
    ...(parseError === undefined ? {} : { parse_error: parseError }),
  }
  const { bodyText, bodyHtml } = bodies
  return Buffer.from(
    `${JSON.stringify(record)}\n${JSON.stringify({ body_text: bodyText, body_html: bodyHtml })}`,
  )
}

function detailsOf(json: string): MessageDetails {
  const { message_id, attachments, mail_from, parse_error, ...same } = JSON.parse(json) as DetailsRecord
  return {
    ...same,
    messageId: message_id,
    attachments: attachments.map(({ content_type, content_id, ...attachment }) => ({
      ...attachment,
      contentType: content_type,
      contentId: content_id,
    })),
    mailFrom: mail_from,
    ...(parse_error === undefined ? {} : { parseError: parse_error }),
  }
}

/** Returns the details, and the rest of the stream: the JSON text of the bodies. */
export async function decodeMessageBody(
  stream: AsyncIterable<Uint8Array>,
): Promise<{ details: MessageDetails; bodies: AsyncIterable<Uint8Array> }> {
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
      return { details: detailsOf(Buffer.concat(line).toString()), bodies: rest(first, chunks) }
    }
    throw new Error('the content part has no second line')
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
