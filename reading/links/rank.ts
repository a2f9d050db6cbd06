import type { ActionLink } from '../message.ts'
import { actionOf } from './action.ts'
import { APPS_AND_SOCIAL, isLastAddress } from './last.ts'
import type { Link, Mention } from './link.ts'
import type { Phrases } from './phrases.ts'

/** The words of all languages are looked for in the subject; a longer one says no more. */
const SUBJECT_CHARACTERS = 500

/** Links whose words are read. Of those behind them only the address counts. */
const WORDS_READ = 25

export interface Ranked {
  links: Link[]
  actionLink: ActionLink | null
}

/**
 * Confirmation links first, links to sign in next, then the others; unsubscribe, legal and social
 * ones last. The action link is the first.
 */
export function rank(links: Link[], subjectLine: string, text: string, phrases: Phrases): Ranked {
  const subject = subjectLine.slice(0, SUBJECT_CHARACTERS)
  const action = actionOf(links, subject, text, phrases)
  const evidence = new Map<string, Evidence>()
  const evidenceIn = (words: string): Evidence => {
    const known = evidence.get(words) ?? evidenceOf(phrases.fold(words), phrases)
    evidence.set(words, known)
    return known
  }
  const graded = links.map((link, n) => {
    const said = n < WORDS_READ ? () => evidenceIn(wordsOf(link.mentions[0]!)) : () => 'none' as const
    return { link, grade: link.url === action?.url ? FIRST : gradeOf(link.url.toLowerCase(), said) }
  })
  graded.sort((a, b) => b.grade - a.grade)
  return { links: graded.map(({ link }) => link), actionLink: action }
}

const FIRST = 4
const CONFIRMS = 3
const SIGNS_IN = 2
const ORDINARY = 1
const LAST = 0

/** @param said what the words of the link say */
function gradeOf(url: string, said: () => Evidence): number {
  if (isLastAddress(url)) return LAST
  const evidence = said()
  if (evidence === 'unsubscribe') return LAST
  // The address outweighs the words, which may be about something else in a text.
  if (CONFIRM_URL.test(url)) return CONFIRMS
  if (evidence === 'legal') return LAST
  if (evidence === 'confirm') return CONFIRMS
  if (evidence === 'signIn' || SIGN_IN_URL.test(url)) return SIGNS_IN
  return APPS_AND_SOCIAL.test(url) ? LAST : ORDINARY
}

/** What the words of a link say that it is for. */
type Evidence = 'unsubscribe' | 'legal' | 'confirm' | 'signIn' | 'none'

function evidenceOf(words: string, phrases: Phrases): Evidence {
  if (!phrases.saysPurpose(words)) return 'none'
  if (phrases.says('unsubscribe', words)) return 'unsubscribe'
  if (phrases.says('legal', words)) return 'legal'
  return CONFIRMING.some((kind) => phrases.says(kind, words)) ? 'confirm' : 'signIn'
}

function wordsOf({ words, around }: Mention): string {
  return words === '' ? around.slice(around.lastIndexOf('\n') + 1) : words
}

const CONFIRMING = ['confirm', 'reset', 'invite', 'join'] as const

const CONFIRM_URL =
  /verif|confirm|activat|validat|magic|(?<![a-z])(?:reset|recover|invit|accept|otp|passwordless|one-?time|double-?opt)|[?&#/;](?:[a-z_-]*(?:token|otp|ticket|nonce)|code|oobcode|key|hash)=|finish-?sign|set-?password|(?<![a-z])(?:bestaetig|aktivier|activer|activar|attiva|ativar|bevestig|potwierd|aktywuj|dogrula|onayla|bekraft)/

const SIGN_IN_URL = /(?<![a-z])(?:log-?in|sign-?in|signon|sso|auth(?!or)|session|accounts?\/(?:log|sign))/
