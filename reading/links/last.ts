import type { Phrases } from './phrases.ts'

/**
 * Whether the address is never the purpose of a mail: to unsubscribe, or a page that every footer
 * links.
 */
export function isLastAddress(url: string): boolean {
  return (
    UNSUBSCRIBE_URL.test(url) ||
    CALENDAR.test(url) ||
    (LEGAL_PATH.test(splitAddress(url).path) && !CONFIRMS.test(url))
  )
}

/** The same of folded words. */
export function isLastWords(words: string, phrases: Phrases): boolean {
  return phrases.says('unsubscribe', words) || phrases.says('legal', words)
}

/** The path of an `http(s)` URL, and the path with its query and fragment. */
export function splitAddress(url: string): { path: string; rest: string } {
  const [upToPath = '', path = ''] = /^https?:\/\/[^/?#]*([^?#]*)/.exec(url) ?? []
  return { path, rest: url.slice(upToPath.length - path.length) }
}

const UNSUBSCRIBE_URL =
  /unsub|opt-?out|preferences|email-?settings|notification-?settings|abmeld|desinscri|desabonn/

/** An event, and the answers to its invitation: "Yes", "Maybe", "No". */
const CALENDAR = /^https?:\/\/calendar\.google\.com\/calendar\//

const LEGAL_PATH =
  /privacy|datenschutz|impressum|imprint|\/answer\/\d+$|\/(?:terms|agb|legal|tos|cookies?|gdpr)\b|\/(?:help|support|faq|contact|about|careers)(?:\/|$)/

/** "/about/subscription?confirm_code=8f2c…" */
const CONFIRMS = /[?&](?:confirm|verif|activat)[a-z_]{0,20}=[^&#]{6}/

/** Social networks and shops of apps, but not the hosts by which they count the clicks in their own mails. */
export const APPS_AND_SOCIAL =
  /^https?:\/\/(?!(?:clicks?|links?|lnk|track\w*|url\d*|post|e?mail|em|go|notif\w*|news|info|ablink)\.)(?:[a-z0-9-]+\.)*(?:facebook|twitter|x|instagram|linkedin|youtube|tiktok|pinterest|threads|vk|weibo|bsky|discord|t|wa|apps\.apple|play\.google|itunes\.apple|whatsapp|snapchat|reddit|medium|xing|steamcommunity|twitch)\.(?:com|net|app|gg|me|de|social|tv)(?:[/?#]|$)/

/** The page of a program where its sources are, or of its author, but not "github.com/password_reset/8f2c…". */
export const REPOSITORY =
  /^https?:\/\/(?:github|gitlab|bitbucket|codeberg)\.(?:com|org)\/(?!(?:password_reset|users|account|login|join|signup|invitations|notifications|settings|sessions|-)(?:[/?#]|$))(?:[^/?#]+\/)?[^/?#]+\/?(?:#|$)/
