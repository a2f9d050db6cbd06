import { ARABIC_TO_THAI } from '../languages/arabic-to-thai.ts'
import { CYRILLIC_AND_GREEK } from '../languages/cyrillic-and-greek.ts'
import { EAST_ASIAN } from '../languages/east-asian.ts'
import type { Language } from '../languages/language.ts'
import { english } from '../languages/west-european.ts'
import { LATIN, LETTERS, said } from './vocabulary.ts'

/**
 * - `verification`: words that can only be a verification code.
 * - `probable`: a confirmation or access code; a booking or a meeting has these as well.
 * - `code`: a code, nobody says which.
 * - `other`: a code of another kind, as in "postal code".
 * - `purpose`: no code, but the mail is about signing in or confirming.
 */
export type Meaning = 'verification' | 'probable' | 'code' | 'other' | 'purpose'

export interface Keyword {
  start: number
  end: number
  meaning: Meaning
  /** Said to be the reader's own, as in "your code", or standing alone as a label. */
  yours: boolean
}

/** More than any honest mail has; it bounds the work on a mail that is nothing but keywords. */
const MAX_KEYWORDS = 1000

const WORD_START = `(?<![${LETTERS}])`
const WORD_END = `(?:(?![${LETTERS}])|(?<![${LETTERS}0-9]))`

/**
 * One expression over all languages would be several times slower than one for each script, since a short list
 * of first letters lets the engine skip. Latin prose is three words in a row: a name in a Chinese mail is none.
 */
const SCRIPTS: ReadonlyArray<{ present: RegExp; words: RegExp }> = [
  { present: /[\u0370-\u052f]/, words: words(CYRILLIC_AND_GREEK) },
  { present: /[\u0590-\u0fff]/, words: words(ARABIC_TO_THAI) },
  { present: /[\u3040-\ud7af]/, words: words(EAST_ASIAN) },
]
const LATIN_PROSE = /[a-z]{2,20} [a-z]{2,20} [a-z]|^[\0-\u024f]{0,200}$/
const LATIN_WORDS = words(LATIN)
const ENGLISH_WORDS = words([english])

function words(languages: readonly Language[]): RegExp {
  return new RegExp(
    `${WORD_START}(?:(${said('verificationCode', languages)})${WORD_END}|(?:${said('purpose', languages)}))`,
    'g',
  )
}

const CODE = new RegExp(`(?:${said('code')})${WORD_END}`, 'g')

const PROVES = new RegExp(said('proves'))
const MAY_PROVE = new RegExp(said('mayProve'))
const OTHERWISE_BEFORE = new RegExp(`(?:${said('otherwise')})['’]?[${LETTERS}]{0,2}[ -]*$`)
const OTHERWISE_AFTER = new RegExp(`^[ -]*(?:${said('otherwise')})[${LETTERS}]{0,4}(?![${LETTERS}])`)
const YOURS = new RegExp(`(?:^|[^${LETTERS}])(?:${said('yours')})(?![${LETTERS}])`)
/** What joins "code" with its purpose: "code to sign in", "Code zur Anmeldung", "code de vérification". */
const LINK =
  /^[ '-]?(?:(?:to|for|from|zur|zum|fur|um|de la|de|d'|a|pour|para|do|da|di|per|om|voor|w celu|для|за|til|untuk) ?)?/

/** In Japanese and Korean compounds only some endings leave a noun free, as in "6桁のコード". */
const EAST_ASIAN_COMPOUND = /[\u3041-\u30ff\u4e00-\u9fff\uac00-\ud7af]$/
const FREE_ENDING = /[のなたるを]$/

/** Whether any word speaks of codes; much cheaper than to find them all. */
export function hasKeyword(lower: string): boolean {
  return [CODE, ...wordsOf(lower)].some((pattern) => {
    pattern.lastIndex = 0
    return pattern.test(lower)
  })
}

/** The expressions for the scripts in which a text is written. */
function wordsOf(lower: string): RegExp[] {
  const scripts = SCRIPTS.filter((script) => script.present.test(lower)).map((script) => script.words)
  return [LATIN_PROSE.test(lower) ? LATIN_WORDS : ENGLISH_WORDS, ...scripts]
}

/** The words of a mail that speak about codes, in order. `lower` is `text` in lower case without accents. */
export function findKeywords(text: string, lower: string): Keyword[] {
  const found: Keyword[] = []
  for (const pattern of wordsOf(lower)) collectWords(pattern, text, lower, found)
  CODE.lastIndex = 0
  for (let n = 0; n < MAX_KEYWORDS; n++) {
    const match = CODE.exec(lower)
    if (match === null) break
    const keyword = codeNoun(text, lower, match.index, CODE.lastIndex)
    if (keyword !== null) found.push(keyword)
  }
  return found.length < 2 ? found : found.sort((a, b) => a.start - b.start || b.end - a.end)
}

function collectWords(pattern: RegExp, text: string, lower: string, found: Keyword[]): void {
  pattern.lastIndex = 0
  for (let n = 0; n < MAX_KEYWORDS; n++) {
    const match = pattern.exec(lower)
    if (match === null) break
    const end = pattern.lastIndex
    if (match[1] === undefined) found.push({ start: match.index, end, meaning: 'purpose', yours: false })
    // "tan" is a colour; the transaction number is written in capitals
    else if (!match[1].endsWith('tan') || text.slice(end - 3, end) === 'TAN')
      found.push({ start: match.index, end, meaning: 'verification', yours: true })
  }
}

/** What a word for "code" means here, by its own compound ("Zugangscode") and its neighbours. */
function codeNoun(text: string, lower: string, nounStart: number, end: number): Keyword | null {
  const start = wordStart(lower, nounStart)
  const compound = lower.slice(start, nounStart)
  const before = phraseBefore(lower, nounStart)
  const after = phraseAfter(lower, end)
  if (OTHERWISE_BEFORE.test(before) || OTHERWISE_AFTER.test(after))
    return { start, end, meaning: 'other', yours: false }

  const nearBefore = compound === '' ? lastWords(before) : compound
  const link = LINK.exec(after)![0].length
  const nearAfter = after.slice(link, 28)
  const proof = nearAfter === '' ? null : PROVES.exec(nearAfter)
  const hint = proof ?? (nearAfter === '' ? null : MAY_PROVE.exec(nearAfter))
  let meaning: Meaning = 'code'
  if (proof !== null || PROVES.test(nearBefore)) meaning = 'verification'
  else if (hint !== null || MAY_PROVE.test(nearBefore)) meaning = 'probable'
  // "decode", "Unicode", "レコード": another word altogether
  else if (compound !== '' && !compound.endsWith('-')) return null
  else if (EAST_ASIAN_COMPOUND.test(before) && !FREE_ENDING.test(before)) return null
  // "pin it on the wall": the number is written in capitals
  else if (lower.startsWith('pin', nounStart) && !text.startsWith('PIN', nounStart)) return null
  const yours = before.trim() === '' || YOURS.test(before) || YOURS.test(after.slice(0, 16))
  // "código de acesso 4821": the phrase ends where its last word does
  const phraseEnd = hint === null ? end : wordEnd(lower, end + link + hint.index + hint[0].length)
  return { start, end: phraseEnd, meaning, yours }
}

const LETTER = new RegExp(`[${LETTERS}-]`)

function wordStart(lower: string, from: number): number {
  let start = from
  while (start > 0 && from - start < 40 && LETTER.test(lower[start - 1]!)) start--
  return start
}

function wordEnd(lower: string, from: number): number {
  let end = from
  while (end < lower.length && end - from < 40 && LETTER.test(lower[end]!)) end++
  return end
}

/** Up to 32 characters, back to the last mark that ends a phrase. */
function phraseBefore(lower: string, end: number): string {
  const slice = lower.slice(Math.max(0, end - 32), end)
  return slice.slice(slice.search(/[^\n\t.:;!?,()[\]"。、，|]*$/))
}

function phraseAfter(lower: string, start: number): string {
  const slice = lower.slice(start, start + 40)
  const mark = slice.search(/[\n\t.:;!?,()[\]"。、，|0-9]/)
  return mark === -1 ? slice : slice.slice(0, mark)
}

function lastWords(phrase: string): string {
  const trimmed = phrase.trimEnd()
  const second = trimmed.lastIndexOf(' ', trimmed.lastIndexOf(' ') - 1)
  return second === -1 ? trimmed : trimmed.slice(second + 1)
}
