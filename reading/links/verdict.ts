import type { ActionKind } from '../message.ts'
import { type Address, KINDS } from './action-address.ts'
import { confirmsAddress, isOtherAction, isQuestion, sentencesOf, WORDS_OF } from './action-words.ts'
import type { MailIntent, Mention } from './link.ts'
import { type Phrases, saysIn } from './phrases.ts'
import {
  BUTTON_MAX,
  type PlacedAddress,
  readWording,
  SENTENCE_MAX,
  shownWords,
  type Wording,
} from './wording.ts'

const POINTS = { words: 3, address: 2, token: 1, subject: 2, sentence: 1, object: 1 } as const
/** Points that a link needs. */
const ENOUGH: Record<ActionKind, number> = { reset: 3, invite: 3, sign_in: 5, confirm: 3 }
const ENOUGH_IN_REPORT = 5
/** A line with no room for anything but the request: "Confirm here:". */
const SHORT_REQUEST = 30

export interface Verdict {
  kind: ActionKind
  score: number
  /** The words that are the evidence. */
  text: string
}

export function judge(mention: Mention, address: PlacedAddress, mail: MailIntent): Verdict | null {
  const wording = readWording(mention, address, mail)
  if (wording === null) return null
  const { around, isGeneric } = wording
  const { phrases } = mail
  const isDenied = phrases.says('deny', around)
  if (isDenied && (isGeneric || mail.reports) && !isWhatSubjectAsks(address, mail)) return null
  let best: { kind: ActionKind; score: number } | null = null
  for (const kind of KINDS) {
    // "If this was not you, reset your password": only a subject can say that the mail is for it.
    if (isDenied && !mail.subject.has(kind) && (kind === 'reset' || kind === 'sign_in')) continue
    // "If this was not you, freeze your account": whatever the subject asks, these words do not do it.
    if (isDenied && !isGeneric && !names(kind, wording, phrases)) continue
    const score = scoreOf(kind, wording, address, mail)
    // "Was this you?", above "Yes, it was me".
    const isAnswer =
      kind === 'confirm' &&
      ((!isGeneric && isQuestion(mention.around)) ||
        approvesSignIn(wording, mail) ||
        (!isDenied && confirmsChange(wording, address, mail)))
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

/** "Your address was changed. Follow this link to confirm it", above the only address that was made for the reader. */
function confirmsChange({ said }: Wording, { isOnlyOne }: PlacedAddress, mail: MailIntent): boolean {
  const { phrases } = mail
  if (!isOnlyOne || !mail.isNotice() || !mail.isAboutAddress() || mail.isAboutPassword()) return false
  // "We send this to confirm the change. Your account:", "To confirm your settings:".
  const last = sentencesOf(said).at(-1)!
  return phrases.says('confirm', last) && (phrases.says('address', last) || saysIn('pageBelow', last))
}

/**
 * Whether the only address that was made for this reader names what the subject asks for. Then it does not matter that
 * the sentence above it is for readers who did not ask.
 */
function isWhatSubjectAsks({ isOnlyOne, kinds }: PlacedAddress, { subject }: MailIntent): boolean {
  return isOnlyOne && [...kinds].some((kind) => subject.has(kind))
}

/** The words of a link name a kind of action. */
function names(kind: ActionKind, { said }: Wording, phrases: Phrases): boolean {
  return phrases.says(WORDS_OF[kind], said) || (kind === 'invite' && phrases.says('join', said))
}

/**
 * The kind of an action. A subject that names exactly one kind decides it, unless the words of the
 * link speak of another one: "to confirm that you want a new password" is a reset.
 */
function kindOf(given: ActionKind, wording: Wording, address: Address, mail: MailIntent): ActionKind {
  const { said, around } = wording
  const { phrases } = mail
  // "Approve the device", below "Sign-in from a new device": a sign-in that waits is confirmed. So is "Verify device".
  if ((given === 'confirm' || given === 'sign_in') && approvesDevice(wording, mail)) return 'confirm'
  const isButton = said.length <= BUTTON_MAX && (given === 'sign_in' || given === 'confirm')
  if (isButton && phrases.says('confirm', said) && phrases.says('device', said)) return 'confirm'
  const found = kindSaid(given, said, mail)
  // "Sign in here to set your password", and an address for that.
  if (found === 'sign_in' && address.kinds.has('reset') && !mail.subject.has('sign_in')) return 'reset'
  // "To confirm this action, follow this link", and the address of a new password, or a subject about one.
  const isForReset = address.kinds.has('reset') || (found === 'confirm' && mail.isAboutPassword())
  const mayReset = (found === 'confirm' || found === 'reset') && isForReset
  // "Confirm your address", on a button below "Forgot your password? Click to reset it".
  const asksReset = mail.subject.has('reset') && phrases.says('reset', around)
  // "To get a new password, confirm this e-mail", below a subject about the password.
  const isPassword =
    asksReset ||
    (mail.isAboutPassword() && phrases.says('password', said)) ||
    (address.kinds.has('reset') && mail.isAboutPassword() && !mail.subject.has('confirm'))
  if (mayReset && (isPassword || !phrases.says('address', said)) && !mail.isAboutAddress()) return 'reset'
  // "Verify login", below a subject that asks for it. In "Potrdite prijavo", a subscription and a sign-in are one word.
  if (found === 'sign_in' && mail.asksAboutSignIn() && phrases.says('confirm', said)) return 'confirm'
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
  // "Confirm the invitation".
  const isAnswer = given === 'confirm' && phrases.says('invite', said) && !subject.has('confirm')
  if (isAnswer && !confirmsAddress(said, phrases)) return 'invite'
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

function scoreOf(kind: ActionKind, wording: Wording, address: PlacedAddress, mail: MailIntent): number {
  const { said, around, isGeneric, counts } = wording
  const { phrases } = mail
  const joins =
    kind === 'invite' &&
    phrases.says('join', said) &&
    !isOtherAction(around, phrases) &&
    (phrases.says('invite', around) || mail.invites())
  if (kind === 'invite' && (address.kinds.has(kind) ? mail.isOnlyMeeting() : mail.isMeeting())) return 0
  const approves = kind === 'confirm' && address.hasToken && approvesSignIn(wording, mail)
  const creates = kind === 'confirm' && createsAccount(wording, address, mail)
  const mayBePasswordless = kind === 'sign_in' && address.hasToken && phrases.says('signIn', said)
  const isPasswordless =
    mayBePasswordless &&
    (phrases.says('passwordless', said) || (address.isOnlyOne && bringsLink(around, phrases)))
  // "Uden adgangskode": the word for a password may be one for a code, which makes a sentence count for less.
  const isSaid =
    isPasswordless || (counts && (phrases.says(WORDS_OF[kind], said) || joins || approves || creates))
  if (!isSaid && !address.kinds.has(kind)) return 0
  // "/appointments/8f2c…?invitation_token=…", in a mail that invites nobody.
  if (kind === 'invite' && !isSaid && mail.isMeeting() && !mail.invites()) return 0
  const isOffer = () => !address.kinds.has(kind) && takesUpOffer(wording, mail)
  if (kind === 'confirm' && (isOffer() || confirmsElse(wording, mail))) return 0
  const isEnough = () => approves || sayEnough(kind, wording, address, mail)
  if (!address.kinds.has(kind) && !mail.subject.has(kind) && !isEnough()) return 0
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
  const isBeside = () => kind === 'sign_in' && isBesideCode(address, mail) && !phrases.says('reset', said)
  if (mail.subject.has(kind) || isPasswordless || isBeside()) score += POINTS.subject
  if (!isGeneric && phrases.says(WORDS_OF[kind], around)) score += POINTS.sentence
  if (kind === 'sign_in' && !isSaid && openedByMagic(wording, address, mail)) score += POINTS.subject
  return score
}

/** "We send you a link to sign in without a password", but not "New: sign in without a password". */
function bringsLink(around: string, phrases: Phrases): boolean {
  return phrases.says('passwordless', around) && saysIn('page', around)
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

/** "Access to my account", at "/users/magic/8f2c…"; or the only address that was made for the reader. */
function openedByMagic(
  { said, isGeneric }: Wording,
  { saysMagic, isOnlyOne }: PlacedAddress,
  mail: MailIntent,
): boolean {
  if (!saysMagic || mail.reports) return false
  if (isGeneric) return isOnlyOne
  return mail.phrases.says('address', said) && !mail.phrases.saysPurpose(said)
}

/** "Or click here to sign in", in a mail that brings a code for that, and one address that was made for its reader. */
function isBesideCode({ hasToken, isOnlyOne, kinds }: PlacedAddress, mail: MailIntent): boolean {
  return hasToken && (isOnlyOne || kinds.has('sign_in')) && mail.bringsCode()
}

/** "Activate now!" below "50% off your next order": the words name nothing, and the mail is about a discount. */
function takesUpOffer({ said, isGeneric }: Wording, mail: MailIntent): boolean {
  return !isGeneric && !mail.subject.has('confirm') && !mail.phrases.says('address', said) && mail.offers()
}

/** "Confirm" below "Please confirm your appointment", whatever its address says. */
function confirmsElse({ said, around }: Wording, mail: MailIntent): boolean {
  return mail.isOnlyMeeting() && ![said, around].some((words) => mail.phrases.says('address', words))
}

/** "Approve" below "New sign-in request", "Allow this login", "To confirm that this login was made by you". */
function approvesSignIn(wording: Wording, mail: MailIntent): boolean {
  const { phrases } = mail
  const { said } = wording
  if (phrases.says('approve', said))
    return mail.isAboutSignIn() || phrases.says('signIn', said) || approvesDevice(wording, mail)
  return mail.reports && phrases.says('confirm', said) && phrases.says('signIn', said)
}

/** "Approve this browser", and not "Copy the link into your browser to approve the request". */
function approvesDevice({ said }: Wording, { phrases, isAboutDevice }: MailIntent): boolean {
  if (!phrases.says('approve', said)) return false
  return isAboutDevice() || (phrases.says('device', said) && !phrases.says('fallback', said))
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
  if (address.kinds.has(kind)) {
    if (kind === 'reset')
      return address.mayBeOwn && mail.subject.has(kind) && !mail.asksForCode() && !mail.tellsOfChange()
    if (kind !== 'confirm') return true
    // "Go to the verification page and enter the code".
    if (mail.asksForCode() || !mail.subject.has(kind)) return false
    return isGeneric || phrases.saysPurpose(said) || phrases.says('address', said)
  }
  if (kind === 'reset') return false
  // "Sign in to accept the invitation", above the page for that.
  if (isGeneric && kind === 'invite')
    return address.isEntryPage && phrases.says('join', said) && phrases.says('invite', said)
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
  // A plain page to sign in is for every reader, unless the sign-in itself is to be confirmed: "Verify login".
  if (kind === 'sign_in') return mail.asksAboutSignIn() && phrases.says('confirm', said)
  // Pages and payments are confirmed too.
  return (
    mail.subject.has(kind) && (kind !== 'confirm' || mail.isAboutAddress() || phrases.says('address', said))
  )
}
