import { maxRenderedBytes } from './render.ts'
import { SendError } from './send-error.ts'

/** Characters that all substitutions in one text may search, as 64 of them in 1 MB do. */
const SEARCHED_MAX = 64 * 1024 * 1024

/**
 * Replaces each key by its value, one key after the other, in a text that stays at most as large as
 * a message may be.
 * @throws SendError `rendering`
 */
export function substituted(text: string, values: Record<string, unknown>): string {
  let result = text
  let searched = 0
  for (const [key, value] of Object.entries(values)) {
    searched += result.length
    if (searched > SEARCHED_MAX) throw new SendError('rendering', 'Too many substitutions for this content.')
    if (key !== '' && result.includes(key)) result = joined(result.split(key), String(value))
  }
  return result
}

/**
 * Replaces the matches of an expression by the value of their first group; a name without a value
 * stays.
 * @throws SendError `rendering` if the result is larger than a message may be
 */
export function replaced(
  text: string,
  pattern: RegExp,
  valueFor: (name: string) => string | undefined,
): string {
  let length = text.length
  return text.replace(pattern, (match, name: string) => {
    const value = valueFor(name) ?? match
    length += value.length - match.length
    checkLength(length)
    return value
  })
}

function joined(pieces: string[], value: string): string {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  checkLength(length + (pieces.length - 1) * value.length)
  return pieces.join(value)
}

function checkLength(length: number): void {
  if (length > maxRenderedBytes())
    throw new SendError('rendering', `The content has more than ${maxRenderedBytes()} characters.`)
}
