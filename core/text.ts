import { Buffer } from 'node:buffer'

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
