import { createHash } from 'node:crypto'
import { SUMMARY_NAME_BYTES } from '../../core/limits.ts'
import type { Attachment } from '../message.ts'
import type { Disposition } from './disposition.ts'
import { unfolded } from './headers.ts'
import { Passage } from './passage.ts'
import type { Leaf } from './structure.ts'
import { cut, storable } from './text.ts'
import type { Transfer } from './transfer.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const CONTROLS = /[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g

/** Stores attachment `id`; the content must be read in this call. */
export type Keep = (id: string, content: AsyncIterable<Uint8Array>) => Promise<void>

/** An attachment on its way into the store. */
export class AttachmentPart {
  readonly #id: string
  readonly #leaf: Leaf
  readonly #disposition: Disposition
  readonly #transfer: Transfer
  readonly #passage = new Passage()
  readonly #hash = createHash('sha256')
  readonly #kept: Promise<void>
  #size = 0

  constructor(id: string, leaf: Leaf, disposition: Disposition, transfer: Transfer, keep: Keep) {
    this.#id = id
    this.#leaf = leaf
    this.#disposition = disposition
    this.#transfer = transfer
    this.#kept = keep(id, this.#passage).finally(() => this.#passage.leave())
    // Whoever waits for its end is told of it there.
    this.#kept.catch(() => {})
  }

  /** To be waited for, where it gives something to wait for. @throws what `keep` rejects with, at its end */
  write(chunk: Buffer): Promise<void> | undefined {
    return this.#pass(this.#transfer.write(chunk))
  }

  #pass(bytes: Buffer): Promise<void> | undefined {
    this.#hash.update(bytes)
    this.#size += bytes.length
    return this.#passage.push(bytes)
  }

  async end(): Promise<Attachment> {
    await this.#pass(this.#transfer.end())
    this.#passage.end()
    await this.#kept
    const { media, fields, parent } = this.#leaf
    const { kind, filename } = this.#disposition
    const id = fields.find(({ key }) => key === 'content-id')
    const isNamed = media.isDeclared || !fields.some(({ key }) => key === 'content-type')
    return {
      id: this.#id,
      filename: safeName(filename),
      contentType: isNamed ? media.type : 'application/octet-stream',
      size: this.#size,
      inline: kind === 'inline' || (kind === undefined && parent === 'multipart/related'),
      contentId: id === undefined ? null : contentId(unfolded(id.line)),
      sha256: this.#hash.digest('hex'),
    }
  }

  /** Gives the attachment up; resolves when `keep` has noticed. */
  async fail(error: unknown): Promise<void> {
    this.#passage.fail(error)
    await this.#kept.catch(() => {})
  }
}

function contentId(value: string): string | null {
  const id = storable(value).trim()
  const bare = id.startsWith('<') ? id.slice(1).split('>', 1)[0]! : id
  return cut(bare.trim(), SUMMARY_NAME_BYTES) || null
}

/** The last component of a path, without control characters; null where nothing is left that names a file. */
function safeName(filename: string | undefined): string | null {
  const last = storable(filename ?? '')
    .replaceAll(CONTROLS, '')
    .split(/[/\\]/)
    .at(-1)!
    .trim()
  return last === '' || last === '.' || last === '..' ? null : cut(last, SUMMARY_NAME_BYTES)
}
