import type { Address } from './action-address.ts'
import {
  CODE_AS_WORDS,
  HOST_AS_WORDS,
  isGeneric as isGenericWords,
  isOtherAction,
  speaksOfCode,
  WORDS_OF,
} from './action-words.ts'
import { isLastWords } from './last.ts'
import type { MailIntent, Mention } from './link.ts'
import { sentenceOf } from './sentence.ts'

/** A link of more words is a headline, unless the words are its own address. */
const WORDS_MAX = 90
export const SENTENCE_MAX = 220
/** The words of a button. */
export const BUTTON_MAX = 60

/** The words of a link are the value in its address. */
const TOKEN_AS_WORDS = /^(?=\w*\d)\w{20,}$/

/** "Sign up here (the code is filled in for you)". */
const IN_BRACKETS = /\([^()]{1,100}\)/g

/** Words that are the address of the front page of a site, to which a tracker leads. */
export const FRONT_PAGE = /^https?:\/\/[^/?#\s]+\/?$/

/** An address among those of the other links. */
export interface PlacedAddress extends Address {
  /** No other address of the mail has a value made for its reader. */
  isOnlyOne: boolean
}

/** The words of a link and those around it. All but `sentence` are folded. */
export interface Wording {
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

/**
 * The wording of a link; null if it leads to something that is no action. The sentence around an
 * address that is made for the action may speak of anything: "pedido" is a request or an order.
 */
export function readWording(mention: Mention, address: PlacedAddress, mail: MailIntent): Wording | null {
  const { phrases } = mail
  const words = withoutUrl(phrases.fold(mention.words))
  const hasUrl = isUrl(words)
  const isToken = address.kinds.has('confirm') && TOKEN_AS_WORDS.test(words)
  if (words.length > WORDS_MAX && !hasUrl && !isToken) return null
  // "Use this code to sign in: 915721", where the code is the link too.
  const isCode = CODE_AS_WORDS.test(words.trim()) && mail.bringsCode()
  const isGeneric = hasUrl || isCode || isToken || isIntroducedHost(words, mention) || isGenericWords(words)
  // Most links name no action, neither in their address nor in their words.
  const mustSay = address.kinds.size === 0
  if (mustSay && !isGeneric && !phrases.saysPurpose(words)) return null
  // The sentence around a page that every reader shares makes it no action, and reading it may use up the searches.
  if (mustSay && isGeneric && !mayBeMeant(words, address, mail)) return null
  const sentence = sentenceOf(mention, phrases)
  const around = phrases.fold(sentence)
  if (mustSay && isGeneric && !phrases.saysPurpose(around)) return null
  const said = isGeneric ? around : words
  // "Confirm booking request", but not "Confirme el pedido de una nueva contraseña".
  const isElse = mail.isOnlyMeeting()
  // "Go to Dashboard" below "Your order was processed", whatever its address says.
  if (isElse && !isGeneric && mail.subject.size === 0 && !phrases.saysPurpose(`${around} ${words}`))
    return null
  const isMadeForIt = address.hasToken && !isElse && [...address.kinds].some((kind) => mail.subject.has(kind))
  // "Delete my account", in a mail that asks to confirm just that.
  const isAsked =
    (isMadeForIt && (isGeneric || (mail.isAboutAddress() && phrases.says('address', said)))) ||
    (!isElse && !isGeneric && mail.isAboutAddress() && saysWhatIsAsked(said, address, mail))
  // "To confirm your account, open this link in your browser".
  // "Accept the terms and activate my account".
  const mayNameTerms = isGeneric ? address.hasLongToken : saysSubject(said, address, mail)
  const isLast = mayNameTerms ? phrases.says('unsubscribe', said) : isLastWords(said, phrases)
  if (isLast || (isOtherAction(said, phrases) && !isAsked) || (!hasUrl && phrases.says('deny', words)))
    return null
  const counts =
    !isGeneric ||
    (around.length <= SENTENCE_MAX && (isCode || !speaksOfCode(around.replace(IN_BRACKETS, ' '), phrases)))
  return { words, sentence, said, around, isGeneric, counts }
}

/** The words of the only link that was made for the reader say what the subject asks. */
function saysSubject(said: string, { isOnlyOne }: PlacedAddress, { subject, phrases }: MailIntent): boolean {
  return isOnlyOne && [...subject].some((kind) => phrases.says(WORDS_OF[kind], said))
}

/** "Verify & continue to payment", below "Verify your email": the first half says what the subject asks. */
function saysWhatIsAsked(
  said: string,
  { kinds, isOnlyOne }: PlacedAddress,
  { subject, phrases }: MailIntent,
): boolean {
  const half = FIRST_HALF.exec(said)?.[0]
  if (!isOnlyOne || half === undefined || isOtherAction(half, phrases)) return false
  return [...subject].some(
    (kind) => (kinds.size === 0 || kinds.has(kind)) && phrases.says(WORDS_OF[kind], half),
  )
}

/** Up to "&". Words for "and" are words of other meanings elsewhere: "tài". */
const FIRST_HALF = /^[^&+,/]{3,40}(?= ?[&+,/])/

/** "To get a new password, follow this link: harbour.example". Anywhere else such a name is only mentioned. */
function isIntroducedHost(words: string, { around }: Mention): boolean {
  return HOST_AS_WORDS.test(words.trim()) && /[:：]\s*$/.test(around)
}

/** Whether a link whose words and address say nothing may still be the action. */
function mayBeMeant(words: string, address: PlacedAddress, mail: MailIntent): boolean {
  if (FRONT_PAGE.test(words)) return false
  return address.hasToken || address.isEntryPage || (mail.subject.has('confirm') && !address.isHome)
}

/** The words of a link as its reader sees them; the sentence around it if they say nothing. */
export function shownWords(mention: Mention, { words, sentence }: Wording): string {
  return shown(/[\p{L}\p{N}]/u.test(words) && !isUrl(words) ? mention.words : sentence || mention.words)
}

/** "Accept the invitation https://acme.example/i/8f2c": the words before an address. */
function withoutUrl(words: string): string {
  const place = words.search(/[ (<]https?:/)
  return place > 0 ? words.slice(0, place) : words
}

function isUrl(words: string): boolean {
  return /^<?https?:/.test(words)
}

function shown(text: string): string {
  return text
    .replace(/[([<]\s*[)\]>]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}
