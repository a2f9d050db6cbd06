/**
 * White space in text that holds one byte per character. JavaScript's `trim` and `\s` also match
 * U+00A0, which is the second byte of many UTF-8 characters, "à" among them.
 */
export function isAsciiSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13)
}

export function trimAscii(text: string): string {
  let start = 0
  while (start < text.length && isAsciiSpace(text.charCodeAt(start))) start++
  return trimAsciiEnd(text.slice(start))
}

export function trimAsciiEnd(text: string): string {
  let end = text.length
  while (end > 0 && isAsciiSpace(text.charCodeAt(end - 1))) end--
  return end === text.length ? text : text.slice(0, end)
}

export function isAscii(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are ASCII too
  return /^[\x00-\x7f]*$/.test(text)
}
