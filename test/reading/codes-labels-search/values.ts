import type { Random } from '../../hostile/search/random.ts'

/** A value as a mail shows it and as the reader types it. */
export interface Value {
  shown: string
  typed: string
}

const DIGITS = '0123456789'
const CAPITALS = 'ABCDEFGHJKLMNPQRSTUVWXYZ'
const SMALL = 'abcdefghijkmnpqrstuvwxyz'
const MARKS = '!#$%*+=?@'

const characters = (random: Random, set: string, length: number) =>
  Array.from({ length }, () => random.pick([...set])).join('')

/** Digits that are read as a year, a date or a round amount where no label says otherwise. */
const OTHER_NUMBER = /^(?:1[6-9]|20)(?:\d\d|\d{6})$|000$/

function digits(random: Random, length: number): string {
  const made = characters(random, DIGITS, length)
  return OTHER_NUMBER.test(made) ? `7${made.slice(1, -1)}3` : made
}

/** Returns characters of a set with at least one digit and one letter, so that they are no word. */
function mixed(random: Random, letters: string, length: number): string {
  const made = [...characters(random, letters + DIGITS, length)]
  const at = random.below(length)
  made[at] = random.pick([...DIGITS])
  made[(at + 1 + random.below(length - 1)) % length] = random.pick([...letters])
  return made.join('')
}

const same = (value: string): Value => ({ shown: value, typed: value })

function grouped(random: Random, separator: string): Value {
  const first = digits(random, 3)
  const second = digits(random, 3)
  return { shown: `${first}${separator}${second}`, typed: `${first}${second}` }
}

function prefixed(random: Random): Value {
  const typed = digits(random, 6)
  return { shown: `G-${typed}`, typed }
}

const CODES: Array<(random: Random) => Value> = [
  (random) => same(digits(random, 6)),
  (random) => same(digits(random, 6)),
  (random) => same(digits(random, 6)),
  (random) => same(digits(random, 4 + random.below(5))),
  (random) => grouped(random, ' '),
  (random) => grouped(random, '-'),
  prefixed,
  (random) => same(`${mixed(random, CAPITALS, 4)}-${mixed(random, CAPITALS, 4)}`),
  (random) => same(mixed(random, CAPITALS, 6 + random.below(3))),
  (random) => same(mixed(random, CAPITALS + SMALL, 8 + random.below(3))),
  (random) => same(mixed(random, 'abcdef', 8)),
]

/** Returns a code of one of the forms that programs generate. */
export const randomCode = (random: Random): Value => random.pick(CODES)(random)

/** Returns a password of the kind that programs generate. */
export function randomPassword(random: Random): string {
  const length = 8 + random.below(5)
  if (random.below(3) > 0) return mixed(random, CAPITALS + SMALL, length)
  const start = mixed(random, CAPITALS + SMALL, length - 3)
  return `${start}${random.pick([...MARKS])}${mixed(random, SMALL, 2)}`
}
