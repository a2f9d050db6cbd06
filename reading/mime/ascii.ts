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
