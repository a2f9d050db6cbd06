/**
 * Decodes the bytes of a text into characters, chunk by chunk. After `end` it can decode another
 * text.
 */
export interface Decoding {
  write(bytes: Buffer): string
  end(): string
}

/** Decoders of the platform that decode no text now, by charset: making one takes as long as decoding a kilobyte. */
const idle = new Map<string, TextDecoder>()

/**
 * Returns a decoding by the platform.
 * @throws RangeError if the platform does not know the charset
 */
export function platformDecoding(charset: string): Decoding {
  let decoder: TextDecoder | undefined = take(charset)
  return {
    write(bytes) {
      decoder ??= take(charset)
      return decoder.decode(bytes, { stream: true })
    },
    end() {
      if (decoder === undefined) return ''
      const rest = decoder.decode()
      idle.set(charset, decoder)
      decoder = undefined
      return rest
    },
  }
}

function take(charset: string): TextDecoder {
  const decoder = idle.get(charset) ?? new TextDecoder(charset)
  idle.delete(charset)
  return decoder
}
