import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { Random } from '../hostile/search/random.ts'
import { findCodes } from './find-codes.ts'

/*
 * Programs make codes of many kinds, and the same sentence introduces them. The mails of the fixtures that have six
 * digits are read with random values of other kinds, and mails without a code with such values instead of a number.
 */

interface Labelled {
  subject: string
  text: string
  html?: string
  codes: string[]
}

const MAILS = 1500

const labelled = ['codes', 'codes-held-out', 'codes-languages']
  .flatMap(
    (name) =>
      JSON.parse(
        readFileSync(new URL(`../fixtures/mails/${name}.json`, import.meta.url), 'utf8'),
      ) as Labelled[],
  )
  .filter(({ html }) => html === undefined)

/** The mail has the value once, in groups or not; "G-482913" and the end of an address have only digits. */
const coded = labelled.filter(({ codes: [code = ''], codes, subject, text }) => {
  const pieces = `${subject}\n${text}`.split(code)
  const isOnce = `${subject}\n${text}`.replace(/(?<=\d)[ -](?=\d)/g, '').split(code).length === 2
  const isWhole = pieces.length === 2 && !/[\w/-]$/.test(pieces[0]!)
  return codes.length === 1 && /^\d{6}$/.test(code) && isOnce && isWhole
})

const NUMBER = /(?<![\w.,/-])\d{4,8}(?![\w.,/-])/g
/** Postal codes of India are known by their six digits. */
const POSTAL = /PIN|पिन/
const without = labelled.filter(
  ({ codes, text }) => codes.length === 0 && text.search(NUMBER) !== -1 && !POSTAL.test(text),
)

const DIGITS = '0123456789'
const CONSONANTS = 'BCDFGHJKLMNPQRSTVWXZ'

function randomValue(random: Random, characters: string, length: number): string {
  return Array.from({ length }, () => random.pick([...characters])).join('')
}

/** A value of capitals and digits, with two of each at least. */
function mixed(random: Random, length: number): string {
  for (;;) {
    const value = randomValue(random, `${CONSONANTS}AEIOUY${DIGITS}`, length)
    if (/\d.*\d/.test(value) && /[A-Z].*[A-Z]/.test(value)) return value
  }
}

/** Of a hundred values, as many may be missed. */
const KINDS: [what: string, missedPercent: number, make: (random: Random) => string][] = [
  ['four digits that are no year', 5, (random) => `${3 + random.below(7)}${randomValue(random, DIGITS, 3)}`],
  ['five digits', 4, (random) => randomValue(random, DIGITS, 5)],
  ['six digits', 1, (random) => randomValue(random, DIGITS, 6)],
  ['seven digits', 4, (random) => randomValue(random, DIGITS, 7)],
  ['eight digits', 4, (random) => `${3 + random.below(7)}${randomValue(random, DIGITS, 7)}`],
  ['six capitals and digits', 6, (random) => mixed(random, 6)],
  ['eight capitals and digits', 6, (random) => mixed(random, 8)],
  ['two groups of four', 8, (random) => `${mixed(random, 4)}-${mixed(random, 4)}`],
  ['six consonants', 24, (random) => randomValue(random, CONSONANTS, 6)],
]

const seed = process.env.MAYFLY_SEED ?? String(Date.now())

describe(`values of other kinds (MAYFLY_SEED=${seed})`, () => {
  test.each(KINDS)(
    '%s are a code where six digits are: at most %i in 100 are missed',
    (what, percent, make) => {
      const random = new Random(`${seed} ${what}`)
      const missed: Array<[value: string, given: string[], text: string]> = []
      for (let n = 0; n < MAILS; n++) {
        const { subject, text, codes } = random.pick(coded)
        const value = make(random)
        const written = {
          subject: subject.replace(codes[0]!, value),
          text: text.replace(codes[0]!, value),
          html: null,
        }
        const given = findCodes(written)
        if (given.length !== 1 || given[0] !== value) missed.push([value, given, written.text])
      }
      if (missed.length > (MAILS * percent) / 100) expect(missed).toEqual([])
    },
  )

  test.each(KINDS)('%s are no code where another number is none', (what, _percent, make) => {
    const random = new Random(`${seed} ${what}`)
    const invented: Array<[given: string[], text: string]> = []
    for (let n = 0; n < MAILS; n++) {
      const { subject, text } = random.pick(without)
      const written = text.replace(random.pick(text.match(NUMBER)!), make(random))
      const given = findCodes({ subject, text: written, html: null })
      if (given.length > 0) invented.push([given, written])
    }
    if (invented.length > MAILS / 100) expect(invented).toEqual([])
  })
})
