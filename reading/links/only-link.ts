import type { ActionKind, ActionLink } from '../message.ts'
import { type Address, readAddress } from './action-address.ts'
import { CODE_AS_WORDS, isGeneric, isOtherAction } from './action-words.ts'
import { isLastWords } from './last.ts'
import { EXAMINED, type Link, type MailIntent, type Mention } from './link.ts'
import { type Phrases, saysIn } from './phrases.ts'
import { sentenceOf } from './sentence.ts'
import { FRONT_PAGE } from './wording.ts'

/** Kinds for which the only link of a mail is its action. */
const KINDS: readonly ActionKind[] = ['reset', 'invite', 'confirm', 'sign_in']

/** A mail with more links has others than one action and a footer. */
const LINKS_MAX = 30

/**
 * The only link outside of the footer of a mail whose subject invites, confirms, resets or signs
 * in; null if there are several or none.
 */
export function onlyLink(
  links: Link[],
  subject: string,
  mail: MailIntent,
  hasCode: boolean,
): ActionLink | null {
  const { phrases } = mail
  const asked = KINDS.find((one) => mail.subject.has(one))
  // "Confirm the request for a password".
  const isReset = asked === 'confirm' && mail.isAboutPassword() && !mail.isAboutAddress()
  const kind = isReset ? 'reset' : asked
  if (kind === undefined || links.length > LINKS_MAX || mail.reports || mail.isElse()) return null
  // "Your weekly quota was reset".
  if (kind === 'reset' && !mail.isAboutAccess()) return null
  const only = onlyOf(
    links.filter((link) => !isSecondary(link, kind, mail) && !isSender(link, subject, phrases)),
    asked === 'confirm',
    phrases,
  )
  if (only === undefined) return null
  const { address } = only
  if (address === null) return null
  // "Complete the survey", below "You are invited"; or the page of a meeting, whose time the mail says.
  const isElse =
    kind === 'invite' &&
    (only.mentions.some(({ words }) => isOtherAction(phrases.fold(words), phrases)) ||
      (address.isPlainPage && !address.isEntryPage && mail.namesTime()))
  if (isElse) return null
  // "Go to the page and enter the code". A new password always needs its own address.
  if (!address.hasToken && (kind === 'reset' || mail.asksForCode() || isForElse(address, kind))) return null
  // Beside a code, a link with the name of a company or its picture leads to its site.
  if (
    !only.mentions.some((one) => !isPicture(one) && mayAsk(phrases.fold(one.words), phrases)) &&
    mail.asksForCode()
  )
    return null
  // "Download the app:", below a code to type.
  if ((hasCode || mail.asksForCode()) && only.mentions.every((one) => isLabelled(one, phrases))) return null
  if (
    !only.mentions.some((mention) =>
      isPossible(mention, address, kind, { subject: phrases.fold(subject), phrases }),
    )
  )
    return null
  if (phrases.isExhausted) return null
  const { words, around } = only.mentions[0] ?? { words: '', around: '' }
  return { url: only.url, text: (words || around.split('\n').at(-1) || '').replace(/\s+/g, ' ').trim(), kind }
}

/** "Forgot your password? <https://harbour.example/reset>", in a mail that confirms an address. */
function isForElse({ kinds }: Address, kind: ActionKind): boolean {
  return kinds.has('reset') && !kinds.has(kind)
}

/**
 * The only link; of several the only one with words that say no more than "here", that are an address with a value, or
 * that change an address, because the others are pictures and names, such as that of the sender, through a tracker.
 */
function onlyOf(links: Link[], confirms: boolean, phrases: Phrases): Link | undefined {
  if (links.length < 2) return links[0]
  const made = links.filter(({ address }) => address?.hasToken)
  if (made.length === 1 && made[0]!.address?.hasLongToken) return made[0]
  const only = (asks: (words: string) => boolean) => {
    const asking = links.filter(({ mentions }) =>
      mentions.some(({ words }) => /\S/.test(words) && asks(phrases.fold(words))),
    )
    return asking.length === 1 ? asking[0] : undefined
  }
  return (
    only(isGeneric) ??
    only(isShownToken) ??
    (confirms ? only((words) => phrases.says('addressChange', words)) : undefined)
  )
}

/** The words of a tracker's link are the address that it leads to, with a value made for this reader. */
function isShownToken(words: string): boolean {
  return /^https?:\/\/\S+$/.test(words) && readAddress(words.slice(0, EXAMINED))?.hasLongToken === true
}

/** A link of the footer, the answer "no", or a page that was not made for this reader. */
function isSecondary({ address, mentions }: Link, kind: ActionKind, { phrases }: MailIntent): boolean {
  if (address === null || address.isHome || (address.isPlainPage && kind !== 'invite')) return true
  if (isDenial({ mentions }, phrases)) return true
  return mentions.every(({ words }) => {
    const folded = phrases.fold(words)
    // The link of a tracker shows the front page that it leads to.
    return (
      FRONT_PAGE.test(folded) ||
      isLastWords(folded, phrases) ||
      (words !== '' && phrases.says('deny', folded))
    )
  })
}

/** "[Harbour] Your new password": the words of the link are the name of the sender, once or twice. */
function isSender({ mentions }: Link, subject: string, phrases: Phrases): boolean {
  const name = SENDER.exec(phrases.fold(subject))?.[1]
  if (name === undefined) return false
  return mentions.every(
    ({ words }) => /\S/.test(words) && !/\S/.test(phrases.fold(words).replaceAll(name, '')),
  )
}

const SENDER = /^\[([^[\]]{3,40})\]/

/** An address below "if you did not ask for this, or want to cancel it, visit". */
export function isDenial({ mentions }: { mentions: Mention[] }, phrases: Phrases): boolean {
  return mentions.every(
    (one) =>
      isWithoutWords(phrases.fold(one.words)) && phrases.says('deny', phrases.fold(sentenceOf(one, phrases))),
  )
}

/** An address in a text, behind a short label that neither asks for something nor points to it. */
function isLabelled({ words, around }: Mention, phrases: Phrases): boolean {
  const label = phrases.fold(around.split('\n').at(-1)!)
  if (/\S/.test(words) || !LABEL.test(label) || isGeneric(label)) return false
  if (phrases.says('fallback', label) || phrases.says('either', label) || saysIn('page', label)) return false
  return !ASKING.some((kind) => phrases.says(kind, label))
}

const LABEL = /^[^.!?。]{2,40}[:：]\s*$/

/** A picture without a description, such as a logo, which no sentence leads to. */
function isPicture({ words, around }: Mention): boolean {
  return !/\S/.test(words) && around.split('\n').at(-1) === ''
}

const ASKING = ['confirm', 'signIn', 'reset', 'invite', 'join'] as const

/** The words name an action, or leave open what the link is for. */
function mayAsk(words: string, phrases: Phrases): boolean {
  return isWithoutWords(words) || ASKING.some((kind) => phrases.says(kind, words))
}

/** The words say no more than that this is a link, or they are a code, as on the button "XK42-99QP". */
function isWithoutWords(words: string): boolean {
  return isGeneric(words) || /^<?https?:/.test(words) || CODE_AS_WORDS.test(words.trim())
}

/** "Delete my account" below "Confirm the deletion of your account". */
function repeats(words: string, subject: string, phrases: Phrases): boolean {
  if (!phrases.says('address', words)) return false
  return words.split(/[^\p{L}]+/u).some((word) => {
    const stem = word.slice(0, STEM)
    return word.length >= STEM && !phrases.says('address', word) && subject.includes(stem)
  })
}

/** Letters that two words with one stem have in common: "delete", "deletion". */
const STEM = 5

/** Nothing around the link says that it is for something else. */
function isPossible(
  mention: Mention,
  address: Address,
  kind: ActionKind,
  { subject, phrases }: { subject: string; phrases: Phrases },
): boolean {
  const words = phrases.fold(mention.words)
  const around = phrases.fold(sentenceOf(mention, phrases))
  const saysNothing = isWithoutWords(words)
  const folded = saysNothing ? around : `${words} ${around}`
  // A request and an order are one word in some languages: "pedido".
  const isRequest =
    address.hasLongToken &&
    (saysNothing ? kind !== 'sign_in' : kind === 'confirm' && repeats(words, subject, phrases))
  if (!isRequest && isOtherAction(folded, phrases)) return false
  const isLast = isRequest ? phrases.says('unsubscribe', folded) : isLastWords(folded, phrases)
  if (phrases.says('deny', folded) || isLast) return false
  // Orders, meetings and policies are confirmed too.
  if (kind === 'confirm')
    return (
      // "Go to Harbour", below a subject that only names a change of the address, may lead anywhere.
      (phrases.says('address', subject) && (saysNothing || phrases.says('confirm', subject))) ||
      phrases.says('address', words) ||
      (phrases.says(kind, around) && phrases.says('address', around))
    )
  // "Training assigned: Reset your assumptions", above "Start training".
  if (kind === 'reset' && !saysNothing && !phrases.says('password', `${subject} ${folded}`)) return false
  // A mail that speaks of signing in may link anything.
  if (kind === 'sign_in') return address.hasToken && (saysNothing || phrases.says('signIn', around))
  // The name of a person links to a page about that person.
  if (!address.isPlainPage || phrases.says('join', words)) return true
  return saysNothing && (around === '' || ASKING.some((one) => phrases.says(one, around)))
}
