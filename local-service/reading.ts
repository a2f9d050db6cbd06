import { Buffer } from 'node:buffer'
import type { Find, LoadFind } from '../adapters/sqlite/late-search.ts'
import type { ReadMail } from '../core/inbox/receive.ts'
import { READING_LIMITS } from '../core/limits.ts'
import { NOTHING_FOUND } from '../reading/message.ts'

/** Bytes of an unreadable message in which its sender and subject are looked for. */
const HEAD_BYTES = 16 * 1024
const HEAD_CHARACTERS = 500

let reading: Promise<typeof import('../reading/read.ts')> | undefined

/** Loads the code that reads mail. It takes as long as all the rest of a start, so a start does not wait for it. */
export function loadReading(): Promise<typeof import('../reading/read.ts')> {
  reading ??= import('../reading/read.ts')
  return reading
}

/** Reads a message with the limits of this service. */
export const readMail: ReadMail = async (raw, saveAttachment) => {
  const { parseMail } = await loadReading()
  return parseMail(raw, saveAttachment, READING_LIMITS)
}

/** Loads what looks for the codes and links that `readUnsearched` has left. */
export async function loadSearch(): Promise<Find> {
  const { findIn } = await loadReading()
  return (searchable) => findIn(searchable, READING_LIMITS)
}

/**
 * As `readMail`, but looks for no codes and links yet: that takes longer than all the rest.
 * @param load loads what looks for them later
 */
export function readUnsearched(load: LoadFind): ReadMail {
  return async (raw, saveAttachment) => {
    const { readContents } = await loadReading()
    const find = await load()
    const { contents, searchable } = await readContents(raw, saveAttachment, READING_LIMITS)
    const { isTextOfHtml } = searchable
    return { ...contents, ...NOTHING_FOUND, unsearched: { isTextOfHtml, search: () => find(searchable) } }
  }
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
