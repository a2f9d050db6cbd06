import type { LinkKind } from '../lexicon/language.ts'
import { fold } from '../lexicon/plain.ts'
import { bits, wordsFrom } from '../lexicon/words.ts'
import { saysIn } from '../links/phrases.ts'
import type { CodeDetail } from '../message.ts'
import type { Place } from './age.ts'
import { type MailText, wordEndingAt } from './mail-text.ts'
import type { Noun } from './nouns.ts'
import { lastSentence } from './phrases.ts'

const INVITATION = bits('invitation')
/** How far before a noun its sentence may begin. */
const SENTENCE_MAX = 120

/**
 * The kind of a code that is not one of a list: what the nouns of the sentence are that leads to it. A password in "use
 * this code to reset your password" is not the code.
 * @param noun the nearest noun, before the code or behind it
 */
export function kindOf(mail: MailText, { start, end }: Place, noun: Noun): CodeDetail['kind'] {
  const from = startOfSentence(mail.text, Math.min(start, noun.start), SENTENCE_MAX)
  const to = Math.max(noun.end, Math.min(start, noun.end + SENTENCE_MAX))
  const nouns = mail.nouns.filter((one) => one.start >= from && one.end <= to && one.meaning !== 'other')
  // "Invitation code for the registration".
  const isInvitation = ({ meaning, start }: Noun) =>
    meaning === 'invitation' || wordEndingAt(mail, start - 1, INVITATION) !== undefined
  if (nouns.some(isInvitation)) return 'invitation'
  const sentence = fold(mail.lower.slice(from, to))
  const says = (kind: LinkKind) => saysIn(kind, sentence)
  const hasDigitsOnly = /^[\d\s.-]+$/.test(mail.text.slice(start, end))
  const isPassword = ({ meaning, start, end }: Noun) =>
    meaning === 'password' || (says('temporary') && saysIn('password', fold(mail.lower.slice(start, end))))
  if (nouns.every(isPassword)) return hasDigitsOnly && says('reset') ? 'one_time' : 'password'
  const invites = () =>
    says('invite') || wordsFrom(mail.words, from, to).some(({ kinds }) => (kinds & INVITATION) !== 0)
  return nouns.every(({ meaning }) => meaning === 'code') && invites() ? 'invitation' : 'one_time'
}

/** Where the sentence of a place begins, at most so many characters before it and on its line. */
export function startOfSentence(text: string, place: number, most: number): number {
  const before = text.slice(Math.max(0, place - most), place)
  return place - lastSentence(before.slice(before.lastIndexOf('\n') + 1)).length
}
