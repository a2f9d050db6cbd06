import type { ActionKind, ActionLink } from '../message.ts'
import type { Address } from './action-address.ts'
import { WORDS_OF } from './action-words.ts'
import { readIntent, sentenceAt, withoutLinks } from './intent.ts'
import type { Link, MailIntent, Mention } from './link.ts'
import { isDenial, onlyLink } from './only-link.ts'
import { type Phrases, placeOf, saysIn } from './phrases.ts'
import { judge, type Verdict } from './verdict.ts'
import type { PlacedAddress } from './wording.ts'

/*
 * Three kinds of evidence show the action of a mail: the words of a link, its address, and the
 * subject. Only the words are sufficient alone. A link whose words say nothing ("here", its own
 * address) is judged by the sentence around it. A wrong action link harms a reader more than none,
 * so a doubtful link is not returned.
 */

/**
 * The first links of a mail. One with more is no mail with an action, or has its action at the top.
 */
const LINKS_JUDGED = 14
/** The first places of these links: of 1,504 mails, none had more than 23. */
const PLACES_JUDGED = 24
/**
 * Searches behind which no further place is judged: the price of a search is more than that of its characters, and of
 * 3,795 mails, those with an action had at most 72.
 */
const SEARCHES_JUDGED = 120
/** A page with more links has a way to sign in that is for every reader. */
const LINKS_OF_A_REQUEST = 12

/**
 * The action link of the mail and its kind; null if none is certain enough.
 * @param hasCode the mail has a code to type
 */
export function actionOf(
  links: Link[],
  subject: string,
  text: string,
  phrases: Phrases,
  hasCode: boolean,
): ActionLink | null {
  const possible = links
    .slice(0, LINKS_JUDGED)
    .flatMap(({ url, mentions, address }) => (address === null ? [] : [{ url, mentions, address }]))
  // Most mails have no link or only a footer, and what they ask for does not matter.
  if (possible.length === 0 && links.length <= LINKS_JUDGED) return null
  const mail = readIntent(subject, text, phrases)
  const isNewsletter = links.length > LINKS_OF_A_REQUEST
  const isOnlyOne = isOneOf(possible, phrases)
  const isWithoutValue = !hasCode && possible.every(({ address }) => !address.hasToken)
  const verdicts = new Verdicts(mail)
  let best: Action | null = null
  let judged = 0
  for (const { url, mentions, address: its } of possible) {
    const mayBeOwn = isWithoutValue && its.mayBeOwn
    const address = { ...its, mayBeOwn, isOnlyOne: isOnlyOne && its.hasLongToken }
    for (const mention of mentions) {
      if (++judged > PLACES_JUDGED) break
      const found = verdicts.of(mention, address)
      if (found?.kind === 'sign_in' && isNewsletter && !mail.subject.has('sign_in')) continue
      if (found === null) continue
      const action = { url, hasToken: address.hasToken, isInvitation: address.kinds.has('invite'), ...found }
      if (best === null || isBetter(action, best)) best = action
    }
  }
  // "Request another link on the page to sign in", beside the link that was made for this reader.
  const isForAll = best?.kind === 'sign_in' && !best.hasToken && isOnlyOne
  if (best !== null && !isForAll)
    return { url: best.url, text: best.text, kind: kindInMail(best, mail, hasCode) }
  return onlyLink(links, subject, mail, hasCode)
}

/** Whether one address was made for the reader, beside those with which a reader denies the request. */
function isOneOf(possible: { mentions: Mention[]; address: Address }[], phrases: Phrases): boolean {
  const made = possible.filter(({ address }) => address.hasLongToken)
  return (
    made.length === 1 || (made.length === 2 && made.filter((one) => !isDenial(one, phrases)).length === 1)
  )
}

/**
 * The kind in view of the whole mail: an invitation stays one where its button activates the account or sets its
 * first password, unless the subject asks for just that.
 */
function kindInMail(
  { kind: found, text, isInvitation }: Action,
  mail: MailIntent,
  hasCode: boolean,
): ActionKind {
  if (found !== 'confirm' && found !== 'reset') return found
  // "Account confirmation", above "Ann invited you" and an address of invitations.
  if (found === 'confirm' && isInvitation && mail.invites()) return 'invite'
  const { phrases } = mail
  if (mail.subject.has(found))
    return found === 'confirm' && !hasCode && choosesPassword(text, mail) ? 'invite' : found
  const invites = mail.invites()
  if (!invites && found === 'confirm') return found
  const beginning = phrases.fold(withoutLinks(mail.beginning()))
  const place = placeOf(invites ? 'invite' : 'created', beginning)
  if (place === -1) return found
  // "We invite you to confirm your address" asks politely; "Your account was created" has its first password to be set.
  const sentence = sentenceAt(beginning, place)
  if (found === 'confirm' && phrases.says('created', sentence) && confirmsMailbox(beginning, phrases))
    return found
  // "Accept the invitation and choose a password": what follows an invitation is a part of it.
  const asks =
    phrases.says(WORDS_OF[found], sentence) && !(found === 'reset' && phrases.says('join', sentence))
  if (asks || !(invites || phrases.says('address', sentence))) return found
  return phrases.isExhausted ? found : 'invite'
}

/** "An account was created for you. Please confirm your e-mail address": its reader has a password, or needs none. */
function confirmsMailbox(beginning: string, phrases: Phrases): boolean {
  const place = placeOf('confirm', beginning)
  if (place === -1 || phrases.says('password', beginning)) return false
  return saysIn('mailbox', sentenceAt(beginning, place))
}

/** "Activate your account", above "An account was created for you. Choose a password:": the reader did not make it. */
function choosesPassword(text: string, mail: MailIntent): boolean {
  const { phrases } = mail
  const words = phrases.fold(text)
  if (!phrases.says('password', words) || !phrases.says('reset', words)) return false
  if (!mail.invites()) return false
  // "You registered. You were invited to choose a password": the reader made it.
  const beginning = phrases.fold(withoutLinks(mail.beginning()))
  const place = placeOf('invite', beginning)
  return place !== -1 && phrases.says('created', sentenceAt(beginning, place))
}

interface Action extends Verdict {
  url: string
  hasToken: boolean
  /** The address is that of an invitation. */
  isInvitation: boolean
}

/** Of two ways to do the same, one that was made for this reader is the action: the other one asks for a new mail. */
function isBetter(one: Action, other: Action): boolean {
  return one.kind === other.kind && one.hasToken !== other.hasToken ? one.hasToken : one.score > other.score
}

/** The verdicts on the links of a mail. Links that say the same are judged once. */
class Verdicts {
  private readonly mail: MailIntent
  /** By the sentence around the link, and by all else. */
  private readonly known = new Map<string, Map<string, Verdict | null>>()

  constructor(mail: MailIntent) {
    this.mail = mail
  }

  of(mention: Mention, address: PlacedAddress): Verdict | null {
    const { phrases } = this.mail
    // Without the words that deny, the other words prove nothing.
    if (phrases.isExhausted || phrases.searches >= SEARCHES_JUDGED) return null
    const { words, below } = mention
    const around = below === undefined ? mention.around : `${mention.around}\n${below}`
    const key = `${[...address.kinds]} ${address.hasToken} ${address.signsUp} ${words}`
    let verdicts = this.known.get(around)
    if (verdicts === undefined) {
      verdicts = new Map()
      this.known.set(around, verdicts)
    }
    let found = verdicts.get(key)
    if (found === undefined) {
      found = judge(mention, address, this.mail)
      if (phrases.isExhausted) return null
      verdicts.set(key, found)
    }
    return found
  }
}
