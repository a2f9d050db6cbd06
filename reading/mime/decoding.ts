/** Turns the bytes of a text into characters as they come. */
export interface Decoding {
  write(bytes: Buffer): string
  end(): string
}
