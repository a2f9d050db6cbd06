import { fold } from '../lexicon/fold.ts'
import type { ActionLink } from '../message.ts'
import { actionOf } from './action.ts'
import { APPS_AND_SOCIAL, isLastAddress, unsubscribes } from './last.ts'
import type { Link, Mention } from './link.ts'
import { says, saysPurpose } from './words.ts'

export interface Ranked {
  links: Link[]
  actionLink: ActionLink | null
}

/**
 * Confirmation links first, links to sign in next, then the others; unsubscribe, legal and social
 * ones last. The action link is the first.
 */
export function rank(links: Link[], subject: string, text: string): Ranked {
  const action = actionOf(links, subject, text)
  const evidence = new Map<string, Evidence>()
  const graded = links.map((link) => ({
    link,
    grade: link.url === action?.url ? FIRST : gradeOf(link, evidence),
  }))
  graded.sort((a, b) => b.grade - a.grade)
  return { links: graded.map(({ link }) => link), actionLink: action }
}

const FIRST = 4
const CONFIRMS = 3
const SIGNS_IN = 2
const ORDINARY = 1
const LAST = 0

/** @param known the evidence of words that were read before, because many links have the same */
function gradeOf(link: Link, known: Map<string, Evidence>): number {
  const url = link.url.toLowerCase()
  if (isLastAddress(url)) return LAST
  const words = wordsOf(link.mentions[0]!)
  const evidence = known.get(words) ?? evidenceOf(fold(words))
  known.set(words, evidence)
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

function evidenceOf(words: string): Evidence {
  if (!saysPurpose(words)) return 'none'
  if (unsubscribes(words)) return 'unsubscribe'
  if (says('legal', words)) return 'legal'
  return CONFIRMING.some((kind) => says(kind, words)) ? 'confirm' : 'signIn'
}

function wordsOf({ words, around }: Mention): string {
  return words === '' ? around.slice(around.lastIndexOf('\n') + 1) : words
}

const CONFIRMING = ['confirm', 'reset', 'invite', 'join'] as const

const CONFIRM_URL =
  /verif|confirm|activat|validat|magic|(?<![a-z])(?:reset|recover|invit|accept|otp|passwordless|one-?time|double-?opt)|[?&#/;](?:[a-z_-]*(?:token|otp|ticket|nonce)|code|oobcode|key|hash)=|finish-?sign|set-?password|(?<![a-z])(?:bestaetig|aktivier|activer|activar|attiva|ativar|bevestig|potwierd|aktywuj|dogrula|onayla|bekraft)/

const SIGN_IN_URL = /(?<![a-z])(?:log-?in|sign-?in|signon|sso|auth(?!or)|session|accounts?\/(?:log|sign))/
