import type { ActionKind } from '../message.ts'
import { KINDS } from './action-address.ts'
import {
  announcesVerificationCode,
  namesVerificationCode,
  QUOTED,
  REPLY,
  REQUEST,
  speaksOfCode,
  speaksOfOffer,
  TICKET,
  WORDS_OF,
} from './action-words.ts'
import type { MailIntent } from './link.ts'
import { type Phrases, placeOf } from './phrases.ts'

/** "Invitation: Review @ Thu 3 Dec, 10:00". */
const TIME_OF_DAY = /\b\d{1,2}[:.h]\d{2}\b/
/** "08:30 – 16:00". */
const FROM_TO = /\b\d{1,2}[:.h]\d{2} ?[-–—~] ?\d{1,2}[:.h]\d{2}\b/
/** Characters of the text in which an invitation says that it is one. */
const BEGINNING = 1000
/** Characters of the text that say what a mail without a telling subject reports. */
const FIRST_SENTENCES = 300
const SENTENCE_ENDS = ['.', '!', '?', '。', '।', '\n']

/** Thai and Lao have no full stop: a space ends a sentence. */
const WITHOUT_STOPS = /[\u0e00-\u0eff]/

/** "6 people viewed your profile and you have 2 invitations": a digest, whose links are no single invitation. */
function countsInvitations(subject: string): boolean {
  return COUNT.test(subject.slice(0, Math.max(0, placeOf('invite', subject))))
}

const COUNT = /(?<![\p{L}\p{N}#])\d{1,3} (?:\p{L}{1,12} )?$/u

/** The sentence of a text at a place. */
export function sentenceAt(text: string, place: number): string {
  const isSpaced = WITHOUT_STOPS.test(text.charAt(place))
  const ends = isSpaced ? [...SENTENCE_ENDS, ' '] : SENTENCE_ENDS
  const start = Math.max(...ends.map((end) => text.lastIndexOf(end, place)))
  const end = text.slice(place).search(isSpaced ? /[.!?。।\n ]/ : /[.!?。।\n]/)
  return text.slice(start + 1, end === -1 ? text.length : place + end)
}

export function readIntent(subjectLine: string, text: string, phrases: Phrases): MailIntent {
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
  const isMeeting = once(
    () =>
      TIME_OF_DAY.test(whole) || (phrases.says('other', whole) && !isOnlyName(subjectLine, text, phrases)),
  )
  const isAboutAddress = once(() => phrases.says('address', subject))
  // "Change of your address": it has to be confirmed.
  const asks = (kind: ActionKind) =>
    phrases.says(WORDS_OF[kind], subject) || (kind === 'confirm' && phrases.says('addressChange', subject))
  const asked = reports
    ? []
    : KINDS.filter((kind) => asks(kind) && !(kind === 'invite' && countsInvitations(subject)))
  const beginning = once(() => beginningOf(text, BEGINNING))
  const aboveLinks = once(() => phrases.fold(beforeLinks(beginning())))
  const tellsOfChange = once(() => {
    const above = aboveLinks()
    if (phrases.says('notice', above)) return true
    // "The password of ines@acme.example was reset by an administrator. Choose a new one": only a notice has the denial.
    const isNamed = above.includes('@') && phrases.says('deny', above)
    return isNamed && phrases.says('notice', withoutMailboxes(above))
  })
  return {
    phrases,
    beginning,
    subject: new Set(asked),
    reports,
    asksAboutSignIn: once(
      () => asked.includes('confirm') && placeOf('confirm', subject) !== placeOf('signIn', subject),
    ),
    isNotice: () => isNotice || (!asked.includes('reset') && tellsOfChange()),
    tellsOfChange,
    invites: once(
      () => asked.includes('invite') || phrases.says('invite', phrases.fold(withoutLinks(beginning()))),
    ),
    isAboutAccess: once(() => {
      const texts = [subject, phrases.fold(withoutLinks(beginning()))]
      return ACCESS.some((kind) => texts.some((one) => phrases.says(kind, one)))
    }),
    isAboutAddress,
    isAboutPassword: once(() => phrases.says('password', subject)),
    isPastInvitation: once(() => reports && phrases.says('invite', subject)),
    offers: once(() => speaksOfOffer(phrases.fold(beginning()))),
    asksForCode: once(() => {
      const said = phrases.fold(withoutLinks(beginning()))
      return speaksOfCode(said, phrases) || namesVerificationCode(said)
    }),
    bringsCode: once(() => !reports && announcesVerificationCode(whole)),
    isAboutDevice: once(() => phrases.says('device', subject)),
    isAboutSignIn: once(
      () =>
        phrases.says('signIn', subject) ||
        (phrases.says('report', subject) && phrases.says('signIn', aboveLinks())),
    ),
    isMeeting,
    isOnlyMeeting: () => isMeeting() && !isAboutAddress() && !asked.includes('reset'),
    namesTime: once(() => FROM_TO.test(withoutLinks(beginning()))),
    isElse: once(() => isMeeting() || speaksOfCode(whole.replace(SENDER, ''), phrases)),
  }
}

/** Capitalized words behind others, as in "Confirm your account - Harbour Delivery", "Invitation to Invoice Ninja". */
const NAME =
  /(?<=[^\s\p{L}] |\p{Ll} )\p{Lu}[\p{L}\p{N}&'’]{0,30}(?: (?:d[aeo]s? |of |the |& )?\p{Lu}[\p{L}\p{N}&'’]{0,30}){1,5}/gu

/** Whether only a name in the subject, which the text has as well, speaks of something that is bought, booked or met. */
function isOnlyName(subject: string, text: string, phrases: Phrases): boolean {
  const beginning = text.slice(0, PADDED_BEGINNING)
  const rest = subject.replace(NAME, (name) => (beginning.includes(name) ? ' ' : name))
  if (rest === subject) return false
  const folded = phrases.fold(rest)
  return !phrases.says('other', folded) && KINDS.some((kind) => phrases.says(WORDS_OF[kind], folded))
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
export function withoutLinks(text: string): string {
  return text.replace(/https?:[^\s\]>)]*/gi, ' ')
}

/**
 * A folded text without e-mail addresses, whose full stops end no sentence, but with the marks behind them: "The password
 * of ines@acme.example was changed."
 */
function withoutMailboxes(text: string): string {
  const words = text.split(/(?<=\s)/)
  return words.map((word) => (word.includes('@') ? markAtEnd(word.trimEnd()) : word)).join('')
}

function markAtEnd(word: string): string {
  return SENTENCE_ENDS.includes(word.slice(-1)) ? '. ' : ''
}

/** What the beginning of a text says above its first link. */
function beforeLinks(beginning: string): string {
  const sentences = beginning.slice(0, FIRST_SENTENCES)
  const link = sentences.search(/https?:/i)
  return link === -1 ? sentences : sentences.slice(0, link)
}

const ACCESS = ['password', 'address', 'signIn'] as const

/** "[Gerrit Code Review] Email Verification" */
const SENDER = /^\[[^\]]{1,40}\] ?/

/** Computes a value when it is first needed. */
function once<T>(compute: () => T): () => T {
  let known: { value: T } | undefined
  return () => {
    known ??= { value: compute() }
    return known.value
  }
}
