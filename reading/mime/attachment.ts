import { Buffer } from 'node:buffer'
import { createHash, type Hash, hash } from 'node:crypto'
import type { Attachment } from '../message.ts'
import { Channel } from './channel.ts'
import { firstField } from './headers.ts'
import type { Disposition, Transfer } from './part-header.ts'
import type { Leaf } from './pieces.ts'
import { cut, storable } from './text.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
const CONTROLS = /[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g

/** Stores the content of attachment `id`. It must read the content before it resolves. */
export type SaveAttachment = (id: string, content: AsyncIterable<Uint8Array>) => Promise<void>

/** An attachment that is being read and stored. */
export class AttachmentPart {
  readonly #id: string
  readonly #leaf: Leaf
  readonly #disposition: Disposition
  readonly #transfer: Transfer
  readonly #channel = new Channel()
  readonly #digest = new Digest()
  readonly #saved: Promise<void>
  #size = 0

  constructor(id: string, leaf: Leaf, disposition: Disposition, transfer: Transfer, save: SaveAttachment) {
    this.#id = id
    this.#leaf = leaf
    this.#disposition = disposition
    this.#transfer = transfer
    this.#saved = save(id, this.#channel).finally(() => this.#channel.close())
    // end() reports the error; until then it must not count as unhandled.
    this.#saved.catch(() => {})
  }

  /** Returns a promise if the caller must wait before it writes again. */
  write(chunk: Buffer): Promise<void> | undefined {
    return this.#pass(this.#transfer.write(chunk))
  }

  #pass(bytes: Buffer): Promise<void> | undefined {
    this.#digest.update(bytes)
    this.#size += bytes.length
    return this.#channel.push(bytes)
  }

  /**
   * Waits until the attachment is stored.
   * @param nameBytes the longest file name and content id, in bytes of UTF-8
   * @throws what `save` rejected with
   */
  async end(nameBytes: number): Promise<Attachment> {
    await this.#pass(this.#transfer.end())
    this.#channel.end()
    await this.#saved
    const { media, fields, parent } = this.#leaf
    const { kind, filename } = this.#disposition
    const isNamed = media.isDeclared || firstField(fields, 'content-type') === undefined
    return {
      id: this.#id,
      filename: safeName(filename ?? '', nameBytes),
      contentType: isNamed ? media.type : 'application/octet-stream',
      size: this.#size,
      inline: kind === 'inline' || (kind === undefined && parent === 'multipart/related'),
      contentId: contentId(firstField(fields, 'content-id') ?? '', nameBytes),
      sha256: this.#digest.hex(),
    }
  }

  /** Gives the attachment up; resolves when `save` has ended. */
  async fail(error: unknown): Promise<void> {
    this.#channel.fail(error)
    await this.#saved.catch(() => {})
  }
}

/** An attachment of one chunk up to this size is hashed at its end. */
const HASHED_LATER_BYTES = 4096

/** SHA-256. A hash object costs more than a small attachment, of which a message may have many. */
class Digest {
  #first: Buffer | undefined
  #hash: Hash | undefined

  update(bytes: Buffer): void {
    if (bytes.length === 0) return
    if (this.#first === undefined && this.#hash === undefined && bytes.length <= HASHED_LATER_BYTES) {
      this.#first = Buffer.from(bytes)
      return
    }
    this.#hash ??= createHash('sha256').update(this.#first ?? '')
    this.#hash.update(bytes)
  }

  hex(): string {
    return this.#hash?.digest('hex') ?? hash('sha256', this.#first ?? '')
  }
}

function contentId(value: string, bytes: number): string | null {
  const id = storable(value).trim()
  const bare = id.startsWith('<') ? (id.slice(1).split('>', 1)[0] ?? '') : id
  return cut(bare.trim(), bytes) || null
}

/**
 * Returns the last component of a path without control characters; null if nothing is left that
 * names a file.
 */
function safeName(filename: string, bytes: number): string | null {
  const line = storable(filename)
    .replaceAll(/[\t\r\n]+/g, ' ')
    .replaceAll(CONTROLS, '')
  const last = line.split(/[/\\]/).at(-1)?.trim() ?? ''
  return last === '' || last === '.' || last === '..' ? null : cut(last, bytes)
}
