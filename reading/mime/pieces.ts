import type { Buffer } from 'node:buffer'
import type { Field } from './header-block.ts'
import type { MediaType } from './media-type.ts'

/** A part that is no multipart, and its place. */
export interface Leaf {
  fields: Field[]
  media: MediaType
  /** The media type of the multipart around it; undefined for the message itself. */
  parent: string | undefined
  /** Its position there. */
  index: number
}

/** The pieces into which a message is split, in order: each leaf, its encoded bytes, its end. */
export type Piece = { type: 'leaf'; leaf: Leaf } | { type: 'data'; bytes: Buffer } | { type: 'end' }
