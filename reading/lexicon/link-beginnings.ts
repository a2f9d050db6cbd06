import { type AST, RegExpParser } from '@eslint-community/regexpp'
import { BEGINNING_MAX, type LinkKind, SEARCHED_KINDS } from './language.ts'

/**
 * A text with which matches begin, and the kinds whose expressions for Latin letters have such matches, as bits. It has
 * a blank for all that is neither letter nor digit; one that begins with a blank begins a word.
 */
export type KindsOfBeginning = [text: string, kinds: number]

/** Beginnings that a pattern may have. */
const BEGINNINGS_MAX = 1000

/** A beginning, and whether what comes next in the pattern may follow it. */
interface Beginning {
  text: string
  isOpen: boolean
}

/** Some text that is not looked at, or none. */
const ANYTHING: Beginning[] = [{ text: '', isOpen: false }]
const NOTHING: Beginning[] = [{ text: '', isOpen: true }]

/**
 * The texts with which the matches of a pattern begin, each up to where it goes on in too many ways: "let" and "le"
 * of "le(?:t|\\w+d)". An empty one means that a match may begin with anything.
 */
export function beginningsOf(pattern: string): string[] {
  const { alternatives } = new RegExpParser().parsePattern(pattern, undefined, undefined, { unicode: true })
  return [...new Set(ofAlternatives(alternatives).map(({ text }) => text))]
}

function ofAlternatives(alternatives: AST.Alternative[]): Beginning[] {
  return alternatives.flatMap(({ elements }) => {
    let all = NOTHING
    for (const element of elements) {
      if (!all.some(({ isOpen }) => isOpen)) break
      all = followed(all, ofElement(element))
    }
    return all
  })
}

function followed(all: Beginning[], by: Beginning[]): Beginning[] {
  if (all.length * by.length > BEGINNINGS_MAX) return followed(all, ANYTHING)
  return all.flatMap((one) =>
    one.isOpen
      ? by.map(({ text, isOpen }) => {
          const whole = (one.text + text).slice(0, BEGINNING_MAX)
          return { text: whole, isOpen: isOpen && whole.length < BEGINNING_MAX }
        })
      : [one],
  )
}

function ofElement(element: AST.Element): Beginning[] {
  switch (element.type) {
    case 'Character':
      return [{ text: String.fromCodePoint(element.value), isOpen: true }]
    case 'CharacterClass':
      return element.negate
        ? ANYTHING
        : element.elements.flatMap((one) =>
            one.type === 'Character' ? [{ text: String.fromCodePoint(one.value), isOpen: true }] : ANYTHING,
          )
    case 'Group':
      return ofAlternatives(element.alternatives)
    case 'Quantifier': {
      const once = ofElement(element.element)
      const repeated = element.max > 1 ? followed(once, ANYTHING) : once
      return element.min === 0 ? [...NOTHING, ...repeated] : repeated
    }
    case 'Assertion':
      return NOTHING
    default:
      return ANYTHING
  }
}

/** The beginnings of all kinds together, without those that hold another one of the same kind. */
export function kindsByBeginning(beginnings: Record<LinkKind, string[]>): KindsOfBeginning[] {
  const all = new Map<string, number>()
  for (const [number, kind] of SEARCHED_KINDS.entries())
    for (const beginning of beginnings[kind]) {
      const text = beginning.replace(/[^a-z0-9]/g, ' ')
      all.set(text, (all.get(text) ?? 0) | (1 << number))
    }
  return [...all]
    .map(([text, kinds]): KindsOfBeginning => {
      const ofPieces = piecesOf(text).reduce((bits, piece) => bits | (all.get(piece) ?? 0), 0)
      return [text, kinds & ~ofPieces]
    })
    .filter(([, kinds]) => kinds !== 0)
}

/** The shorter texts that a text holds. */
function piecesOf(text: string): string[] {
  const pieces = ['']
  for (let from = 0; from < text.length; from++)
    for (let to = from + 1; to <= text.length; to++) pieces.push(text.slice(from, to))
  return pieces.filter((piece) => piece !== text)
}
