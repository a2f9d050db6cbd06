import { Buffer } from 'node:buffer'
import type { StartIntake } from '../adapters/sqlite/writer.ts'
import type { Writing } from '../adapters/sqlite/writing.ts'
import type { Part } from '../core/inbox/ports.ts'
import { type Envelope, type ReceivePorts, receive } from '../core/inbox/receive.ts'

/** A message that came whole: small, so that reading it holds the writing thread up for no time to speak of. */
export interface SmallMessage {
  envelope: Envelope
  raw: Uint8Array
}

/** Receives small messages in the thread that writes: what it stores of one is a single step there. */
export const startIntake: StartIntake = (ports, writing, data) => ({
  async receive(message) {
    const { envelope, raw } = message as SmallMessage
    const received = await receive(storedAtOnce(ports, writing, raw), envelope, raw, {
      retention_ms: (data as { retention_ms: number }).retention_ms,
    })
    return received.map((email) => email.id)
  },
})

/**
 * Ports for one envelope that hold its parts back until its emails are stored. Reading a message takes some turns
 * of the event loop: parts that were written on the way would have a commit of their own, and so a second sync.
 * Messages are small here, and so are their parts.
 */
function storedAtOnce({ domains, blobs }: ReceivePorts, writing: Writing, raw: Uint8Array): ReceivePorts {
  const held = new Map<Part, Uint8Array>([['raw', raw]])
  return {
    domains,
    blobs: {
      async put(_delivery, part, content) {
        held.set(part, content instanceof Uint8Array ? content : await whole(content))
      },
      remove: (envelope) => blobs.remove(envelope),
    },
    emails: { store: (mail) => writing.run('emails.store', [mail, [...held]]) },
  }
}

async function whole(content: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of content) chunks.push(chunk)
  return Buffer.concat(chunks)
}
