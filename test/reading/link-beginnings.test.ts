import { type AST, RegExpParser } from '@eslint-community/regexpp'
import { describe, expect, test } from '@jest/globals'
import { readLanguages } from '../../reading/lexicon/build.ts'
import { SEARCHED_KINDS, type SearchedKind } from '../../reading/lexicon/language.ts'
import { beginningsOf } from '../../reading/lexicon/link-beginnings.ts'
import { fold } from '../../reading/lexicon/plain.ts'
import { LINK_SOURCES } from '../../reading/lexicon/tree.ts'
import { firstPlaceOf, kindsBegunIn } from '../../reading/links/beginnings.ts'
import { saysIn } from '../../reading/links/phrases.ts'

test.each([
  ['reset', 'rese'],
  ['confirmation', 'conf'],
  ['re(?:set|nt\\w)', 'rese rent'],
  ['(?:re-?)?open', 'reop re-o open'],
  ['an?y', 'any ay'],
  ['an+y', 'an'],
  ['an*y', 'ay an'],
  ['a{2}b', 'a'],
  ['a[bc]d', 'abd acd'],
  ['a[^b]d', 'a'],
  ['a[b-d]e', 'a'],
  ['a\\Sb|c.d|\\p{L}e', 'a c '],
  ['\\bgo(?!ne)(?<!ego)al$', 'goal'],
  ['e\\.g', 'e.g'],
])('the matches of %s begin with %s', (pattern, beginnings) => {
  expect(beginningsOf(pattern).sort()).toEqual(beginnings.split(' ').sort())
})

/** Texts that a pattern matches, with what it may leave out and without. */
function samplesOf(pattern: string): string[] {
  const { alternatives } = new RegExpParser().parsePattern(pattern, undefined, undefined, { unicode: true })
  const textOf = (element: AST.Element, n: number): string => {
    switch (element.type) {
      case 'Character':
        return String.fromCodePoint(element.value)
      case 'CharacterClass': {
        const one = element.elements[n % element.elements.length]
        return !element.negate && one?.type === 'Character' ? one.raw : 'x'
      }
      case 'CharacterSet':
        return 'x'
      case 'Quantifier':
        return textOf(element.element, n).repeat(
          n % 2 === 0 ? element.min : Math.min(element.max, element.min + 1),
        )
      case 'Group':
        return (element.alternatives[n % element.alternatives.length]?.elements ?? [])
          .map((inner, m) => textOf(inner, n + m))
          .join('')
      default:
        return ''
    }
  }
  return alternatives.flatMap(({ elements }) =>
    [0, 1, 2, 3, 4, 5].map((n) => elements.map((element) => textOf(element, n)).join('')),
  )
}

describe('a text is not matched by the expression of a kind before its first beginning', () => {
  const bitOf = (kind: SearchedKind) => 1 << SEARCHED_KINDS.indexOf(kind)
  const isMissed = (text: string, place: number, kind: SearchedKind) => {
    const begun = kindsBegunIn(text)
    return (begun.kinds & bitOf(kind)) === 0 || firstPlaceOf(bitOf(kind), begun) > place
  }

  test.each(SEARCHED_KINDS)('%s', (kind) => {
    const expression = new RegExp(LINK_SOURCES[kind].latin, 'u')
    const samples = [...readLanguages().values()]
      .flatMap(({ links }) => Object.values(links))
      .flatMap(samplesOf)
      .map((sample) => fold(`2026, so ${sample} there`))
    const matched = samples
      .map((sample) => ({ sample, place: sample.search(expression) }))
      .filter(({ place }) => place !== -1)
    expect(matched.length).toBeGreaterThan(10)
    expect(matched.filter(({ sample, place }) => isMissed(sample, place, kind))).toEqual([])
    expect(kindsBegunIn('2026').kinds & bitOf(kind)).toBe(0)
  })
})

test.each([
  ['at the start of a text', 'reset', true],
  ['behind a beginning that goes on otherwise', 'resresetting', false],
  ['behind other marks', 'so “reset”', true],
  ['in a text of several scripts', 'сброс reset', true],
])('words begin %s', (_where, text, isFound) => {
  expect(saysIn('reset', text)).toBe(isFound)
})
