import { fold } from '../lexicon/fold.ts'
import type { LinkKind } from '../lexicon/language.ts'
import type { ActionKind, ActionLink } from '../message.ts'
import { type Address, KINDS, readAddress } from './action-address.ts'
import {
  ADDRESS_WORDS,
  GENERIC,
  isOtherAction,
  OTHER_ACTION,
  REPLY,
  REQUEST,
  speaksOfCode,
} from './action-words.ts'
import { isLastWords } from './last.ts'
import type { Link, MailIntent, Mention } from './link.ts'
import { onlyLink } from './only-link.ts'
import { sentenceOf } from './sentence.ts'
import { says, saysPurpose } from './words.ts'

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
const LINKS_JUDGED = 100

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

/** The action link of the mail and its kind; null if none is certain enough. */
export function actionOf(links: Link[], subject: string, text: string): ActionLink | null {
  const mail = readIntent(subject, text)
  const isNewsletter = links.length > LINKS_OF_A_REQUEST
  const verdicts = new Verdicts(mail)
  let best: (Verdict & { url: string }) | null = null
  for (const { url, mentions } of links.slice(0, LINKS_JUDGED)) {
    const address = readAddress(url.toLowerCase())
    if (address === null) continue
    for (const mention of mentions) {
      const found = verdicts.of(mention, address)
      if (found?.kind === 'sign_in' && isNewsletter && !mail.subject.has('sign_in')) continue
      if (found !== null && (best === null || found.score > best.score)) best = { url, ...found }
    }
  }
  if (best !== null) return { url: best.url, text: best.text, kind: best.kind }
  return onlyLink(links, subject, mail)
}

function readIntent(subjectLine: string, text: string): MailIntent {
  const subject = fold(subjectLine)
  const reports = REPLY.test(subject) || (says('report', subject) && !REQUEST.test(subject))
  const asked = reports ? [] : KINDS.filter((kind) => says(WORDS_OF[kind], subject))
  return {
    subject: new Set(asked),
    reports,
    invites: once(() => asked.includes('invite') || says('invite', fold(text.slice(0, BEGINNING)))),
    isAboutAddress: once(() => ADDRESS_WORDS.test(subject)),
    isElse: once(() => OTHER_ACTION.test(subject) || speaksOfCode(subject)),
  }
}

/** Computes a value when it is first needed. */
function once<T>(compute: () => T): () => T {
  let known: { value: T } | undefined
  return () => {
    known ??= { value: compute() }
    return known.value
  }
}

interface Verdict {
  kind: ActionKind
  score: number
  /** The words that are the evidence. */
  text: string
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
  private readonly known = new Map<string, Verdict | null>()

  constructor(mail: MailIntent) {
    this.mail = mail
  }

  of(mention: Mention, address: Address): Verdict | null {
    const { words, around } = mention
    const key = `${[...address.kinds]} ${address.hasToken} ${words.length} ${words}${around}`
    let found = this.known.get(key)
    if (found === undefined) {
      found = judge(mention, address, this.mail)
      this.known.set(key, found)
    }
    return found
  }
}

function judge(mention: Mention, address: Address, mail: MailIntent): Verdict | null {
  const wording = readWording(mention, address, mail)
  if (wording === null) return null
  const { around, isGeneric } = wording
  const isDenied = says('deny', around)
  if (isDenied && (isGeneric || mail.reports)) return null
  let best: { kind: ActionKind; score: number } | null = null
  for (const kind of KINDS) {
    // "If this was not you, reset your password": only the subject can say that the mail is for
    // that.
    if (isDenied && !mail.subject.has(kind) && (kind === 'reset' || kind === 'sign_in')) continue
    const score = scoreOf(kind, wording, address, mail)
    const enough = mail.reports ? ENOUGH_IN_REPORT : ENOUGH[kind]
    if (score >= enough && (best === null || score > best.score)) best = { kind, score }
  }
  return best && { ...best, text: shownWords(mention, wording) }
}

/**
 * The wording of a link; null if it leads to something that is no action. The sentence around an
 * address that is made for the action may speak of anything: "pedido" is a request or an order.
 */
function readWording(mention: Mention, address: Address, mail: MailIntent): Wording | null {
  const words = fold(mention.words)
  const hasUrl = isUrl(words)
  if (words.length > WORDS_MAX && !hasUrl) return null
  const isGeneric = hasUrl || GENERIC.test(words)
  // Most links name no action, neither in their address nor in their words.
  const mustSay = address.kinds.size === 0
  if (mustSay && !isGeneric && !saysPurpose(words)) return null
  const sentence = sentenceOf(mention)
  const around = fold(sentence)
  if (mustSay && isGeneric && !saysPurpose(around)) return null
  const said = isGeneric ? around : words
  const isMadeForIt = address.hasToken && [...address.kinds].some((kind) => mail.subject.has(kind))
  if (
    isLastWords(said) ||
    (isOtherAction(said) && !(isGeneric && isMadeForIt)) ||
    (!hasUrl && says('deny', words))
  )
    return null
  const counts = !isGeneric || (around.length <= SENTENCE_MAX && !speaksOfCode(around))
  return { words, sentence, said, around, isGeneric, counts }
}

/** The words of a link as its reader sees them; the sentence around it if they say nothing. */
function shownWords(mention: Mention, { words, sentence }: Wording): string {
  return shown(/[\p{L}\p{N}]/u.test(words) && !isUrl(words) ? mention.words : sentence || mention.words)
}

function isUrl(words: string): boolean {
  return /^<?https?:/.test(words)
}

function scoreOf(kind: ActionKind, wording: Wording, address: Address, mail: MailIntent): number {
  const { said, around, isGeneric, counts } = wording
  const joins =
    kind === 'invite' &&
    says('join', said) &&
    !isOtherAction(around) &&
    (says('invite', around) || mail.invites())
  const isSaid = counts && (says(WORDS_OF[kind], said) || joins)
  if (!isSaid && !address.kinds.has(kind)) return 0
  if (!address.kinds.has(kind) && !mail.subject.has(kind) && !sayEnough(kind, wording)) return 0
  if (!address.hasToken && !mayBeForAll(kind, wording, address, mail)) return 0
  let score = 0
  if (isSaid) score += POINTS.words
  // The sentence around a link may be about something else than its address.
  if (isSaid && isGeneric && address.kinds.size > 0 && !address.kinds.has(kind)) score -= POINTS.address
  if (isSaid && kind === 'confirm' && ADDRESS_WORDS.test(said)) score += POINTS.object
  if (address.kinds.has(kind)) score += POINTS.address + (address.hasToken ? POINTS.token : 0)
  if (mail.subject.has(kind)) score += POINTS.subject
  if (!isGeneric && says(WORDS_OF[kind], around)) score += POINTS.sentence
  return score
}

/**
 * Whether the words are sufficient alone: "the numbers confirm it: <link>" confirms no address, and
 * a button is no headline.
 */
function sayEnough(kind: ActionKind, { said, isGeneric }: Wording): boolean {
  if (!isGeneric) return said.length <= BUTTON_MAX
  return kind !== 'confirm' || said.length <= SHORT_REQUEST || ADDRESS_WORDS.test(said)
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
  if (address.kinds.has(kind)) return (kind !== 'confirm' && kind !== 'reset') || mail.subject.has(kind)
  if (kind === 'reset') return false
  if (isGeneric)
    return kind === 'confirm' && mail.subject.has(kind) && says(kind, said) && ADDRESS_WORDS.test(said)
  if (kind === 'invite') return says('join', said)
  // Pages and payments are confirmed too.
  return mail.subject.has(kind) && (kind !== 'confirm' || mail.isAboutAddress() || ADDRESS_WORDS.test(said))
}

function shown(text: string): string {
  return text
    .replace(/[([<]\s*[)\]>]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}
