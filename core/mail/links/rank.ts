import { comparable } from '../codes/plain.ts'
import { bits, wordsIn } from '../languages/lexicon.ts'

export interface Link {
  url: string
  /** The words of the link, or what stands before it in a text. */
  words: string
}

/** Confirmation links first, links to sign in next, then the others; unsubscribe, legal and social ones last. */
export function rank(links: Link[]): Link[] {
  const graded = links.map((link) => ({ link, grade: gradeOf(link) }))
  return graded.sort((a, b) => b.grade - a.grade).map(({ link }) => link)
}

const CONFIRMS = 3
const SIGNS_IN = 2
const ORDINARY = 1
const LAST = 0

function gradeOf(link: Link): number {
  const url = link.url.toLowerCase()
  const words = kindsIn(link.words)
  if (UNSUBSCRIBE_URL.test(url) || (words & UNSUBSCRIBE) !== 0) return LAST
  const path = /^https?:\/\/[^/?#]*([^?#]*)/.exec(url)![1]!
  if (LEGAL_PATH.test(path)) return LAST
  // What the address says outweighs the words: in a text they may be about something else.
  if (CONFIRM_URL.test(url)) return CONFIRMS
  if ((words & LEGAL) !== 0) return LAST
  if ((words & CONFIRM) !== 0) return CONFIRMS
  if (SIGN_IN_URL.test(url) || (words & SIGN_IN) !== 0) return SIGNS_IN
  return SOCIAL_HOST.test(url) ? LAST : ORDINARY
}

const UNSUBSCRIBE_URL =
  /unsub|opt-?out|preferences|email-?settings|notification-?settings|abmeld|desinscri|desabonn/

const LEGAL_PATH =
  /privacy|datenschutz|impressum|imprint|\/(?:terms|agb|legal|tos|cookies?|gdpr)\b|\/(?:help|support|faq|contact|about|careers)(?:\/|$)/

const CONFIRM_URL =
  /verif|confirm|activat|validat|magic|(?<![a-z])(?:reset|recover|invit|accept|otp|passwordless|one-?time|double-?opt)|[?&#/;](?:[a-z_-]*(?:token|otp|ticket|nonce)|code|oobcode|key|hash)=|finish-?sign|set-?password|(?<![a-z])(?:bestaetig|aktivier|activer|activar|attiva|ativar|bevestig|potwierd|aktywuj|dogrula|onayla|bekraft)/

const SIGN_IN_URL = /(?<![a-z])(?:log-?in|sign-?in|signon|sso|auth(?!or)|session|accounts?\/(?:log|sign))/

const SOCIAL_HOST =
  /^https?:\/\/(?:[a-z0-9-]+\.)*(?:facebook|twitter|x|instagram|linkedin|youtube|tiktok|pinterest|threads|vk|weibo|bsky|discord|t|wa|apps\.apple|play\.google|itunes\.apple|whatsapp|snapchat|reddit|medium|xing)\.(?:com|net|app|gg|me|de|social)(?:[/?#]|$)/

const UNSUBSCRIBE = bits('unsubscribe')
const LEGAL = bits('legal')
const CONFIRM = bits('confirmLink', 'reset', 'invite')
const SIGN_IN = bits('signInLink', 'signIn')

/** What the words of a link speak of, in any language. */
function kindsIn(words: string): number {
  const lower = comparable(words)
  return wordsIn(lower, lower).reduce((kinds, word) => kinds | word.kinds, 0)
}
