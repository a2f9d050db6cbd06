import { READING_LIMITS } from '../../core/limits.ts'
import type { SaveAttachment } from '../../reading/mime/attachment.ts'
import { type ParsedMail, parseMail } from '../../reading/read.ts'

/** Reads a message with the limits of the service. */
export function readMail(
  raw: Uint8Array | AsyncIterable<Uint8Array>,
  save: SaveAttachment = async () => {},
): Promise<ParsedMail> {
  return parseMail(raw, save, READING_LIMITS)
}

/** Reads a message and keeps the bytes of its attachments by their ids. */
export async function readWithAttachments(
  raw: Uint8Array | AsyncIterable<Uint8Array>,
): Promise<{ mail: ParsedMail; attachments: Map<string, Buffer> }> {
  const attachments = new Map<string, Buffer>()
  const mail = await readMail(raw, async (id, content) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of content) chunks.push(chunk)
    attachments.set(id, Buffer.concat(chunks))
  })
  return { mail, attachments }
}

/** Reads a message that is given by its lines. */
export function readLines(...lines: string[]): Promise<ParsedMail> {
  return readMail(Buffer.from(lines.join('\r\n')))
}
