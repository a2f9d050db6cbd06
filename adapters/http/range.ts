/** The bytes of a representation, both ends inclusive. */
export interface ByteRange {
  first: number
  last: number
}

/**
 * The range that a request asks for (RFC 9110, section 14.2), as S3 answers it: undefined, which is the
 * whole, for no header, a malformed one, another unit and several ranges; `unsatisfiable` if no byte is in it.
 * @param size of the whole, in bytes
 */
export function rangeOf(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/i.exec(header?.trim() ?? '') ?? []
  if (from === undefined || to === undefined || (from === '' && to === '')) return undefined
  if (from === '') return Number(to) === 0 || size === 0 ? 'unsatisfiable' : lastBytes(Number(to), size)
  const first = Number(from)
  const last = to === '' ? Number.POSITIVE_INFINITY : Number(to)
  if (first > last) return undefined
  return first >= size ? 'unsatisfiable' : { first, last: Math.min(last, size - 1) }
}

function lastBytes(count: number, size: number): ByteRange {
  return { first: Math.max(size - count, 0), last: size - 1 }
}
