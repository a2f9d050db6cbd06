/** What Windows-1252 has for the bytes 0x80 to 0x9f; all other bytes are the character of the same number. */
const HIGH =
  '\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f' +
  '\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178'

/**
 * Decodes Windows-1252. A TextDecoder costs half a microsecond for each call, which is much for the short lines and
 * words that this is used for.
 * @param raw one character per byte
 */
export function decodeWindows1252(raw: string): string {
  return raw.replaceAll(/[\x80-\x9f]/g, (byte) => HIGH.charAt(byte.charCodeAt(0) - 0x80))
}
