import { Buffer } from 'node:buffer'

/**
 * Returns the text without what JSON, SQLite and DynamoDB do not all preserve: NUL, which ends a
 * text in C, and lone surrogates, which UTF-8 cannot express.
 */
export function storable(text: string): string {
  const whole = text.includes('\0') ? text.replaceAll('\0', '') : text
  return whole.isWellFormed() ? whole : whole.toWellFormed()
}

/**
 * Returns the longest beginning of the text that takes at most `bytes` bytes of UTF-8, cut between
 * characters.
 */
export function cut(text: string, bytes: number): string {
  // A UTF-16 unit takes at most three bytes.
  if (text.length * 3 <= bytes) return text
  const head = Buffer.from(text.slice(0, bytes + 1))
  if (head.length <= bytes) return text
  let end = bytes
  while (((head[end] ?? 0) & 0xc0) === 0x80) end--
  return head.toString('utf8', 0, end)
}

/**
 * White space in text that holds one byte per character. JavaScript's `trim` and `\s` also match
 * U+00A0, which is the second byte of many UTF-8 characters, "à" among them.
 */
export function isAsciiSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13)
}

export function trimAscii(text: string): string {
  let start = 0
  while (isAsciiSpace(text.charCodeAt(start))) start++
  return trimAsciiEnd(text.slice(start))
}

export function trimAsciiEnd(text: string): string {
  let end = text.length
  while (isAsciiSpace(text.charCodeAt(end - 1))) end--
  return text.slice(0, end)
}
