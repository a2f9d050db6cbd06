import { Buffer } from 'node:buffer'
import { decodeText } from './charset.ts'

/** Longer than any name of a charset, with a language behind it (RFC 2231, section 5). */
const LABEL = /([^?\s*]{1,60})(?:\*[^?\s]{0,60})?\?([bq])\?/iy

/**
 * The text with its encoded words decoded (RFC 2047), in time linear in its length. Adjacent words of one charset
 * are decoded as one, because programs break them inside of a character. Words are taken inside of quotes and
 * within other text, and with blanks and bytes above ASCII in them, as Outlook and Gmail read them.
 * @param raw one character a byte, unfolded; bytes outside of words are UTF-8, or Windows-1252 where they cannot be
 */
export function decodedWords(raw: string): string {
  if (!raw.includes('=?')) return outside(raw)
  const out: string[] = []
  let pending: { charset: string; bytes: Buffer[] } | null = null
  let done = 0
  /** Where the next word ends. */
  let end = 0
  const flush = () => {
    if (pending !== null) out.push(decodeText(Buffer.concat(pending.bytes), pending.charset))
    pending = null
  }
  for (let at = raw.indexOf('=?'); at !== -1; at = raw.indexOf('=?', at)) {
    LABEL.lastIndex = at + 2
    const label = LABEL.exec(raw)
    if (label === null) {
      at += 2
      continue
    }
    const from = LABEL.lastIndex
    if (end < from) end = raw.indexOf('?=', from)
    if (end === -1) break
    const inner = raw.indexOf('=?', from)
    if (inner !== -1 && inner < end - 1) {
      at = inner
      continue
    }
    const between = raw.slice(done, at)
    const charset = label[1]!.toLowerCase()
    const bytes = decodedWord(raw.slice(from, end), label[2]!)
    // Blanks between two words are not shown (section 6.2).
    const adjoins: boolean = done > 0 && /^[ \t]*$/.test(between)
    if (!adjoins) {
      flush()
      out.push(outside(between))
    } else if (pending !== null && (pending as { charset: string }).charset !== charset) flush()
    // Each of these begins and ends in ASCII (RFC 1468), so that no character is broken.
    else if (charset.startsWith('iso-2022')) flush()
    pending ??= { charset, bytes: [] as Buffer[] }
    ;(pending as { bytes: Buffer[] }).bytes.push(bytes)
    done = end + 2
    at = done
  }
  flush()
  out.push(outside(raw.slice(done)))
  return out.join('')
}

function decodedWord(text: string, encoding: string): Buffer {
  if (encoding === 'b' || encoding === 'B')
    return Buffer.from(text.replaceAll(/[^A-Za-z0-9+/]/g, ''), 'base64')
  const bytes = text.replaceAll('_', ' ')
  return Buffer.from(
    bytes.replaceAll(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )
}

function outside(raw: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the point is to tell ASCII from the rest
  return /^[\x00-\x7f]*$/.test(raw) ? raw : decodeText(Buffer.from(raw, 'latin1'), undefined)
}
