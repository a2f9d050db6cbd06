import type { ActionKind } from '../message.ts'
import { type Address, readAddress } from './action-address.ts'
import { isLastAddress } from './last.ts'
import type { Phrases } from './phrases.ts'

/** One occurrence of a link. */
export interface Mention {
  /** The words of the link; empty in a text. */
  readonly words: string
  /** The sentence around it, or the two lines above a link on its own line. */
  readonly around: string
  /** The line below a link in the middle of a sentence, which may be its end. */
  readonly below?: string | undefined
}

/** Characters of an address that are examined; what follows in the address of a tracker says nothing. */
export const EXAMINED = 320

export class Link {
  readonly url: string
  /** What is examined of its address, in lower case. */
  readonly lower: string
  /** Its occurrences, at most MENTIONS_MAX. */
  readonly mentions: Mention[] = []
  readonly #codes: string[]
  #isLast: boolean | undefined
  #address: Address | null | undefined

  constructor(url: string, codes: string[] = []) {
    this.url = url
    this.#codes = codes
    this.lower = url.slice(0, EXAMINED).toLowerCase()
  }

  /** Whether its address is never the purpose of a mail. */
  get isLast(): boolean {
    this.#isLast ??= isLastAddress(this.lower)
    return this.#isLast
  }

  /** The evidence in its address; null if it is never the action. */
  get address(): Address | null {
    if (this.#address === undefined)
      this.#address = this.isLast
        ? null
        : readAddress(this.lower, this.#holdsCode() || hasRandomLetters(this.url))
    return this.#address
  }

  /** Whether one of its values is a code of the mail. */
  #holdsCode(): boolean {
    return this.#codes.some((code) =>
      SHORT_CODE.test(code)
        ? CONFIRMS.exec(this.lower)?.[1] === code
        : code.length >= CODE_MIN && hasValue(this.lower, code.toLowerCase()),
    )
  }
}

/** A part of a path or a value of a query of letters in both cases, with the two marks of base64 or without. */
const LETTERS = /[/=](?=[a-z_-]*[A-Z])(?=[A-Z_-]*[a-z])[A-Za-z_-]{12,64}(?=[/?&#]|$)/g
/** Words, and capitals beside one another: "YtelECEvMrZpNZDk" has seven, and "acceptInvitationToJoin" four. */
const WORDS = /[A-Z]?[a-z]+|[A-Z]+/g
/** Letters of the longest such words, on the average; and those of a key of 16 bytes or more. */
const LETTERS_MAX = 2.5
const KEY_LETTERS_MAX = 3.6
const KEY = /^[A-Za-z]*(?:[_-][A-Za-z]*){0,2}$/
const KEY_MIN = 21
const CONSONANTS = /^[^aeiouy]{2,}$/i

/** Whether letters of an address are in an order as no words are: "/activate/YtelECEvMrZpNZDk". */
function hasRandomLetters(url: string): boolean {
  const examined = url.slice(0, EXAMINED)
  // `matchAll` copies its expression, which costs more than the search that mostly finds nothing.
  if (examined.search(LETTERS) === -1) return false
  for (const [part] of examined.matchAll(LETTERS)) {
    const words = part.match(WORDS)!
    const most = part.length > KEY_MIN && KEY.test(part.slice(1)) ? KEY_LETTERS_MAX : LETTERS_MAX
    if ((part.length - 1) / words.length <= most && words.some((word) => CONSONANTS.test(word))) return true
  }
  return false
}

/** A shorter code may be any number of an address, but not in "/verify/4829". */
const CODE_MIN = 5
const SHORT_CODE = /^\d{4}$/
const CONFIRMS = /\/(?:verif|confirm|activat|validat)[a-z]*\/(\d{4})\/?$/

/** Whether a text is a whole value of an address: "?code=482913", "/join/QML8DJLE". */
function hasValue(url: string, text: string): boolean {
  for (let at = url.indexOf(text); at !== -1; at = url.indexOf(text, at + 1))
    if (
      /[=/]/.test(url.charAt(at - 1)) &&
      /^(?:[&/?#]|$)/.test(url.slice(at + text.length, at + text.length + 1))
    )
      return true
  return false
}

/** Further occurrences of a link are ignored. */
export const MENTIONS_MAX = 4

/** Properties of the whole mail. */
export interface MailIntent {
  /** Finds what the words of the mail say. */
  phrases: Phrases
  /** The first characters of its text. */
  beginning(): string
  /** The actions that its subject requests; to change an address is to confirm it. */
  subject: Set<ActionKind>
  /**
   * The subject reports a past event and asks for nothing, or the mail is part of a conversation.
   */
  reports: boolean
  /**
   * Whether the subject asks to confirm a sign-in: "Verify login", but not "Authentication link", where one word means
   * both.
   */
  asksAboutSignIn(): boolean
  /** Whether it reports that a password or an address was changed, and asks for no reset. */
  isNotice(): boolean
  /** Whether the beginning of the text reports that a password or an address was changed. */
  tellsOfChange(): boolean
  /** Whether it invites. A function, because most links do not need the answer. */
  invites(): boolean
  /** Whether the subject or the beginning of the text speaks of a password, of an account or of signing in. */
  isAboutAccess(): boolean
  /** Whether the subject names an address, an account or a subscription. */
  isAboutAddress(): boolean
  /** Whether the subject names a password. */
  isAboutPassword(): boolean
  /** Whether the subject reports that an invitation was answered or expired. */
  isPastInvitation(): boolean
  /** Whether the beginning of the mail speaks of a discount or a voucher. */
  offers(): boolean
  /** Whether the beginning of the mail speaks of a code to type. */
  asksForCode(): boolean
  /** Whether the subject announces a verification code and reports nothing. */
  bringsCode(): boolean
  /** Whether the subject names a device or a browser. */
  isAboutDevice(): boolean
  /** Whether the subject speaks of signing in, or reports what the first sentences say of it. */
  isAboutSignIn(): boolean
  /** Whether the subject names a time of day, or something that is met, bought or booked. */
  isMeeting(): boolean
  /** Whether `isMeeting` is all that the subject names: no address, account or new password. */
  isOnlyMeeting(): boolean
  /** Whether the beginning of the mail names a time from which something lasts, and one to which. */
  namesTime(): boolean
  /** Whether the subject is about an order, a booking or the like, or about a code to type. */
  isElse(): boolean
}
