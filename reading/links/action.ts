import type { LinkKind } from '../lexicon/language.ts'
import type { ActionKind, ActionLink } from '../message.ts'
import { type Address, KINDS } from './action-address.ts'
import {
  announcesVerificationCode,
  CODE_AS_WORDS,
  confirmsAddress,
  isGeneric as isGenericWords,
  isOtherAction,
  namesVerificationCode,
  QUOTED,
  REPLY,
  REQUEST,
  speaksOfCode,
  speaksOfOffer,
  TICKET,
} from './action-words.ts'
import { isLastWords } from './last.ts'
import type { Link, MailIntent, Mention } from './link.ts'
import { isDenial, onlyLink } from './only-link.ts'
import { type Phrases, placeOf } from './phrases.ts'
import { sentenceOf } from './sentence.ts'

/*
 * Three kinds of evidence show the action of a mail: the words of a link, its address, and the
 * subject. Only the words are sufficient alone. A link whose words say nothing ("here", its own
 * address) is judged by the sentence around it. A wrong action link harms a reader more than none,
 * so a doubtful link is not returned.
 */

const POINTS = { words: 3, address: 2, token: 1, subject: 2, sentence: 1, object: 1 } as const

/** Points that a link needs. */
const ENOUGH: Record<ActionKind, number> = { reset: 3, invite: 3, sign_in: 5, confirm: 3 }
const ENOUGH_IN_REPORT = 5
/** "Invitation: Review @ Thu 3 Dec, 10:00". */
const TIME_OF_DAY = /\b\d{1,2}[:.h]\d{2}\b/
/** "Was this you?", above "Yes, it was me". */
const QUESTION = /[?？؟]\s*$/

/** The words of the lexicon for each kind of action. */
const WORDS_OF: Record<ActionKind, LinkKind> = {
  reset: 'reset',
  invite: 'invite',
  sign_in: 'signIn',
  confirm: 'confirm',
}

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

/** A link of more words is a headline, unless the words are its own address. */
const WORDS_MAX = 90
const SENTENCE_MAX = 220
/** The words of a button. */
const BUTTON_MAX = 60
/** A line with no room for anything but the request: "Confirm here:". */
const SHORT_REQUEST = 30
/** A page with more links has a way to sign in that is for every reader. */
const LINKS_OF_A_REQUEST = 12
/** Characters of the text in which an invitation says that it is one. */
const BEGINNING = 1000
/** Characters of the text that say what a mail without a telling subject reports. */
const FIRST_SENTENCES = 300

/** The action link of the mail and its kind; null if none is certain enough. */
export function actionOf(links: Link[], subject: string, text: string, phrases: Phrases): ActionLink | null {
  const possible = links
    .slice(0, LINKS_JUDGED)
    .flatMap(({ url, mentions, address }) => (address === null ? [] : [{ url, mentions, address }]))
  // Most mails have no link or only a footer, and what they ask for does not matter.
  if (possible.length === 0 && links.length <= LINKS_JUDGED) return null
  const mail = readIntent(subject, text, phrases)
  const isNewsletter = links.length > LINKS_OF_A_REQUEST
  const isOnlyOne = isOneOf(possible, phrases)
  const verdicts = new Verdicts(mail)
  let best: Action | null = null
  let judged = 0
  for (const { url, mentions, address: its } of possible) {
    const address = { ...its, isOnlyOne: isOnlyOne && its.hasLongToken }
    for (const mention of mentions) {
      if (++judged > PLACES_JUDGED) break
      const found = verdicts.of(mention, address)
      if (found?.kind === 'sign_in' && isNewsletter && !mail.subject.has('sign_in')) continue
      if (found === null) continue
      const action = { url, hasToken: address.hasToken, ...found }
      if (best === null || isBetter(action, best)) best = action
    }
  }
  if (best !== null) return { url: best.url, text: best.text, kind: kindInMail(best.kind, mail) }
  return onlyLink(links, subject, mail)
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
function kindInMail(found: ActionKind, mail: MailIntent): ActionKind {
  if ((found !== 'confirm' && found !== 'reset') || mail.subject.has(found)) return found
  const { phrases } = mail
  const invites = mail.invites()
  if (!invites && found === 'confirm') return found
  const beginning = phrases.fold(withoutLinks(mail.beginning()))
  const place = placeOf(invites ? 'invite' : 'created', beginning)
  if (place === -1) return found
  // "We invite you to confirm your address" asks politely; "Your account was created" has its first password to be set.
  const sentence = sentenceAt(beginning, place)
  if (phrases.says(WORDS_OF[found], sentence) || !(invites || phrases.says('address', sentence))) return found
  return phrases.isExhausted ? found : 'invite'
}

const SENTENCE_ENDS = ['.', '!', '?', '。', '।', '\n']

/** The sentence of a text at a place. */
function sentenceAt(text: string, place: number): string {
  const start = Math.max(...SENTENCE_ENDS.map((end) => text.lastIndexOf(end, place)))
  const end = text.slice(place).search(/[.!?。।\n]/)
  return text.slice(start + 1, end === -1 ? text.length : place + end)
}

function readIntent(subjectLine: string, text: string, phrases: Phrases): MailIntent {
  const whole = phrases.fold(subjectLine)
  const isConversation = REPLY.test(whole) || TICKET.test(whole)
  const subject = isConversation ? '' : whole.replace(QUOTED, ' ')
  const isNotice = phrases.says('notice', subject) && !REQUEST.test(subject)
  // "Confirm the new sign-in": in most languages the verb is not the first word.
  const requests = () => REQUEST.test(subject) || phrases.says('confirm', subject)
  // "Your account was created" begins something: its first password is still to be set.
  const isNewAccount = () => phrases.says('created', subject) && phrases.says('address', subject)
  const reportsPast = () => phrases.says('report', subject) && !requests() && !isNewAccount()
  const reports = isNotice || isConversation || reportsPast()
  const isMeeting = once(() => TIME_OF_DAY.test(whole) || phrases.says('other', whole))
  const asked = reports ? [] : KINDS.filter((kind) => phrases.says(WORDS_OF[kind], subject))
  const beginning = once(() => beginningOf(text, BEGINNING))
  const aboveLinks = once(() => phrases.fold(beforeLinks(beginning())))
  return {
    phrases,
    beginning,
    subject: new Set(asked),
    reports,
    isNotice: once(() => isNotice || (!asked.includes('reset') && phrases.says('notice', aboveLinks()))),
    changesAddress: once(() => phrases.says('addressChange', subject)),
    invites: once(
      () => asked.includes('invite') || phrases.says('invite', phrases.fold(withoutLinks(beginning()))),
    ),
    isAboutAddress: once(() => phrases.says('address', subject)),
    isAboutPassword: once(() => phrases.says('password', subject)),
    isPastInvitation: once(() => reports && phrases.says('invite', subject)),
    offers: once(() => speaksOfOffer(phrases.fold(beginning()))),
    asksForCode: once(() => {
      const said = phrases.fold(withoutLinks(beginning()))
      return speaksOfCode(said, phrases) || namesVerificationCode(said)
    }),
    bringsCode: once(() => !reports && announcesVerificationCode(whole)),
    isAboutSignIn: once(
      () =>
        phrases.says('signIn', subject) ||
        (phrases.says('report', subject) && phrases.says('signIn', aboveLinks())),
    ),
    isMeeting,
    isElse: once(() => isMeeting() || speaksOfCode(whole, phrases)),
  }
}

/** Characters of a text that are read for its beginning. */
const PADDED_BEGINNING = 4000
/**
 * White space and invisible characters, which templates write by the hundred behind the line that
 * an inbox shows beside the subject.
 */
const PADDING = /(?:[\s\u00ad\u200b-\u200f\u2060\ufeff]|\u034f){8,}/g

/** The first characters of a text, without padding. */
function beginningOf(text: string, length: number): string {
  return text.slice(0, PADDED_BEGINNING).replace(PADDING, ' ').slice(0, length)
}

/** A text without the addresses of its links: "/register?code=…" speaks of no code to type. */
function withoutLinks(text: string): string {
  return text.replace(/https?:[^\s\]>)]*/gi, ' ')
}

/** What the beginning of a text says above its first link. */
function beforeLinks(beginning: string): string {
  const sentences = beginning.slice(0, FIRST_SENTENCES)
  const link = sentences.search(/https?:/i)
  return link === -1 ? sentences : sentences.slice(0, link)
}

/** Computes a value when it is first needed. */
function once<T>(compute: () => T): () => T {
  let known: { value: T } | undefined
  return () => {
    known ??= { value: compute() }
    return known.value
  }
}

/** An address among those of the other links. */
interface PlacedAddress extends Address {
  /** No other address of the mail has a value made for its reader. */
  isOnlyOne: boolean
}

interface Verdict {
  kind: ActionKind
  score: number
  /** The words that are the evidence. */
  text: string
}

interface Action extends Verdict {
  url: string
  hasToken: boolean
}

/** Of two ways to do the same, one that was made for this reader is the action: the other one asks for a new mail. */
function isBetter(one: Action, other: Action): boolean {
  return one.kind === other.kind && one.hasToken !== other.hasToken ? one.hasToken : one.score > other.score
}

/** The words of a link and those around it. All but `sentence` are folded. */
interface Wording {
  words: string
  sentence: string
  /** The words of the link; of generic ones the sentence around it. */
  said: string
  around: string
  isGeneric: boolean
  /**
   * The words count as evidence: a long sentence, or one about a code, may lead to something else.
   */
  counts: boolean
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
    const { words, around } = mention
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

function judge(mention: Mention, address: PlacedAddress, mail: MailIntent): Verdict | null {
  const wording = readWording(mention, address, mail)
  if (wording === null) return null
  const { around, isGeneric } = wording
  const { phrases } = mail
  const isDenied = phrases.says('deny', around)
  if (isDenied && (isGeneric || mail.reports)) return null
  let best: { kind: ActionKind; score: number } | null = null
  for (const kind of KINDS) {
    // "If this was not you, reset your password": only the subject can say that the mail is for
    // that.
    if (isDenied && !mail.subject.has(kind) && (kind === 'reset' || kind === 'sign_in')) continue
    // "If this was not you, freeze your account": whatever the subject asks, these words do not do it.
    if (isDenied && !isGeneric && !names(kind, wording, phrases)) continue
    const score = scoreOf(kind, wording, address, mail)
    const isAnswer =
      kind === 'confirm' && ((!isGeneric && QUESTION.test(mention.around)) || approvesSignIn(wording, mail))
    const enough = mail.reports && !isAnswer ? ENOUGH_IN_REPORT : ENOUGH[kind]
    if (score < enough || (best !== null && score <= best.score)) continue
    // "Your password was changed": the link to change it again is for the reader who did not.
    if (kind === 'reset' && mail.isNotice()) continue
    if (kind === 'invite' && mail.isPastInvitation()) continue
    best = { kind, score }
  }
  if (best === null) return null
  return { ...best, kind: kindOf(best.kind, wording, address, mail), text: shownWords(mention, wording) }
}

/** The words of a link name a kind of action. */
function names(kind: ActionKind, { said }: Wording, phrases: Phrases): boolean {
  return phrases.says(WORDS_OF[kind], said) || (kind === 'invite' && phrases.says('join', said))
}

/**
 * The kind of an action. A subject that names exactly one kind decides it, unless the words of the
 * link speak of another one: "to confirm that you want a new password" is a reset.
 */
function kindOf(
  given: ActionKind,
  { said, around }: Wording,
  address: Address,
  mail: MailIntent,
): ActionKind {
  const { phrases } = mail
  const found = kindSaid(given, said, mail)
  // "Sign in here to set your password", and an address for that.
  if (found === 'sign_in' && address.kinds.has('reset') && !mail.subject.has('sign_in')) return 'reset'
  // "To confirm this action, follow this link", and the address of a new password, or a subject about one.
  const isForReset = address.kinds.has('reset') || (found === 'confirm' && mail.isAboutPassword())
  const mayReset = (found === 'confirm' || found === 'reset') && isForReset
  // "Confirm your address", on a button below "Forgot your password? Click to reset it".
  const asksReset = mail.subject.has('reset') && phrases.says('reset', around)
  if (mayReset && (asksReset || !phrases.says('address', said)) && !mail.isAboutAddress()) return 'reset'
  // Confirming is often the way to do something else: "Confirm your new password".
  const [asked, second] = [...mail.subject].filter((kind) => kind !== 'confirm' || mail.subject.size === 1)
  if (asked === undefined || second !== undefined || asked === found) return found
  // "Replacement login information": it is replaced by signing in at the address of a reset.
  if (asked === 'sign_in' && found === 'reset' && address.kinds.has('reset')) return found
  // "Confirm your address to sign in".
  if (found === 'confirm' && asked === 'sign_in' && mail.subject.has('confirm') && mail.isAboutAddress())
    return found
  // An invitation, whose account is activated where its first password is chosen.
  const confirms = mail.subject.has('confirm') && (address.kinds.size === 0 || address.kinds.has('confirm'))
  if (asked === 'invite' && (found === 'reset' || (found === 'confirm' && !confirms))) return asked
  if (phrases.says(WORDS_OF[asked], said) || !phrases.says(WORDS_OF[found], said)) return asked
  // "Reset your sign-in details": details to sign in with, not a way to sign in.
  if (asked === 'reset' && found === 'sign_in' && address.hasToken) return asked
  const isReset = asked === 'reset' && phrases.says('password', said)
  return found === 'confirm' && (isReset || !confirmsAddress(said, phrases)) ? asked : found
}

/** The kind that the words say, where they are clearer than the address: "/activate" may also lead to a new password. */
function kindSaid(given: ActionKind, said: string, mail: MailIntent): ActionKind {
  const { phrases, subject } = mail
  if (given === 'reset' && activates(said, mail)) return 'confirm'
  // "Sign in to your account", at "/auth/verify".
  const signsIn = given === 'confirm' && subject.size === 0 && phrases.says('signIn', said)
  if (signsIn && !phrases.says('confirm', said) && !mail.invites()) return 'sign_in'
  const asksReset = given === 'confirm' && !subject.has('confirm') && phrases.says('reset', said)
  return asksReset && phrases.says('password', said) && !phrases.says('confirm', said) ? 'reset' : given
}

/**
 * Whether the words are about a new account and name no password, although the address is that of
 * a form for one: "To activate your account, open <link>".
 */
function activates(said: string, { phrases, subject }: MailIntent): boolean {
  return (
    !subject.has('reset') &&
    confirmsAddress(said, phrases) &&
    !phrases.says('password', said) &&
    !phrases.says('reset', said)
  )
}

/**
 * The wording of a link; null if it leads to something that is no action. The sentence around an
 * address that is made for the action may speak of anything: "pedido" is a request or an order.
 */
function readWording(mention: Mention, address: PlacedAddress, mail: MailIntent): Wording | null {
  const { phrases } = mail
  const words = phrases.fold(mention.words)
  const hasUrl = isUrl(words)
  if (words.length > WORDS_MAX && !hasUrl) return null
  // "Use this code to sign in: 915721", where the code is the link too.
  const isCode = CODE_AS_WORDS.test(words) && mail.bringsCode()
  const isGeneric = hasUrl || isCode || isGenericWords(words)
  // Most links name no action, neither in their address nor in their words.
  const mustSay = address.kinds.size === 0
  if (mustSay && !isGeneric && !phrases.saysPurpose(words)) return null
  const sentence = sentenceOf(mention, phrases)
  const around = phrases.fold(sentence)
  if (mustSay && isGeneric && !phrases.saysPurpose(around)) return null
  const said = isGeneric ? around : words
  // "Confirm booking request", but not "Confirme el pedido de una nueva contraseña".
  const isElse = mail.isMeeting() && !mail.isAboutAddress() && !mail.subject.has('reset')
  // "Go to Dashboard" below "Your order was processed", whatever its address says.
  if (isElse && !isGeneric && mail.subject.size === 0 && !phrases.saysPurpose(`${around} ${words}`))
    return null
  const isMadeForIt = address.hasToken && !isElse && [...address.kinds].some((kind) => mail.subject.has(kind))
  // "Delete my account", in a mail that asks to confirm just that.
  const isAsked = isMadeForIt && (isGeneric || (phrases.says('address', said) && mail.isAboutAddress()))
  // "To confirm your account, open this link in your browser".
  const isLast =
    isGeneric && address.hasLongToken ? phrases.says('unsubscribe', said) : isLastWords(said, phrases)
  if (isLast || (isOtherAction(said, phrases) && !isAsked) || (!hasUrl && phrases.says('deny', words)))
    return null
  const counts = !isGeneric || (around.length <= SENTENCE_MAX && (isCode || !speaksOfCode(around, phrases)))
  return { words, sentence, said, around, isGeneric, counts }
}

/** The words of a link as its reader sees them; the sentence around it if they say nothing. */
function shownWords(mention: Mention, { words, sentence }: Wording): string {
  return shown(/[\p{L}\p{N}]/u.test(words) && !isUrl(words) ? mention.words : sentence || mention.words)
}

function isUrl(words: string): boolean {
  return /^<?https?:/.test(words)
}

function scoreOf(kind: ActionKind, wording: Wording, address: PlacedAddress, mail: MailIntent): number {
  const { said, around, isGeneric, counts } = wording
  const { phrases } = mail
  const joins =
    kind === 'invite' &&
    phrases.says('join', said) &&
    !isOtherAction(around, phrases) &&
    (phrases.says('invite', around) || mail.invites())
  if (kind === 'invite' && !address.kinds.has(kind) && mail.isMeeting()) return 0
  const approves = kind === 'confirm' && address.hasToken && approvesSignIn(wording, mail)
  const creates = kind === 'confirm' && createsAccount(wording, address, mail)
  const isSaid = counts && (phrases.says(WORDS_OF[kind], said) || joins || approves || creates)
  if (!isSaid && !address.kinds.has(kind)) return 0
  if (kind === 'confirm' && !address.kinds.has(kind) && takesUpOffer(wording, mail)) return 0
  if (!address.kinds.has(kind) && !mail.subject.has(kind) && !sayEnough(kind, wording, address, mail))
    return 0
  if (!address.hasToken && !mayBeForAll(kind, wording, address, mail)) return 0
  let score = 0
  if (isSaid) score += POINTS.words
  // The sentence around a link may be about something else than its address.
  const isForElse = address.kinds.size > 0 && !address.kinds.has(kind) && !address.isSignInPath
  if (isSaid && isGeneric && !approves && isForElse) score -= POINTS.address
  if (isSaid && kind === 'confirm' && phrases.says('address', said)) score += POINTS.object
  // "Accept invitation", above or below "Create account".
  if (isSaid && kind === 'invite' && !isGeneric && phrases.says(kind, said)) score += POINTS.object
  if (address.kinds.has(kind)) score += POINTS.address + (address.hasToken ? POINTS.token : 0)
  if (mail.subject.has(kind) || (kind === 'sign_in' && isBesideCode(address, mail))) score += POINTS.subject
  if (!isGeneric && phrases.says(WORDS_OF[kind], around)) score += POINTS.sentence
  return score
}

/**
 * "Click here to create your account", or "Sign up" below "Complete your registration", at an address that was made
 * for that, in a mail that invites nobody.
 */
function createsAccount({ said }: Wording, { signsUp, isOnlyOne }: PlacedAddress, mail: MailIntent): boolean {
  const { phrases } = mail
  if (!signsUp || !isOnlyOne || !phrases.says('join', said) || mail.invites()) return false
  return phrases.says('address', said) || mail.subject.has('confirm')
}

/** "Or click here to sign in", in a mail that brings a code for that, and one address that was made for its reader. */
function isBesideCode({ hasToken, isOnlyOne, kinds }: PlacedAddress, mail: MailIntent): boolean {
  return hasToken && (isOnlyOne || kinds.has('sign_in')) && mail.bringsCode()
}

/** "Activate now!" below "50% off your next order": the words name nothing, and the mail is about a discount. */
function takesUpOffer({ said, isGeneric }: Wording, mail: MailIntent): boolean {
  return !isGeneric && !mail.subject.has('confirm') && !mail.phrases.says('address', said) && mail.offers()
}

/** "Approve" below "New sign-in request", "Allow this login". */
function approvesSignIn({ said }: Wording, mail: MailIntent): boolean {
  return mail.phrases.says('approve', said) && (mail.isAboutSignIn() || mail.phrases.says('signIn', said))
}

/**
 * Whether the words are sufficient alone: "the numbers confirm it: <link>" confirms no address, and
 * a button is no headline.
 */
function sayEnough(
  kind: ActionKind,
  { said, isGeneric }: Wording,
  { isOnlyOne }: PlacedAddress,
  { phrases }: MailIntent,
): boolean {
  if (!isGeneric && said.length <= BUTTON_MAX) return true
  // "Click here to confirm the address of your account with us"
  if (!isGeneric) return isOnlyOne && kind === 'confirm' && phrases.says('address', said)
  const longest = isOnlyOne ? SENTENCE_MAX : SHORT_REQUEST
  return kind !== 'confirm' || said.length <= longest || phrases.says('address', said)
}

/**
 * Whether an address that was not made for this reader may be an action: only if the mail is for
 * that, and of a plain page also its own words. A new password always needs its own address.
 */
function mayBeForAll(
  kind: ActionKind,
  { said, isGeneric }: Wording,
  address: Address,
  mail: MailIntent,
): boolean {
  const { phrases } = mail
  if (address.kinds.has(kind))
    return (
      (kind !== 'confirm' && kind !== 'reset') ||
      (mail.subject.has(kind) && (isGeneric || phrases.saysPurpose(said) || phrases.says('address', said)))
    )
  if (kind === 'reset') return false
  // "Sign in to accept the invitation", above the page for that.
  if (isGeneric && kind === 'invite')
    return address.isSignInPage && phrases.says('join', said) && phrases.says('invite', said)
  if (isGeneric)
    return (
      kind === 'confirm' &&
      !address.isHome &&
      !address.isSignInPage &&
      mail.subject.has(kind) &&
      phrases.says(kind, said) &&
      phrases.says('address', said)
    )
  if (kind === 'invite') return phrases.says('join', said)
  // Pages and payments are confirmed too.
  return (
    mail.subject.has(kind) && (kind !== 'confirm' || mail.isAboutAddress() || phrases.says('address', said))
  )
}

function shown(text: string): string {
  return text
    .replace(/[([<]\s*[)\]>]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}
