import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from '@jest/globals'
import { readLanguages } from '../../reading/lexicon/build.ts'
import { compile } from '../../reading/lexicon/compile.ts'
import compiled from '../../reading/lexicon/compiled.json' with { type: 'json' }
import { type Language, OTHER_CODES } from '../../reading/lexicon/language.ts'
import { isWhite, wordEnd, wordStart } from '../../reading/lexicon/letters.ts'
import { pack, unpack } from '../../reading/lexicon/packed.ts'
import { parseLanguage } from '../../reading/lexicon/parse-language.ts'
import { comparable, plain } from '../../reading/lexicon/plain.ts'
import { step } from '../../reading/lexicon/tree.ts'
import { bits, partsOf, wordsIn } from '../../reading/lexicon/words.ts'
import { findCodes } from './find-codes.ts'

const languages = readLanguages()

test('compiled.json is up to date with the language files; otherwise run npm run build:lexicon', () => {
  // Jest would look for minutes for the first difference of two trees.
  expect(isDeepStrictEqual(unpack(compiled), unpack(pack(compile([...languages.values()]))))).toBe(true)
})

test('a letter leads to the children of its node, and not to those of the next node', () => {
  const { letters, firstChild, childCounts } = unpack(compiled)
  const wrong: string[] = []
  for (let node = 2; node < letters.length; node++) {
    const end = firstChild[node]! + childCounts[node]!
    const own = [...letters.slice(firstChild[node], end)]
    const next = letters[end] ?? 0
    for (const letter of [...own, next].filter((code) => /\p{L}/u.test(String.fromCharCode(code)))) {
      const child = own.indexOf(letter)
      const expected = child === -1 ? 0 : firstChild[node]! + child
      if (step(node, letter) !== expected) wrong.push(`${node} ${String.fromCharCode(letter)}`)
    }
  }
  expect(wrong).toEqual([])
})

test('each word is found alone, and between other characters', () => {
  const missed: string[] = []
  for (const { words, otherCodes } of languages.values())
    for (const word of [...Object.values(words), ...Object.values(otherCodes)].flat()) {
      const written = plain(word.replace(/^\*?=?/, '').replaceAll('*', ''))
      for (const text of [written, ` ${written}.`, `\n${written}\n`, `1${written}'s`, `語${written}語`]) {
        const all = wordsIn(text, comparable(text))
        if (!all.some(({ start, end }) => text.slice(start, end) === written)) missed.push(text)
      }
    }
  expect(missed).toEqual([])
})

test('a part of a compound ends at the latest where its noun begins', () => {
  const kinds = (words: { kinds: number }[]) => words.reduce((all, word) => all | word.kinds, 0)
  const compound = 'herstelcode'
  expect(kinds(wordsIn(compound, compound)) & bits('verificationCode')).not.toBe(0)
  const parts = partsOf(compound, compound, 0, 'herstel'.length)
  expect(kinds(parts) & bits('reset')).not.toBe(0)
  expect(kinds(parts) & bits('verificationCode')).toBe(0)
})

test('a language file may contain comments, sections and continued lines', () => {
  const source = '# A comment\n\n[words]\ncode = one,\n    two words\n[links]\nconfirm = a|b, c\n'
  expect(parseLanguage(source)).toEqual({
    words: { code: ['one', 'two words'] },
    otherCodes: {},
    links: { confirm: 'a|b, c' },
  })
})

test.each([
  ['[words]\ncodes = one\n', 'line 2: unknown field codes in section words'],
  ['code = one\n', 'line 1: unknown field code in section (none)'],
  ['[words]\ncode = one\nkey = k\ncode = two\n', 'line 4: duplicate field code'],
  ['[words]\ncode = one, one\n', 'line 2: empty or duplicate word "one"'],
  ['[words]\ncode = one, , two\n', 'line 2: empty or duplicate word ""'],
  ['[words]\ncode = one|two\n', 'line 2: a comma separates words, not a bar: "one|two"'],
  ['[words]\nsome words\n', 'line 2: expected "field = words" instead of "some words"'],
])('%j is rejected with the number of the line', (source, message) => {
  expect(() => parseLanguage(source)).toThrow(message)
})

/** The words of one kind in a text, as the text spells them. */
function found(text: string, ...kinds: Parameters<typeof bits>): string[] {
  return wordsIn(text, comparable(text))
    .filter((word) => (word.kinds & bits(...kinds)) !== 0)
    .map(({ start, end }) => text.slice(start, end))
}

test.each([
  ['whatever its ending', 'Sie haben sich verifizieren lassen', 'verify', ['verifizieren']],
  ['inside of a compound', 'Ihr Sicherheitscode', 'code', ['code']],
  ['in capitals if the lexicon has capitals', 'a pin and a PIN', 'code', ['PIN']],
  ['without its accents', 'dogrulama kodu', 'verify', ['dogrulama']],
  ['with dashes or a line break for a space', 'do-not\nshare', 'warning', ['do-not\nshare']],
  ['but not at the start of another word', 'codecs', 'code', []],
  ['and not as the name of a site', 'Booking.com', 'booking', []],
] as const)('a word is found %s', (_title, text, kind, words) => {
  expect(found(text, kind)).toEqual(words)
})

const POLICY = OTHER_CODES.filter((kind) => kind !== 'other')

describe('every language has words for each kind of code that is not a verification code', () => {
  const known = [...languages].filter(([code]) => code !== 'international')

  test.each(known)('%s', (_code, { words, otherCodes }) => {
    const missing = POLICY.filter((kind) => otherCodes[kind] === undefined)
    expect(missing).toEqual([])
    expect(words).toHaveProperty('invitation')
  })

  /** A label of a word and "code" in that language, in both orders. */
  function labels({ code = [], verificationCode = [] }: Language['words'], word: string): string[] {
    const noun = code.find((one) => !verificationCode.includes(one)) ?? ''
    return [`${word} ${noun}`, `${noun} ${word}`].map((label) => label.replace(/[*=]/g, ''))
  }

  function codesAfter(label: string): string[] {
    return findCodes({ subject: '', text: `Hello\n\n${label}: 482913\n`, html: null })
  }

  test.each(known)('%s: another kind of code is not returned', (_code, { words, otherCodes }) => {
    const given = POLICY.flatMap((kind) => otherCodes[kind] ?? []).filter((word) =>
      labels(words, word).every((label) => codesAfter(label).length > 0),
    )
    expect(given).toEqual([])
  })

  test.each(known)('%s: an invitation code is returned', (_code, { words }) => {
    const missed = words.invitation?.filter((word) =>
      labels(words, word).every((label) => codesAfter(label)[0] !== '482913'),
    )
    expect(missed).toEqual([])
  })
})

test('white space is what trim removes', () => {
  const wrong: number[] = []
  for (let code = 0; code <= 0xffff; code++)
    if (isWhite(code) !== (String.fromCharCode(code).trim() === '')) wrong.push(code)
  expect([wrong, isWhite(Number.NaN)]).toEqual([[], false])
})

test('of a longer word, forty letters are looked at', () => {
  const word = 'a'.repeat(60)
  expect([wordEnd(word, 10), wordStart(word, 55), wordEnd(word, 30), wordStart(word, 30)]).toEqual([
    50, 15, 60, 0,
  ])
})
