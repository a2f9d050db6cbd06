import type { Page } from '../../core/inbox/ports.ts'
import { LIST_BYTES, LIST_READ_BYTES, SUMMARY_TEXT_BYTES } from '../../core/limits.ts'
import { jsonText } from './answer.ts'
import { summary } from './wire/email.ts'

/** Returns what a list reads: more only if the answer leaves out much of it. */
export function readBytes(textLimit: number): number {
  return textLimit < SUMMARY_TEXT_BYTES ? LIST_READ_BYTES : LIST_BYTES
}

/**
 * A page as JSON, of as many of its emails as fit into LIST_BYTES, and of one at least.
 * @param head members before the emails
 */
export function emailsAnswer(head: object, { emails, next }: Page, textLimit: number): Response {
  const pieces: string[] = []
  let bytes = 0
  for (const email of emails) {
    const piece = JSON.stringify(summary(email, textLimit))
    bytes += Buffer.byteLength(piece) + 1
    if (pieces.length > 0 && bytes > LIST_BYTES) break
    pieces.push(piece)
  }
  const isWhole = pieces.length === emails.length
  const cursor = isWhole ? next : emails[pieces.length - 1]?.id
  const opening = JSON.stringify({ success: true, ...head }).slice(0, -1)
  return jsonText(`${opening},"emails":[${pieces.join()}],"next_cursor":${JSON.stringify(cursor ?? null)}}`)
}
