/**
 * Decodes the bytes of a text into characters, chunk by chunk. After `end` it can decode another
 * text.
 */
export interface Decoding {
  write(bytes: Buffer): string
  end(): string
}
