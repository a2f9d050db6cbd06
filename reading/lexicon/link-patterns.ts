import { type Language, LINK_KINDS, type LinkField, type LinkKind, type LinkPatterns } from './language.ts'
import { beginningsOf, type KindsOfBeginning, kindsByBeginning } from './link-beginnings.ts'
import { withoutAccents } from './plain.ts'

/** Alternatives of a pattern: those that begin where a word does, and those that may begin anywhere. */
interface Alternatives {
  starting: string[]
  anywhere: string[]
}

/** Characters between the two words of a pair, as in "change your password". */
const NEAR = '[^.!?。]{0,24}'
const FAR = '[^.!?。]{0,40}'

const BEGINS_WORD = '(?<![a-z0-9\\u0370-\\u052f])'
/** Between "this" and "page", of which each begins a word. */
const BESIDE = `[^.!?。]{0,14}${BEGINS_WORD}`

/** The words of all languages for each kind, as regular expressions over `fold`ed text. */
export function linkPatterns(languages: Language[]): Record<LinkKind, LinkPatterns> {
  return ofEachKind((kind) => patternsOf(allAlternatives(languages, kind), kind))
}

/** What the matches of the expressions for Latin letters begin with. */
export function linkBeginnings(languages: Language[]): KindsOfBeginning[] {
  return kindsByBeginning(
    ofEachKind((kind) => {
      const { starting, anywhere } = allAlternatives(languages, kind)
      return [
        ...ofScript(starting, true)
          .flatMap(beginningsOf)
          .map((beginning) => ` ${beginning}`),
        ...ofScript(anywhere, true).flatMap(beginningsOf),
      ]
    }),
  )
}

function ofEachKind<T>(value: (kind: LinkKind) => T): Record<LinkKind, T> {
  return Object.fromEntries(LINK_KINDS.map((kind) => [kind, value(kind)])) as Record<LinkKind, T>
}

/** Kinds of which it matters where a match ends, so that the order of the alternatives counts. */
const ORDERED: readonly LinkKind[] = ['generic', 'either', 'password']

/** Kinds of two words: written out, their expressions would be so long that V8 does not optimize them (20 KB). */
const PAIRS: readonly LinkKind[] = [
  'passwordChange',
  'addressConfirm',
  'addressChange',
  'notice',
  'pageBelow',
]

/** Kinds whose words may begin inside of others: "Anmeldecode", "Benutzerkonto". */
const INSIDE: readonly LinkKind[] = [
  'fallback',
  'code',
  'password',
  'confirming',
  'change',
  'changed',
  'device',
  'temporary',
  'mailbox',
]

function alternatives({ links }: Language, kind: LinkKind): Alternatives {
  if (kind === 'passwordChange') return pairs(links, ['password'], 'change', NEAR)
  if (kind === 'addressChange') return pairs(links, ['mailbox'], 'change', NEAR)
  if (kind === 'addressConfirm') return pairs(links, ['mailbox', 'account'], 'confirming', NEAR)
  if (kind === 'notice') return pairs(links, ['password', 'mailbox'], 'changed', FAR)
  if (kind === 'pageBelow') return pageBelow(links)
  if (kind === 'signIn') return { starting: present(links, ['signIn', 'passwordless']), anywhere: [] }
  if (kind === 'address') return { starting: [], anywhere: present(links, ['mailbox', 'account']) }
  const own = present(links, [kind])
  return INSIDE.includes(kind) ? { starting: [], anywhere: own } : { starting: own, anywhere: [] }
}

/** A thing and what is done with it, in both orders. */
function pairs(links: Language['links'], things: LinkField[], verb: LinkField, gap: string): Alternatives {
  const nouns = present(links, things).join('|')
  const verbs = present(links, [verb])[0]
  if (nouns === '' || verbs === undefined) return { starting: [], anywhere: [] }
  return { starting: [`(?:${verbs})${gap}(?:${nouns})`], anywhere: [`(?:${nouns})${gap}(?:${verbs})`] }
}

/** "The link below", "this page", "click the button", "click here". */
function pageBelow(links: Language['links']): Alternatives {
  const beside = (some: LinkField[], others: LinkField[]) => {
    const [one, other] = [present(links, some).join('|'), present(links, others).join('|')]
    if (one === '' || other === '') return []
    return [`(?:${one})${BESIDE}(?:${other})`, `(?:${other})${BESIDE}(?:${one})`]
  }
  return { starting: [...beside(['page'], ['below']), ...beside(['click'], ['page', 'here'])], anywhere: [] }
}

function present(links: Language['links'], fields: LinkField[]): string[] {
  return fields.flatMap((field) => links[field] ?? []).map(bounded)
}

/** Letters of a word that `\S*` and the like match. */
const REST_MAX = 24

/**
 * The piece with a bound for each repetition: a text that repeats the beginning of a word would be
 * searched to its end from each of them.
 */
function bounded(piece: string): string {
  return piece.replace(/(?<!\\)[*+]/g, (mark) => `{${mark === '*' ? 0 : 1},${REST_MAX}}`)
}

const LATIN = /\p{Script=Latin}/u
/** Scripts in which a word has a visible beginning. */
const SPACED = /\p{Script=Latin}{2}|\p{Script=Cyrillic}|\p{Script=Greek}/u

/** The alternatives of all languages, those of scripts without visible words among the ones that begin anywhere. */
function allAlternatives(languages: Language[], kind: LinkKind): Alternatives {
  const all = languages.map((language) => alternatives(language, kind))
  const starting = all.flatMap((one) => one.starting).flatMap(split)
  // Generic words are matched one after the other, each to its end.
  if (kind === 'generic') starting.sort((a, b) => b.length - a.length)
  return {
    starting: starting.filter((one) => SPACED.test(one)),
    anywhere: [
      ...starting.filter((one) => !SPACED.test(one)),
      ...all.flatMap((one) => one.anywhere).flatMap(split),
    ],
  }
}

function patternsOf({ starting, anywhere }: Alternatives, kind: LinkKind): LinkPatterns {
  const joined = (isLatin: boolean) => {
    const of = (list: string[]) => {
      const own = ofScript(list, isLatin)
      if (ORDERED.includes(kind)) return own.join('|')
      return byFirstLetter(PAIRS.includes(kind) ? own : own.flatMap(startingWithLetters))
    }
    const pieces = [of(starting), of(anywhere)]
    return [pieces[0] && `${BEGINS_WORD}(?:${pieces[0]})`, pieces[1]]
      .filter((piece) => piece !== '')
      .join('|')
  }
  return { latin: joined(true), other: joined(false) }
}

/** The alternatives of one kind of script. Languages share many, and each costs time at every place of a text. */
function ofScript(list: string[], isLatin: boolean): string[] {
  return [...new Set(list.filter((one) => LATIN.test(letters(one)) === isLatin).map(withoutAccents))]
}

/** A letter that a pattern must begin with, and the rest of it. */
const BEGINS_WITH_LETTER = /^(\p{L})((?![?*+{]).*)$/u

/**
 * Alternatives with those grouped that begin with the same letters: at most places of a text one letter rules
 * out all of a group.
 */
function byFirstLetter(list: string[]): string {
  const groups = new Map<string, string[]>()
  const others: string[] = []
  for (const one of list) {
    const [, letter, rest] = BEGINS_WITH_LETTER.exec(one) ?? []
    if (letter === undefined || rest === undefined) others.push(one)
    else groups.set(letter, [...(groups.get(letter) ?? []), rest])
  }
  const joined = [...groups].map(([letter, rests]) =>
    rests.length === 1 ? `${letter}${rests[0]}` : `${letter}(?:${byFirstLetter(rests)})`,
  )
  return [...joined, ...others].join('|')
}

/** The start of a pattern that matches no character: the beginning of a word, or a look ahead or behind. */
const BEGINS_WITHOUT_WIDTH = /^(?:\\b|\(\?<?[!=])/
/** Characters that a pattern may have when it is written out. */
const WRITTEN_OUT_MAX = 1500

/**
 * A pattern as alternatives that begin with a letter, as far as that is possible: "(?:ask|tell) me" as "ask me" and
 * "tell me", and "\\bcode" as "c(?<=\\bc)ode".
 */
function startingWithLetters(pattern: string): string[] {
  if (pattern.startsWith('(?:')) {
    const end = endOfGroup(pattern)
    const isOptional = pattern[end] === '?'
    if (/[*+{]/.test(pattern[end] ?? '') || (isOptional && pattern[end + 1] === '?')) return [pattern]
    const rest = pattern.slice(isOptional ? end + 1 : end)
    const inner = split(pattern.slice(3, end - 1))
    const written = [...inner.map((one) => one + rest), ...(isOptional ? [rest] : [])]
    if (written.some((one) => one === '') || written.join('').length > WRITTEN_OUT_MAX) return [pattern]
    return written.flatMap(startingWithLetters)
  }
  if (!BEGINS_WITHOUT_WIDTH.test(pattern)) return [pattern]
  const end = pattern.startsWith('\\b') ? 2 : endOfGroup(pattern)
  return startingWithLetters(pattern.slice(end)).map((one) => {
    const [, letter, rest] = BEGINS_WITH_LETTER.exec(one) ?? []
    return letter === undefined
      ? pattern.slice(0, end) + one
      : `${letter}(?<=${pattern.slice(0, end)}${letter})${rest}`
  })
}

/** Where the group ends that a pattern begins with. */
function endOfGroup(pattern: string): number {
  let depth = 0
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at]
    if (char === '\\') at++
    else if (char === '[') at = pattern.indexOf(']', at)
    else if (char === '(') depth++
    else if (char === ')' && --depth === 0) return at + 1
  }
  return pattern.length
}

/** A pattern without its classes and escapes: "\\p{L}" and "\\b" are no Latin letters. */
function letters(pattern: string): string {
  return pattern.replace(/\\p\{\w+\}|\\./g, '')
}

/** The alternatives of a piece of a regular expression. */
function split(piece: string): string[] {
  const parts: string[] = []
  let depth = 0
  let from = 0
  for (let at = 0; at < piece.length; at++) {
    const char = piece[at]
    if (char === '\\') at++
    else if (char === '(' || char === '[') depth++
    else if (char === ')' || char === ']') depth--
    else if (char === '|' && depth === 0) {
      parts.push(piece.slice(from, at))
      from = at + 1
    }
  }
  return [...parts, piece.slice(from)]
}
