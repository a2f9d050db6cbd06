import { Buffer } from 'node:buffer'
import type { ReadMail } from '../core/inbox/receive.ts'
import { READING_LIMITS } from '../core/limits.ts'
import { type Findings, NOTHING_FOUND } from '../reading/message.ts'
import { findIn, parseMail, readContents, type Searchable } from '../reading/read.ts'

/** Bytes of an unreadable message in which its sender and subject are looked for. */
const HEAD_BYTES = 16 * 1024
const HEAD_CHARACTERS = 500

/** Reads a message with the limits of this service. */
export const readMail: ReadMail = (raw, saveAttachment) => parseMail(raw, saveAttachment, READING_LIMITS)

/**
 * As `readMail`, but looks for no codes and links yet: that takes longer than all the rest.
 * @param search looks for them later
 */
export function readUnsearched(search: (searchable: Searchable) => Findings): ReadMail {
  return async (raw, saveAttachment) => {
    const { contents, searchable } = await readContents(raw, saveAttachment, READING_LIMITS)
    const { isTextOfHtml } = searchable
    return { ...contents, ...NOTHING_FOUND, unsearched: { isTextOfHtml, search: () => search(searchable) } }
  }
}

/** Looks for what `readUnsearched` has left. */
export function search(searchable: Searchable): Findings {
  return findIn(searchable, READING_LIMITS)
}

/**
 * Replaces `readMail` when a message has broken the reader twice: the raw message is stored with
 * the subject and the sender as its header has them, undecoded, and with `parseError`.
 */
export function unreadable(reason: string): ReadMail {
  return async (raw) => {
    const head = await beginningOf(raw)
    const field = (name: string) =>
      new RegExp(`^${name}:[ \\t]*([^\\r\\n]{0,${HEAD_CHARACTERS}})`, 'im').exec(head)?.[1]
    const from = field('From')
    return {
      from: { name: null, address: /<([^<>]+)>/.exec(from ?? '')?.[1] ?? from ?? null },
      to: [],
      cc: [],
      replyTo: [],
      subject: field('Subject') ?? '',
      text: '',
      html: null,
      ...NOTHING_FOUND,
      headers: [],
      messageId: null,
      date: null,
      attachments: [],
      parseError: `The message could not be read: ${reason}`,
    }
  }
}

async function beginningOf(raw: AsyncIterable<Uint8Array> | Uint8Array): Promise<string> {
  if (raw instanceof Uint8Array) return Buffer.from(raw.subarray(0, HEAD_BYTES)).toString('latin1')
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of raw) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= HEAD_BYTES) break
  }
  return Buffer.concat(chunks).subarray(0, HEAD_BYTES).toString('latin1')
}
