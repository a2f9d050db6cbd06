import { expect, test } from '@jest/globals'
import { Random } from '../hostile/search/random.ts'
import { codesIn } from './find-codes.ts'

/*
 * A value in groups is given as a whole or not at all, whatever its groups are. The lists of other tests have the
 * groups that somebody thought of; these are random.
 */

const VALUES = 4000
const SEPARATORS = [' ', ' ', ' ', '-', '.', '_', '/', '\u00a0']
const PREFIXES = ['', '', '', 'G-', 'AB-']
const FRAMES = [
  (value: string) => `Your verification code is ${value}.\nIt expires in 10 minutes.`,
  (value: string) => `Your verification code is:\n\n${value}\n\nIt expires in 10 minutes.`,
  (value: string) => `Verification code: ${value}\n`,
]
const DIGITS = '0123456789'
const LETTERS = 'BCDFGHJKLMNPQRTVWXZ'

/** A group of one case in which a digit shows that it is no word. */
function group(random: Random, isMixed: boolean): string {
  const size = 1 + random.below(5)
  const characters = Array.from({ length: size }, () => random.pick([...DIGITS, ...(isMixed ? LETTERS : '')]))
  characters[random.below(size)] = random.pick([...DIGITS])
  return characters.join('')
}

const bare = (value: string) => value.replace(/[^A-Z0-9]/g, '')

const seed = process.env.MAYFLY_SEED ?? String(Date.now())

test(`values of random groups are given as a whole or not at all (MAYFLY_SEED=${seed})`, () => {
  const random = new Random(seed)
  const pieces: Array<[shown: string, given: string[]]> = []
  let whole = 0
  for (let n = 0; n < VALUES; n++) {
    const isMixed = random.pick([true, false])
    const groups = Array.from({ length: 2 + random.below(3) }, () => group(random, isMixed))
    const value = groups.join(random.pick(SEPARATORS))
    const shown = `${random.pick(PREFIXES)}${value}`
    const given = codesIn(random.pick(FRAMES)(shown))
    if (given.length === 0) continue
    if (given.length === 1 && [bare(value), bare(shown)].includes(bare(given[0]!))) whole++
    else pieces.push([shown, given])
  }
  expect(pieces).toEqual([])
  // Most groups that a program writes are of one length.
  expect(whole).toBeGreaterThan(VALUES / 50)
})
