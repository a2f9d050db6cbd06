import { Buffer, isUtf8 } from 'node:buffer'
import type { Decoding } from './decoding.ts'
import { Utf7Decoder } from './utf7.ts'

/** What programs call charsets that WHATWG's Encoding Standard knows by other names. */
const ALIASES: Record<string, string> = {
  utf8mb4: 'utf-8',
  cp65001: 'utf-8',
  'utf-8-mac': 'utf-8',
  cp932: 'shift_jis',
  'x-sjis-jp': 'shift_jis',
  cp936: 'gbk',
  ms936: 'gbk',
  'windows-936': 'gbk',
  cp949: 'euc-kr',
  ms949: 'euc-kr',
  cp950: 'big5',
  ms950: 'big5',
  cp51932: 'euc-jp',
  eucjp: 'euc-jp',
  euckr: 'euc-kr',
  jis: 'iso-2022-jp',
  'utf-16-be': 'utf-16be',
  'utf-16-le': 'utf-16le',
  'ucs-2': 'utf-16',
  'iso-10646-ucs-2': 'utf-16',
  unicode: 'utf-16',
}

/** Says nothing of bytes above ASCII; programs write it before they look. */
const ASCII = /^(?:us-?)?ascii$|^ansi_x3\.4|^iso646|^iso-ir-6$|^c$|^7-?bit$|^default$/
const UTF_7 = /^(?:x-)?(?:unicode-1-1-)?utf-?7$/
const UTF_16 = /^utf-?16$/

/**
 * How to read a text of this charset. One that is not named, or that nobody knows, or ASCII, is UTF-8, and
 * Windows-1252 where it cannot be that (which is also how WHATWG reads us-ascii).
 */
export function decodingOf(charset: string | undefined): Decoding {
  const label = labelOf(charset)
  if (label === undefined || ASCII.test(label)) return guessing()
  if (UTF_7.test(label)) return new Utf7Decoder()
  if (UTF_16.test(label)) return utf16()
  if (label === 'iso-2022-jp') return japanese()
  try {
    return streaming(new TextDecoder(label))
  } catch {
    return guessing()
  }
}

/** A short text as a whole. */
export function decodeText(bytes: Buffer, charset: string | undefined): string {
  const decoding = decodingOf(charset)
  return decoding.write(bytes) + decoding.end()
}

/** Whether the name says how to read bytes above ASCII. */
export function isTelling(charset: string | undefined): boolean {
  const label = labelOf(charset)
  return label !== undefined && !ASCII.test(label)
}

function labelOf(charset: string | undefined): string | undefined {
  const name = charset?.replaceAll(/^[\s"'<]+|[\s"'>;,]+$/g, '').toLowerCase()
  if (name === undefined || name === '') return undefined
  if (Object.hasOwn(ALIASES, name)) return ALIASES[name]
  // "cp-1252", "win1252", "iso-2022-jp-ms", "8859-1"
  return name
    .replace(/^(?:cp|win|windows|microsoft-cp|ms)[-_]?(125\d)$/, 'windows-$1')
    .replace(/^(?:iso-?)?(?:latin-?)?8859[-_](\d+)(?:[-_].*)?$/, 'iso-8859-$1')
    .replace(/^(?:x-)?_?(?:cs)?iso-?2022-?jp.*$/, 'iso-2022-jp')
    .replace(/^gb_?2312.*$/, 'gbk')
    .replace(/^(?:ks_?c_?5601|ksc5601).*$/, 'euc-kr')
}

function streaming(decoder: TextDecoder): Decoding {
  return {
    write: (bytes) => decoder.decode(bytes, { stream: true }),
    end: () => decoder.decode(),
  }
}

const SWITCH = String.raw`\x1b(?:\([ABIJ]|\$[@B])`
/** All but the last of several switches between character sets that stand together. */
const SURPLUS = new RegExp(`(?:${SWITCH})+(?=${SWITCH})`, 'g')

/** ISO-2022-JP (RFC 1468). Where one switch follows another, the Encoding Standard sees an error; mail has them. */
function japanese(): Decoding {
  const decoder = new TextDecoder('iso-2022-jp')
  let held = ''
  const decode = (text: string, stream: boolean) =>
    decoder.decode(Buffer.from(text.replaceAll(SURPLUS, ''), 'latin1'), { stream })
  return {
    write(bytes) {
      const text = held + bytes.toString('latin1')
      const lines = text.lastIndexOf('\n') + 1
      const end = text.length - lines > PIECE_BYTES ? text.length : lines
      held = text.slice(end)
      return decode(text.slice(0, end), true)
    },
    end: () => decode(held, false),
  }
}

/** Big-endian by its mark (RFC 2781, section 3.2), or where every other byte is zero as it is in Latin text. */
function utf16(): Decoding {
  let held: Buffer = Buffer.alloc(0)
  let inner: Decoding | undefined
  function begin(): string {
    const big = held[0] === 0xfe && held[1] === 0xff
    const little = held[0] === 0xff && held[1] === 0xfe
    const looksBig = !little && held.length >= 2 && held[0] === 0 && held[1] !== 0
    inner = streaming(new TextDecoder(big || looksBig ? 'utf-16be' : 'utf-16le'))
    return inner.write(held)
  }
  return {
    write(bytes) {
      if (inner !== undefined) return inner.write(bytes)
      held = Buffer.concat([held, bytes])
      return held.length < 2 ? '' : begin()
    },
    end() {
      const rest = inner === undefined ? begin() : ''
      return rest + inner!.end()
    },
  }
}

/** A line that is longer is judged in pieces. */
const PIECE_BYTES = 64 * 1024
const LF = 10

/** Line by line, so that one wrong byte does not spoil the text. */
function guessing(): Decoding {
  const windows = new TextDecoder('windows-1252')
  let held: Buffer = Buffer.alloc(0)
  let begun = false
  function take(bytes: Buffer): string {
    const from = !begun && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
    begun ||= bytes.length > 0
    if (isUtf8(bytes)) return bytes.toString('utf8', from)
    const lines: string[] = []
    for (let at = from; at < bytes.length; ) {
      const found = bytes.indexOf(LF, at)
      const end = Math.min(found === -1 ? bytes.length : found + 1, at + PIECE_BYTES)
      const line = bytes.subarray(
        at,
        end - (end === at + PIECE_BYTES ? unfinished(bytes.subarray(at, end)) : 0),
      )
      lines.push(isUtf8(line) ? line.toString() : windows.decode(line))
      at += line.length
    }
    return lines.join('')
  }
  return {
    write(bytes) {
      const all = held.length === 0 ? bytes : Buffer.concat([held, bytes])
      let end = all.lastIndexOf(LF) + 1
      while (all.length - end >= PIECE_BYTES) {
        const piece = all.subarray(end, end + PIECE_BYTES)
        end += piece.length - unfinished(piece)
      }
      held = Buffer.from(all.subarray(end))
      return take(all.subarray(0, end))
    },
    end: () => take(held),
  }
}

/** How many bytes at the end are the beginning of a UTF-8 sequence that is longer. */
function unfinished(bytes: Buffer): number {
  for (let n = 1; n <= Math.min(3, bytes.length); n++) {
    const byte = bytes[bytes.length - n]!
    if ((byte & 0xc0) === 0x80) continue
    return byte >= 0xc0 && n < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? n : 0
  }
  return 0
}
