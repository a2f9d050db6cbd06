import { expect, test } from '@jest/globals'
import { Random } from '../hostile/search/random.ts'
import { findCodes } from './find-codes.ts'

/*
 * A list of recovery codes is given as a whole or not at all, in whatever form a program writes it: random values of
 * one shape, with numbers, bullets or marks, in columns, in the elements of HTML.
 */

const LISTS = 1500
const ALPHABETS = [
  '0123456789',
  'BCDFGHJKLMNPQRTVWXZ0123456789',
  'bcdfghjkmnpqrtvwxz0123456789',
  '0123456789abcdef',
]
const HEADINGS = [
  'Your recovery codes:',
  'Here are your backup codes. Keep them in a safe place:',
  'Recovery codes\n==============',
  'These are your new recovery codes, each of which works once:',
  'Backup verification codes',
  'Voici vos codes de récupération :',
  'Ihre Backup-Codes lauten:',
  'Tus códigos de recuperación:',
  '备用验证码：',
]
const ENTRIES: Array<(value: string, n: number) => string> = [
  (value) => value,
  (value, n) => `${n}. ${value}`,
  (value, n) => `${String(n).padStart(2)}) ${value}`,
  (value, n) => `${n}: ${value}`,
  (value, n) => `#${n} ${value}`,
  (value, n) => `[${n}] ${value}`,
  (value, n) => `${n}\t${value}`,
  (value) => `- ${value}`,
  (value) => `• ${value}`,
  (value) => `    ${value}`,
  (value) => `${value},`,
  (value) => `${value};`,
  (value) => `"${value}"`,
  (value) => `\`${value}\``,
]
const COLUMNS = [' ', '\t', '  ', ' | ', ', ']
const LINE_ENDS = ['\n', '\n\n', '\r\n', ' \n']
const ELEMENTS: Array<(values: string[]) => string> = [
  (values) => `<ul>${values.map((value) => `<li>${value}</li>`).join('')}</ul>`,
  (values) => `<p>${values.join('<br>')}</p>`,
  (values) => `<table>${values.map((value) => `<tr><td>${value}</td></tr>`).join('\n')}</table>`,
  (values) => `<pre>${values.join('\n')}</pre>`,
  (values) => values.map((value) => `<div><code>${value}</code></div>`).join(''),
]

/** Different values of one shape: of one group, or of groups of one length with dashes between them. */
function valuesOf(random: Random): string[] {
  const alphabet = [...random.pick(ALPHABETS)]
  const groups = 1 + random.below(4)
  const size = groups === 1 ? 6 + random.below(5) : 3 + random.below(3)
  const group = () => Array.from({ length: size }, () => random.pick(alphabet)).join('')
  // Letters alone may be words.
  const value = () =>
    groups === 1 ? `${group()}${random.below(10)}` : Array.from({ length: groups }, group).join('-')
  return [...new Set(Array.from({ length: 4 + random.below(9) }, value))]
}

function rows(random: Random, values: string[]): string {
  const hasColumns = random.pick([true, false, false])
  if (!hasColumns)
    return values
      .map((value, n) => [value, n + 1] as const)
      .map(entryOf(random))
      .join(random.pick(LINE_ENDS))
  // Values without a dash that have single blanks between them may be the groups of one.
  const gap = random.pick(values[0]!.includes('-') ? COLUMNS : COLUMNS.slice(1))
  const width = 2 + random.below(3)
  const lines: string[] = []
  for (let n = 0; n < values.length; n += width) lines.push(values.slice(n, n + width).join(gap))
  return lines.join('\n')
}

function entryOf(random: Random): (entry: readonly [value: string, n: number]) => string {
  const write = random.pick(ENTRIES)
  return ([value, n]) => write(value, n)
}

const seed = process.env.MAYFLY_SEED ?? String(Date.now())

test(`random lists of recovery codes are given as a whole or not at all (MAYFLY_SEED=${seed})`, () => {
  const random = new Random(seed)
  const pieces: Array<[list: string, given: string[]]> = []
  let whole = 0
  for (let n = 0; n < LISTS; n++) {
    const values = valuesOf(random)
    const heading = random.pick(HEADINGS)
    const subject = 'Two-factor authentication'
    const isHtml = random.pick([true, false, false])
    const list = isHtml ? random.pick(ELEMENTS)(values) : rows(random, values)
    const text = isHtml ? '' : `Hello Ines,\n\n${heading}\n\n${list}\n\nKeep them safe.\n`
    const html = isHtml ? `<p>Hello Ines,</p><p>${heading}</p>${list}<p>Keep them safe.</p>` : null
    const given = findCodes({ subject, text, html, isTextOfHtml: isHtml })
    const bare = (value: string) => (/[a-z]/i.test(values.join('')) ? value : value.replace(/\D/g, ''))
    if (given.length === 0) continue
    if (JSON.stringify(given.toSorted()) === JSON.stringify(values.map(bare).toSorted())) whole++
    else pieces.push([list, given])
  }
  expect(pieces).toEqual([])
  expect(whole).toBeGreaterThan(LISTS * 0.95)
})
