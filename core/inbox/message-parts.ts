import { Buffer } from 'node:buffer'
import type { BlobStore, MessageParts, Part } from './ports.ts'

/**
 * Bytes of all parts of one message that are held in memory. A part that exceeds them is stored at
 * once.
 */
const COLLECTED_BYTES = 512 * 1024

/**
 * Collects the parts of a message while it is read, so that they are stored together with the
 * emails in one command. Parts that do not fit into memory go to the blob store directly.
 */
export class CollectedParts {
  readonly #blobs: Pick<BlobStore, 'put'>
  readonly #messageId: string
  readonly #parts = new Map<Part, Uint8Array>()
  #room = COLLECTED_BYTES

  constructor(blobs: Pick<BlobStore, 'put'>, messageId: string) {
    this.#blobs = blobs
    this.#messageId = messageId
  }

  get parts(): MessageParts {
    return this.#parts
  }

  /** Adds a part that is in memory already. */
  async add(part: Part, content: Uint8Array): Promise<void> {
    if (content.length > this.#room) return this.#blobs.put(this.#messageId, part, content)
    this.#room -= content.length
    this.#parts.set(part, content)
  }

  /** Adds a part of unknown size. Rejects with what the content or the blob store rejects with. */
  async addAttachment(id: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    const part: Part = `attachments/${id}`
    const chunks: Uint8Array[] = []
    const iterator = content[Symbol.asyncIterator]()
    let size = 0
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
      chunks.push(next.value)
      size += next.value.length
      if (size > this.#room) return this.#blobs.put(this.#messageId, part, chain(chunks, iterator))
    }
    await this.add(part, Buffer.concat(chunks))
  }
}

/** The chunks that were read already, and then the rest. */
async function* chain(chunks: Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks.splice(0)
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
  } finally {
    await rest.return?.()
  }
}
