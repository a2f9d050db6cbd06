import { Buffer } from 'node:buffer'
import type { Writer } from '../adapters/sqlite/writer.ts'
import type { Part } from '../core/inbox/ports.ts'
import { type Envelope, receive } from '../core/inbox/receive.ts'

/**
 * Reads a small message and stores it with all of its parts as one command: parts that were written on the way
 * would have a commit of their own, and so a second sync. The ids of its emails.
 */
export async function receiveSmall(
  { domains, blobs, commands }: Writer,
  envelope: Envelope,
  raw: Uint8Array,
  retentionMs: number,
): Promise<string[]> {
  const parts: [Part, Uint8Array][] = [['raw', raw]]
  const ports = {
    domains,
    blobs: {
      async put(_messageId: string, part: Part, content: AsyncIterable<Uint8Array> | Uint8Array) {
        parts.push([part, content instanceof Uint8Array ? content : await whole(content)])
      },
      remove: (messageId: string) => blobs.remove(messageId),
    },
    emails: {
      store: (mail: Parameters<typeof commands.storeEmails>[0]) => commands.storeEmails(mail, parts),
    },
  }
  const emails = await receive(ports, envelope, raw, { retentionMs })
  return emails.map((email) => email.id)
}

async function whole(content: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of content) chunks.push(chunk)
  return Buffer.concat(chunks)
}
