import type { SearchedKind } from '../lexicon/language.ts'
import { LINK_SOURCES } from '../lexicon/tree.ts'
import { bits, wordsIn } from '../lexicon/words.ts'
import type { ActionKind } from '../message.ts'
import { type Phrases, placeOf, without } from './phrases.ts'

/* What `fold`ed words around a link say beside the kinds of action. */

/** The words of the lexicon for each kind of action. */
export const WORDS_OF: Record<ActionKind, SearchedKind> = {
  reset: 'reset',
  invite: 'invite',
  sign_in: 'signIn',
  confirm: 'confirm',
}

const CODE_WORDS = bits('code', 'verificationCode')
const OFFER_WORDS = bits('offer')
const VERIFICATION_CODE_WORDS = bits('verificationCode')
const CODE_OR_KEY_WORDS = bits('code', 'key')
const PROOF_WORDS = bits('verify', 'signIn', 'secret')

/** Whether folded words are about a code, which is typed and not clicked. */
export function speaksOfCode(text: string, phrases: Phrases): boolean {
  if (phrases.says('code', text)) return true
  // In some languages a new password is a new code: "adgangskode", "κωδικός".
  return !phrases.says('reset', text) && wordsIn(text, text).some(({ kinds }) => (kinds & CODE_WORDS) !== 0)
}

/** Whether folded words have one that can only mean a code to type: "重置码", although it says "reset" too. */
export function namesVerificationCode(text: string): boolean {
  return wordsIn(text, text).some(({ kinds }) => (kinds & VERIFICATION_CODE_WORDS) !== 0)
}

/** Whether a folded subject announces a verification code, as "Your login code" does, and not a code of another kind. */
export function announcesVerificationCode(subject: string): boolean {
  const kinds = wordsIn(subject, subject).reduce((all, word) => all | word.kinds, 0)
  if ((kinds & OFFER_WORDS) !== 0) return false
  return (
    (kinds & VERIFICATION_CODE_WORDS) !== 0 ||
    ((kinds & CODE_OR_KEY_WORDS) !== 0 && (kinds & PROOF_WORDS) !== 0)
  )
}

/** Whether a folded text is about a discount or a voucher. */
export function speaksOfOffer(text: string): boolean {
  return wordsIn(text, text).some(({ kinds }) => (kinds & OFFER_WORDS) !== 0)
}

/**
 * Whether folded words are about something other than the kinds of action. An account may be
 * confirmed for such a purpose: "confirm your account to see your tickets".
 */
export function isOtherAction(text: string, phrases: Phrases): boolean {
  if (!phrases.says('other', text)) return false
  const sentences = sentencesOf(text)
  const last = sentences.at(-1)!
  const asks = sentences.length > 1 && (saysBoth(last, phrases) || phrases.says('reset', last))
  if (asks && !phrases.says('other', last)) return false
  const asked = without('either', text)
  const place = placeOf('other', asked)
  if (place === -1) return false
  return !saysBoth(asked.slice(0, place), phrases)
}

function saysBoth(text: string, phrases: Phrases): boolean {
  return phrases.says('confirm', text) && phrases.says('address', text)
}

/** Whether one sentence is about confirming an address. */
export function confirmsAddress(text: string, phrases: Phrases): boolean {
  return saysBoth(text, phrases) && sentencesOf(text).some((sentence) => saysBoth(sentence, phrases))
}

/** Whether a text ends with a question mark, in any script that the languages have. */
export function isQuestion(text: string): boolean {
  return /[?？؟]\s*$/.test(text)
}

/** The sentences of a line. */
export function sentencesOf(line: string): string[] {
  return line.split(/(?<=[.!?])\s+|(?<=[。！？])/)
}

const SEPARATORS = '[\\s\\p{P}\\p{S}]*'
const { latin, other } = LINK_SOURCES.generic

/** A word that says only that this is a link, or the end. */
const GENERIC = new RegExp(`${SEPARATORS}(?:(?:${latin})(?!\\p{L})|${other}|$)`, 'uy')

/**
 * Whether folded words say only that this is a link: "click here", "continue". One word after the
 * other, because one expression for all could be matched in very many ways.
 */
export function isGeneric(words: string): boolean {
  for (let at = 0; at < words.length; at = GENERIC.lastIndex) {
    GENERIC.lastIndex = at
    if (!GENERIC.test(words)) return false
  }
  return true
}

/** Words of a link that are the name of a host, as "harbour.example" or "www.harbour.example". */
export const HOST_AS_WORDS = /^(?:[\p{L}\d-]{1,40}\.){1,3}[\p{L}]{2,12}$/u

/** Words of a link that are a code, as on the button "XK42-99QP". */
export const CODE_AS_WORDS = /^(?=[a-z-]{0,40}\d)[a-z\d]{2,12}(?:-[a-z\d]{2,12}){0,3}(?<=.{6})$/

/** A subject of a conversation. */
export const REPLY = new RegExp(
  `^\\[?(?:${LINK_SOURCES.reply.latin}|${LINK_SOURCES.reply.other})(?:\\[\\d+\\])? ?:`,
  'u',
)

/** The number of a ticket, beside whose title a subject says nothing: "[heron #482] Login is slow", "[#14:OPEN] …". */
export const TICKET =
  /[[(](?:[^[\]()\d]{0,40}[-#:]|(?:bug|issue|ticket|case|request|pr) )\d{1,9}(?:: ?[^[\]()\d]{1,30})?[\])]|^[a-z]{2,10}-\d{1,9}[:\s]/

/** The title of something in a subject: 'New comment on "Login page is slow"'. */
export const QUOTED = /["“„«「『][^"“”«»」』]{8,120}(?:["“”»」』]|'')/g

/**
 * A subject that asks, though its other words report: "Verify Discord login from a new location".
 */
export const REQUEST = new RegExp(`^(?:${LINK_SOURCES.request.latin})`, 'u')
