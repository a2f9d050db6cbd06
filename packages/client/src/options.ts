import { HAS } from './wire.ts'

/**
 * Checks the options of calls. JavaScript callers have no compiler that finds `waitForCode({ subjct
 * })`, and an option that is silently ignored makes a test pass for the wrong reason.
 */

const KINDS = {
  string: ['a string', (value: unknown) => typeof value === 'string'],
  number: ['a number of milliseconds from 0', (value: unknown) => typeof value === 'number' && value >= 0],
  count: ['a whole number from 1', (value: unknown) => Number.isInteger(value) && (value as number) > 0],
  boolean: ['true or false', (value: unknown) => typeof value === 'boolean'],
  function: ['a function', (value: unknown) => typeof value === 'function'],
  pattern: ['a RegExp', isPattern],
  text: ['a string or a RegExp', (value: unknown) => typeof value === 'string' || isPattern(value)],
  has: [
    `one of ${Object.keys(HAS)
      .map((value) => `'${value}'`)
      .join(', ')}`,
    (value: unknown) => typeof value === 'string' && Object.hasOwn(HAS, value),
  ],
  path: [
    "a path that begins with a slash, such as '/api/info'",
    (value: unknown) => typeof value === 'string' && value.startsWith('/'),
  ],
  method: [
    "'GET', 'POST' or 'DELETE'",
    (value: unknown) => ['GET', 'POST', 'DELETE'].includes(value as string),
  ],
  query: ['an object', (value: unknown) => typeof value === 'object' && value !== null],
  json: ['JSON', (value: unknown) => JSON.stringify(value) !== undefined],
  signal: ['an AbortSignal', (value: unknown) => typeof (value as AbortSignal)?.aborted === 'boolean'],
} as const satisfies Record<string, readonly [string, (value: unknown) => boolean]>

type Kind = keyof typeof KINDS
export type Shape = Record<string, Kind>

/**
 * Whether the value is a RegExp, of any realm: Jest and browsers' frames have their own classes.
 */
export function isPattern(value: unknown): value is RegExp {
  return Object.prototype.toString.call(value) === '[object RegExp]'
}

/**
 * @param call such as `waitForCode()`, for the message
 * @param example of correct options, for the message
 * @throws TypeError when `options` is no object, or has an option that `shape` does not, or one of
 *   another type
 */
export function checkOptions(call: string, options: unknown, shape: Shape, example: string): void {
  if (typeof options !== 'object' || options === null || isPattern(options)) {
    throw new TypeError(`${call} takes an object such as ${example}, not ${shown(options)}.`)
  }
  for (const [name, value] of Object.entries(options)) {
    const kind = Object.hasOwn(shape, name) ? shape[name] : undefined
    if (kind === undefined) {
      throw new TypeError(`${call} has no option \`${name}\`. ${suggestion(name, Object.keys(shape))}`)
    }
    const [words, isKind] = KINDS[kind]
    if (value !== undefined && !isKind(value)) {
      throw new TypeError(`${call}: \`${name}\` must be ${words}, not ${shown(value)}.`)
    }
  }
}

/**
 * The key without the white space around it, which files and secrets of a CI end with.
 * @throws TypeError for a key with a character that keys do not have; the message does not contain it
 */
export function checkedKey(option: string, variable: string, key: string | undefined): string | undefined {
  const text = key?.trim()
  if (text === undefined || /^[\x20-\x7e]*$/.test(text)) return text
  throw new TypeError(`\`${option}\` or ${variable} has a character that no key has.`)
}

function shown(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value)
}

/** A name that differs by this many characters is taken for a slip of the keyboard. */
const SLIP_MAX = 2

/** The candidate that was probably meant; all of them if none is near. */
function suggestion(name: string, candidates: string[]): string {
  const near = nearest(name, candidates)
  return near === undefined ? `It has: ${candidates.join(', ')}.` : `Did you mean \`${near}\`?`
}

/** The candidate within SLIP_MAX edits in any case that has the fewest, the first one of several. */
function nearest(name: string, candidates: string[]): string | undefined {
  const typed = name.toLowerCase()
  const ranked = candidates.map(
    (candidate) => [editDistance(typed, candidate.toLowerCase()), candidate] as const,
  )
  const [edits, candidate] = ranked.sort(([a], [b]) => a - b)[0]!
  return edits <= SLIP_MAX ? candidate : undefined
}

/** How many characters to insert, delete or replace (Levenshtein). */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (const [i, x] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, y] of [...b].entries()) {
      next.push(Math.min(row[j]! + (x === y ? 0 : 1), row[j + 1]! + 1, next[j]! + 1))
    }
    row = next
  }
  return row[b.length]!
}
