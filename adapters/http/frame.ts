import type { InboxChange, NewEmail } from '../../core/events/sink.ts'
import type { Email } from '../../core/inbox/email.ts'
import { summary } from './wire/email.ts'

/**
 * A part of an event stream (HTML standard, section 9.2), plain and as a chunk (RFC 9112, section
 * 7.1).
 */
export interface Frame {
  text: Buffer
  chunk: Buffer
}

/** A text as one chunk. */
export function chunkOf(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
}

function frameOf(text: string): Frame {
  const chunk = Buffer.from(chunkOf(text))
  return { text: chunk.subarray(chunk.indexOf('\n') + 1, -2), chunk }
}

export const KEEP_ALIVE = frameOf(': keep-alive\n\n')

const encodings = new WeakMap<Email | InboxChange, Frame>()

/** The event of an email, encoded once for all streams that receive it. */
export function emailFrame({ domain, email }: NewEmail): Frame {
  // JSON contains no line break and an id is a ULID, so no content of a mail can begin another
  // field.
  return once(email, () => {
    const data = JSON.stringify({ type: 'new-email', domain, email: summary(email) })
    return `id: ${email.id}\ndata: ${data}\n\n`
  })
}

/** It has no id, because a stream cannot resume at it. */
export function changeFrame(change: InboxChange): Frame {
  return once(change, () => {
    const { type, domain, address } = change
    return `data: ${JSON.stringify({ type, domain, address, ...('id' in change && { id: change.id }) })}\n\n`
  })
}

export function gapFrame(missedBefore: string): Frame {
  return frameOf(`data: ${JSON.stringify({ type: 'gap', missed_before: missedBefore })}\n\n`)
}

function once(event: Email | InboxChange, text: () => string): Frame {
  let frame = encodings.get(event)
  if (frame === undefined) {
    frame = frameOf(text())
    encodings.set(event, frame)
  }
  return frame
}
