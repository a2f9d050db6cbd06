import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { Random } from '../hostile/search/random.ts'
import { findCodes } from './find-codes.ts'

/*
 * The layout of a mail says nothing about its code: programs wrap lines, indent them, make HTML of them, and emphasise
 * the value in their own ways. Each mail of the fixtures is read in random layouts.
 */

interface Labelled {
  subject: string
  text?: string
  html?: string
  codes: string[]
}

interface Written {
  subject: string
  text: string
  html: string | null
}

const MAILS = 4000
/** Of a hundred, as many may be read otherwise: words as codes need a line of their own and a blank one beside it. */
const OTHERWISE_PERCENT = 0.5

const labelled = ['codes', 'codes-held-out', 'codes-languages'].flatMap(
  (name) =>
    JSON.parse(
      readFileSync(new URL(`../fixtures/mails/${name}.json`, import.meta.url), 'utf8'),
    ) as Labelled[],
)

/** Breaks lines that are longer than a number of characters, between words. */
function wrapped(text: string, most: number): string {
  const lines = text.split('\n').flatMap((line) => {
    const made = ['']
    for (const word of line.split(' ')) {
      const longer = `${made.at(-1)} ${word}`
      if (made.at(-1) !== '' && longer.length > most) made.push(word)
      else made[made.length - 1] = made.at(-1) === '' ? word : longer
    }
    return made
  })
  return lines.join('\n')
}

const TEXTS: Record<string, (text: string) => string> = {
  'wrapped at 60 characters': (text) => wrapped(text, 60),
  'wrapped at 72 characters': (text) => wrapped(text, 72),
  indented: (text) => text.replace(/^(?=.)/gm, '    '),
  'with blanks at the ends of lines': (text) => text.replace(/$/gm, '  '),
  'with a blank line behind each line': (text) => text.replace(/\n+/g, '\n\n'),
  'with blanks that break no line': (text) => text.replaceAll(' ', '\u00a0'),
  'with the line ends of Windows': (text) => text.replaceAll('\n', '\r\n'),
  'above the address of a company': (text) =>
    `${text}\n\n--------\nHarbour GmbH · Musterstr. 12 · 80331 München · HRB 123456 · Tel. +49 89 1234567`,
}

const MARKS: Record<string, (code: string) => string> = {
  bold: (code) => `*${code}*`,
  'bold in Markdown': (code) => `**${code}**`,
  'in backticks': (code) => `\`${code}\``,
  'in quotes': (code) => `"${code}"`,
  'with invisible characters': (code) => [...code].join('\u200b'),
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const HTMLS: Record<string, (text: string, code: string) => string> = {
  paragraphs: (text) =>
    text
      .split(/\n\s*\n/)
      .map((part) => `<p>${escaped(part).replaceAll('\n', '<br>\n')}</p>`)
      .join('\n'),
  'rows of a table': (text) =>
    `<table>${text
      .split(/\n+/)
      .map((line) => `<tr><td style="padding:4px">${escaped(line)}</td></tr>`)
      .join('\n')}</table>`,
  'boxes for its lines': (text) =>
    text
      .split('\n')
      .map((line) => `<div>${escaped(line) || '&nbsp;'}</div>`)
      .join(''),
  'a box for each digit': (text, code) =>
    HTMLS.paragraphs!(text, code).replaceAll(
      code,
      [...code].map((digit) => `<span style="padding:8px">${digit}</span>`).join(''),
    ),
}

const SUBJECTS: Record<string, (subject: string) => string> = {
  'in capitals': (subject) => subject.toUpperCase(),
  'with a mark of a gateway': (subject) => `[EXTERNAL] ${subject}`,
}

function inLayout(random: Random, { subject, text, html, codes }: Labelled): [how: string, mail: Written] {
  const nameOf = (changes: object) => random.pick(Object.keys(changes))
  if (text === undefined || html !== undefined) {
    const how = nameOf(SUBJECTS)
    return [how, { subject: SUBJECTS[how]!(subject), text: text ?? '', html: html ?? null }]
  }
  const [value = ''] = codes
  // A mark inside of "G-482913" or of "**482913**" is another value.
  const isAlone =
    codes.length === 1 && text.split(value).length === 2 && !/[-*#"]$/.test(text.split(value)[0]!)
  const code = isAlone ? value : null
  if (code !== null && random.below(3) === 0) {
    const how = nameOf(MARKS)
    return [how, { subject, text: text.replace(code, MARKS[how]!(code)), html: null }]
  }
  if (random.below(3) === 0) {
    const how = nameOf(HTMLS)
    return [how, { subject, text: '', html: HTMLS[how]!(text, code ?? '\0') }]
  }
  const how = nameOf(TEXTS)
  return [how, { subject, text: TEXTS[how]!(text), html: null }]
}

const seed = process.env.MAYFLY_SEED ?? String(Date.now())

test(`a mail in another layout has the same codes (MAYFLY_SEED=${seed})`, () => {
  const random = new Random(seed)
  const otherwise: Array<[how: string, mail: Written, given: string[]]> = []
  for (let n = 0; n < MAILS; n++) {
    const mail = random.pick(labelled)
    const [how, written] = inLayout(random, mail)
    const given = findCodes({ ...written, isTextOfHtml: mail.text === undefined || written.text === '' })
    if (JSON.stringify(given) !== JSON.stringify(mail.codes)) otherwise.push([how, written, given])
  }
  if (otherwise.length > (MAILS * OTHERWISE_PERCENT) / 100) expect(otherwise).toEqual([])
})
