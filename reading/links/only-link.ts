import { fold } from '../lexicon/fold.ts'
import type { ActionKind, ActionLink } from '../message.ts'
import { type Address, readAddress } from './action-address.ts'
import { ADDRESS_WORDS, GENERIC, isOtherAction } from './action-words.ts'
import { isLastWords } from './last.ts'
import type { Link, MailIntent, Mention } from './link.ts'
import { sentenceOf } from './sentence.ts'
import { says } from './words.ts'

/** Kinds for which the only link of a mail is its action. */
const KINDS: readonly ActionKind[] = ['reset', 'invite', 'confirm', 'sign_in']

/**
 * The only link outside of the footer of a mail whose subject invites, confirms, resets or signs
 * in; null if there are several or none.
 */
export function onlyLink(links: Link[], subject: string, mail: MailIntent): ActionLink | null {
  const kind = KINDS.find((one) => mail.subject.has(one))
  if (kind === undefined || mail.reports || mail.isElse()) return null
  const [only, second] = links.filter((link) => !isSecondary(link, kind))
  if (only === undefined || second !== undefined) return null
  const address = readAddress(only.url.toLowerCase())
  if (address === null) return null
  if (!only.mentions.some((mention) => isPossible(mention, address, kind, fold(subject)))) return null
  const { words, around } = only.mentions[0] ?? { words: '', around: '' }
  return { url: only.url, text: (words || around.split('\n').at(-1) || '').replace(/\s+/g, ' ').trim(), kind }
}

/** A link of the footer, the answer "no", or a page that was not made for this reader. */
function isSecondary({ url, mentions }: Link, kind: ActionKind): boolean {
  const address = readAddress(url.toLowerCase())
  if (address === null || address.isHome || (address.isPlainPage && kind !== 'invite')) return true
  return mentions.every(({ words }) => {
    const folded = fold(words)
    return isLastWords(folded) || (words !== '' && says('deny', folded))
  })
}

/** Nothing around the link says that it is for something else. */
function isPossible(mention: Mention, address: Address, kind: ActionKind, subject: string): boolean {
  const words = fold(mention.words)
  const around = fold(sentenceOf(mention))
  const folded = `${words} ${around}`
  if (isOtherAction(folded) || says('deny', folded) || isLastWords(folded)) return false
  // Orders, meetings and policies are confirmed too.
  if (kind === 'confirm')
    return ADDRESS_WORDS.test(`${subject} ${words}`) || (says(kind, around) && ADDRESS_WORDS.test(around))
  const isGeneric = GENERIC.test(words) || /^<?https?:/.test(words)
  // A mail that speaks of signing in may link anything.
  if (kind === 'sign_in') return address.hasToken && (isGeneric || says('signIn', around))
  // The name of a person links to a page about that person.
  return !address.isPlainPage || isGeneric || says('join', words)
}
