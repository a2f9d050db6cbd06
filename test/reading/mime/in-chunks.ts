import { expect } from '@jest/globals'

/** What arrives in one chunk, byte by byte, or in chunks of a few bytes must be read the same. */
export const CHUNK_SIZES = [Number.POSITIVE_INFINITY, 1, 2, 3, 7, 1499]
const LARGE_SIZES = [Number.POSITIVE_INFINITY, 30_011, 65_536]

export function* chunksOf(bytes: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

interface Decoder<Output> {
  write(bytes: Buffer): Output
  end(): Output
}

/** Decodes bytes in chunks of each size, which must give the same. */
export function decoded<Output extends string | Buffer>(make: () => Decoder<Output>, bytes: Buffer): string {
  const sizes = bytes.length > 10_000 ? LARGE_SIZES : CHUNK_SIZES
  const results = sizes.map((size) => {
    const decoder = make()
    // A decoder may return a part of its input, or use one buffer for all output.
    const pieces = [...chunksOf(bytes, size)].map((chunk) => text(decoder.write(Buffer.from(chunk))))
    return [...pieces, text(decoder.end())].join('')
  })
  for (const result of results) expect(result).toBe(results[0])
  return results[0]!
}

/** One character per byte. */
function text(output: string | Buffer): string {
  return typeof output === 'string' ? output : output.toString('latin1')
}
