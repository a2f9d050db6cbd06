import { Buffer, isUtf8 } from 'node:buffer'
import { StringDecoder } from 'node:string_decoder'
import libmime from 'libmime'

/** KeyedMutex the bytes of a text into characters as they come. */
export interface Decoding {
  write(bytes: Buffer): string
  end(): string
}

const UTF8 = /^(?:us-?)?ascii$|^utf-?8$/i
const JAPANESE = /^(?:jis|iso-?2022-?jp)/i
/** A line that is longer than this is decoded in pieces. */
const LINE_BYTES = 64 * 1024
const LF = 10

/** How to read a text of this charset; undefined for one that mailparser's decoders do well. */
export function decodingOf(charset: string | undefined): Decoding | undefined {
  if (charset === undefined) return guessing()
  if (UTF8.test(charset)) return new StringDecoder('utf8')
  return JAPANESE.test(charset) ? japanese(charset) : undefined
}

/** Of text that declares no charset: Windows-1252 where it cannot be UTF-8. */
export function guessing(): Decoding {
  const windows = new TextDecoder('windows-1252')
  let held: Buffer = Buffer.alloc(0)
  return {
    write(bytes) {
      const all = held.length === 0 ? bytes : Buffer.concat([held, bytes])
      const end = all.length - unfinished(all)
      held = all.subarray(end)
      if (isUtf8(all.subarray(0, end))) return all.toString('utf8', 0, end)
      held = all.subarray(all.length)
      return windows.decode(all)
    },
    end: () => windows.decode(held),
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

/**
 * The ISO-2022-JP family line by line, for each of its lines begins in ASCII (RFC 1468). mailparser does the
 * whole text at once, which takes 30 times its size in memory.
 */
function japanese(charset: string): Decoding {
  let held: Buffer = Buffer.alloc(0)
  const decode = (bytes: Buffer): string => libmime.decodeWord(charset, 'B', bytes.toString('base64'))
  return {
    write(bytes) {
      const all = held.length === 0 ? bytes : Buffer.concat([held, bytes])
      const end = all.length > LINE_BYTES ? all.length : all.lastIndexOf(LF) + 1
      held = all.subarray(end)
      return decode(all.subarray(0, end))
    },
    end: () => decode(held),
  }
}
