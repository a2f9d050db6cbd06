/** A message as one character per byte, with a name for it. */
export type Shape = [name: string, message: string]

/** Makes text of one size. */
export interface Filler {
  /** Repeats the text. */
  fill(text: string, size?: number): string
  /** Joins pieces of which each has its number. */
  numbered(piece: (n: number) => string): string
}

export function filler(bytes: number): Filler {
  return {
    fill: (text, size = bytes) => text.repeat(Math.ceil(size / text.length)).slice(0, size),
    numbered(piece) {
      const pieces: string[] = []
      for (let length = 0; length < bytes; ) {
        const text = piece(pieces.length)
        pieces.push(text)
        length += text.length
      }
      return pieces.join('').slice(0, bytes)
    },
  }
}

export const TEXT = 'Content-Type: text/plain; charset='
export const PLAIN = `${TEXT}utf-8\r\n\r\n`
export const HTML = 'Content-Type: text/html\r\n\r\n'
export const MIXED = 'Content-Type: multipart/mixed; boundary='

/** Text beyond ASCII as the characters of its UTF-8 bytes. */
export const utf8 = (text: string): string => Buffer.from(text).toString('latin1')
