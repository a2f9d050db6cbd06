import type { Buffer } from 'node:buffer'
import type { Field } from './headers.ts'
import type { Parameters } from './parameters.ts'

export interface MediaType {
  /** Type and subtype in lower case. */
  type: string
  /** Whether the header names the type, and in a valid form. */
  isDeclared: boolean
  parameters: Parameters
}

/** A part that is no multipart, and its place. */
export interface Leaf {
  fields: Field[]
  media: MediaType
  /** The media type of the multipart around it; undefined for the message itself. */
  parent: string | undefined
  /** A multipart/alternative is around it, at any depth. */
  isAlternative: boolean
  /**
   * It is the first part there. In a multipart/related it is the first text if pictures precede it, as
   * some programs write MHTML (RFC 2387, section 3.2, names the root otherwise).
   */
  isRoot: boolean
}

/** The pieces into which a message is split, in order: each leaf, its encoded bytes, its end. */
export type Piece = { type: 'leaf'; leaf: Leaf } | { type: 'data'; bytes: Buffer } | { type: 'end' }
