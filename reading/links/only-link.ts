import { fold } from '../lexicon/fold.ts'
import type { ActionKind, ActionLink } from '../message.ts'
import { readAddress, SIGN_IN_PATH } from './action-address.ts'
import { OTHER_ACTION } from './action-words.ts'
import { isLastWords } from './last.ts'
import type { Link, MailIntent, Mention } from './link.ts'
import { says } from './words.ts'

/**
 * Kinds for which the only link of a mail is its action. A mail that speaks of signing in may link
 * anything.
 */
const KINDS: readonly ActionKind[] = ['reset', 'invite', 'confirm']

/**
 * The only link outside of the footer of a mail whose subject invites, confirms or resets; null if
 * there are several or none.
 */
export function onlyLink(links: Link[], mail: MailIntent): ActionLink | null {
  const kind = KINDS.find((one) => mail.subject.has(one))
  if (kind === undefined || mail.reports || mail.isElse()) return null
  const [only, second] = links.filter((link) => !isFooterOrHome(link))
  if (only === undefined || second !== undefined) return null
  if (!only.mentions.some((mention) => isPossible(mention, only.url, kind))) return null
  const { words, around } = only.mentions[0] ?? { words: '', around: '' }
  return { url: only.url, text: (words || around.split('\n').at(-1) || '').replace(/\s+/g, ' ').trim(), kind }
}

function isFooterOrHome({ url, mentions }: Link): boolean {
  const address = readAddress(url.toLowerCase())
  return address === null || address.isHome || mentions.every(({ words }) => isLastWords(fold(words)))
}

/**
 * Nothing around the link says that it is for something else, as a page to sign in is for a reset.
 */
function isPossible({ words, around }: Mention, url: string, kind: ActionKind): boolean {
  const folded = fold(`${words} ${around}`)
  if (OTHER_ACTION.test(folded) || says('deny', folded) || isLastWords(folded)) return false
  const address = readAddress(url.toLowerCase())
  return kind === 'invite' || address?.hasToken === true || !SIGN_IN_PATH.test(url)
}
