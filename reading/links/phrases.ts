import { LINK_KINDS, type LinkKind, type SearchedKind } from '../lexicon/language.ts'
import { fold } from '../lexicon/plain.ts'
import { LINK_SOURCES } from '../lexicon/tree.ts'
import { type Begun, firstPlaceOf, kindsBegunIn } from './beginnings.ts'

/** The expressions of a kind, those with Latin letters and those with others, and what a search for them costs. */
interface Expressions {
  /** With the flag "g", because a search starts at the first place where a match may begin. */
  latin: RegExp
  other: RegExp
  cost: Cost
}

const NOTHING = '(?!)'
/** By the number of the kind, when they were needed first. */
const expressions: (Expressions | undefined)[] = []
const NUMBERS = Object.fromEntries(LINK_KINDS.map((kind, n) => [kind, n])) as Record<LinkKind, number>

function expressionsOf(kind: LinkKind): Expressions {
  const number = NUMBERS[kind]
  let found = expressions[number]
  if (found === undefined) {
    const { latin, other } = LINK_SOURCES[kind]
    found = { latin: compiled(latin, 'gu'), other: compiled(other, 'u'), cost: COSTS[kind] ?? COST }
    expressions[number] = found
  }
  return found
}

function compiled(source: string, flags: string): RegExp {
  return new RegExp(source === '' ? NOTHING : source, flags)
}

const ASCII = /^[\0-\x7f]*$/
/** Letters of scripts other than Latin. Quotation marks and dashes lie between. */
const OTHER_SCRIPT = /[\u0370-\u1fff\u2c00-\uffff]/

/** The kinds that say what a link is for. */
const PURPOSES = ['confirm', 'signIn', 'reset', 'invite', 'join', 'approve', 'unsubscribe', 'legal'] as const

/** What a search costs, in units of about 4 ns a character: by the expression for Latin letters, and by both. */
type Cost = readonly [latin: number, both: number]

const FOLD_COST: Cost = [1, 4]
const COST: Cost = [1, 3]
/** Kinds with short expressions, and those with long ones or with a gap between words. */
const COSTS: Partial<Record<LinkKind, Cost>> = {
  unsubscribe: [1, 1],
  legal: [1, 1],
  code: [1, 1],
  fallback: [1, 1],
  other: [1, 1],
  confirm: [2, 6],
  address: [4, 6],
  device: [4, 6],
  change: [3, 6],
  changed: [4, 6],
  addressConfirm: [3, 6],
  passwordChange: [4, 9],
  addressChange: [5, 12],
  notice: [8, 16],
}

/** What each search costs, however short its text is, in units: asking, and keeping the answer. */
const SEARCH_COST = 60

/** Units that the searches of a mail have: those of an ordinary mail with a dozen links, or 0.06 ms. */
const SEARCHED_MAX = 14_000

/** What is known of a text. Kinds are bits, by their numbers. */
interface Answers {
  hasOtherScript: boolean
  /** The kinds of which the expressions for Latin letters may match. */
  begun: Begun
  /** The kinds that were asked for, and those of them of which the text says something. */
  asked: number
  said: number
}

/**
 * Searches texts of one mail for the phrases of the lexicon. Each text is searched once for each kind.
 * The searches of a mail are bounded, because the same words may be around hundreds of links:
 * when they are used up, no text says anything.
 */
export class Phrases {
  private left: number
  /** How often a text was searched. */
  searches = 0
  private readonly folded = new Map<string, string>()
  private readonly answers = new Map<string, Answers>()
  /** The text that was asked for last, which is often asked for again. */
  private last = ''
  private answersOfLast: Answers = {
    hasOtherScript: false,
    begun: { kinds: 0, places: [] },
    asked: 0,
    said: 0,
  }

  /** @param most units that are left for a mail; its searches get no more than SEARCHED_MAX */
  constructor(most = SEARCHED_MAX) {
    this.left = Math.min(most, SEARCHED_MAX)
  }

  /** Whether the searches are used up, so that an answer may be wrong. */
  get isExhausted(): boolean {
    return this.left <= 0
  }

  /** The text as the other functions expect it; empty if the searches are used up. */
  fold(text: string): string {
    let folded = this.folded.get(text)
    if (folded === undefined) {
      if (this.isExhausted) return ''
      this.left -= text.length * FOLD_COST[ASCII.test(text) ? 0 : 1]
      folded = fold(text)
      this.folded.set(text, folded)
    }
    return folded
  }

  /** Whether a `fold`ed text says something of a kind in any language. */
  says(kind: SearchedKind, text: string): boolean {
    // The pairs of words are long expressions, and most texts lack one word of every pair.
    if (kind === 'notice')
      return (
        this.has('changed', text) &&
        (this.has('password', text) || this.has('address', text)) &&
        this.has(kind, text)
      )
    if (kind === 'addressChange')
      return this.has('change', text) && this.has('address', text) && this.has(kind, text)
    if (this.has(kind, text)) return true
    if (kind === 'confirm')
      return this.has('confirming', text) && this.has('address', text) && this.has('addressConfirm', text)
    return (
      kind === 'reset' &&
      this.has('password', text) &&
      this.has('change', text) &&
      this.has('passwordChange', text)
    )
  }

  /** Whether a `fold`ed text says what a link is for, in any of the ways that `says` knows. */
  saysPurpose(text: string): boolean {
    return PURPOSES.some((kind) => this.says(kind, text))
  }

  private has(kind: SearchedKind, text: string): boolean {
    const answers = text === this.last ? this.answersOfLast : this.answersOf(text)
    const bit = 1 << NUMBERS[kind]
    if ((answers.asked & bit) === 0) {
      answers.asked |= bit
      if (this.left > 0 && this.search(kind, text, answers)) answers.said |= bit
    }
    return (answers.said & bit) !== 0
  }

  private answersOf(text: string): Answers {
    let answers = this.answers.get(text)
    if (answers === undefined) {
      this.left -= text.length
      answers = { hasOtherScript: OTHER_SCRIPT.test(text), begun: kindsBegunIn(text), asked: 0, said: 0 }
      this.answers.set(text, answers)
    }
    this.last = text
    this.answersOfLast = answers
    return answers
  }

  private search(kind: SearchedKind, text: string, { hasOtherScript, begun }: Answers): boolean {
    const bit = 1 << NUMBERS[kind]
    const isBegun = (begun.kinds & bit) !== 0
    if (!hasOtherScript && !isBegun) return false
    this.searches++
    const { latin, other, cost } = expressionsOf(kind)
    const [ofLatin, ofBoth] = cost
    this.left -=
      SEARCH_COST + text.length * (hasOtherScript ? (isBegun ? ofBoth : ofBoth - ofLatin) : ofLatin)
    return (isBegun && matches(latin, text, firstPlaceOf(bit, begun))) || (hasOtherScript && other.test(text))
  }
}

function matches(latin: RegExp, text: string, from: number): boolean {
  latin.lastIndex = from
  return latin.test(text)
}

/** Whether a short `fold`ed text says something of a kind. To look for the beginnings first would take longer. */
export function saysIn(kind: LinkKind, text: string): boolean {
  const { latin, other } = expressionsOf(kind)
  return matches(latin, text, 0) || (OTHER_SCRIPT.test(text) && other.test(text))
}

/** Where a `fold`ed text first says something of a kind; -1 if it does not. */
export function placeOf(kind: LinkKind, text: string): number {
  const { latin, other } = expressionsOf(kind)
  const places = [text.search(latin), text.search(other)].filter((place) => place !== -1)
  return places.length === 0 ? -1 : Math.min(...places)
}

/** A `fold`ed text without the first words of a kind. */
export function without(kind: LinkKind, text: string): string {
  const { latin, other } = expressionsOf(kind)
  latin.lastIndex = 0
  const words = latin.exec(text)
  if (words === null) return text.replace(other, ' ')
  const behind = text.slice(words.index + words[0].length)
  return `${text.slice(0, words.index)} ${behind}`.replace(other, ' ')
}
