import type { ActionKind } from '../message.ts'
import { APPS_AND_SOCIAL, REPOSITORY, splitAddress } from './last.ts'

/** The evidence in the address of a link. */
export interface Address {
  kinds: Set<ActionKind>
  /** It has a value made for this reader. */
  hasToken: boolean
  /** That value is long, or has a name that says so. */
  hasLongToken: boolean
  /**
   * It has no such value, but may have been made for this reader: "/reset-password?email=ines@acme.example",
   * "/password/reset/jgdgzwrlgc".
   */
  mayBeOwn: boolean
  /** It leads to the front page of a site. */
  isHome: boolean
  /** Nothing in it says that it was made for this reader or for an action. */
  isPlainPage: boolean
  /** A page where every reader signs in. */
  isSignInPage: boolean
  /** A page where every reader signs in or signs up. */
  isEntryPage: boolean
  /** Nothing but the path of such a page says what it is for, though it has a token. */
  isSignInPath: boolean
  /** It has a value made for this reader and the word "magic", as in "/users/magic/8f2c…". */
  saysMagic: boolean
  /** It has a value made for this reader, and says that an account is created there. */
  signsUp: boolean
}

/**
 * Of kinds with equal evidence the earlier one counts, because "confirm" is often beside another
 * one.
 */
export const KINDS: readonly ActionKind[] = ['reset', 'invite', 'sign_in', 'confirm']

/**
 * Returns the evidence in an address in lower case; null if it is never the action. `Link` asks `isLastAddress` first.
 * @param holdsCode one of its values is a code of the mail, or letters in no order
 */
export function readAddress(url: string, holdsCode = false): Address | null {
  const { path, rest: whole } = splitAddress(url)
  if (REPOSITORY.test(url) || (HELP.test(url) && !NAMED_TOKEN.test(url) && !OWN_SEGMENT.test(path)))
    return null
  if (MAY_BE_NO_ACTION.test(path) && isNoAction(path, url)) return null
  if (MAY_BE_OFFER.test(whole) && (PROMOTION.test(whole) || !NAMED_TOKEN.test(whole))) return null
  const own = whole.includes('utm_') ? whole.replace(CAMPAIGN, '') : whole
  const rest = own.includes(';') ? own.replace(SEMICOLON, '&') : own
  const untitled = rest.includes('-') ? rest.replace(TITLE, '') : rest
  // An article for every reader, with its number.
  if (untitled !== rest && !LONG_TOKEN.test(untitled)) return null
  const kinds = new Set(KINDS.filter((kind) => IN_ADDRESS[kind].test(untitled)))
  // Without a word for an action in the address, the words of the link say whether it is the answer "no".
  if (kinds.size > 0 && rest.includes('=') && REFUSES.test(rest)) return null
  const hasToken = holdsCode || hasOwnValue(rest)
  // One address for everyone who wants to join, and one where the reader invites somebody.
  if (kinds.has('invite') && INVITES_OTHERS.test(rest)) kinds.delete('invite')
  // "/password-reset/confirm": a reset is confirmed, and no address.
  if (kinds.has('reset')) kinds.delete('confirm')
  // "/login/verify-magic-link": such a link signs in, whatever is verified.
  const isMagic = untitled.includes('magic') && MAGIC_LINK.test(untitled)
  if (isMagic) kinds.delete('confirm')
  // "?do=register&magic_url=…": that value may be for anything that the address names.
  const signsUp = hasToken && SIGN_UP.test(untitled)
  if (isMagic && (signsUp || kinds.has('reset'))) kinds.delete('sign_in')
  // "/profile?action=change_email&key=…": a change of an address is confirmed.
  if (hasToken && kinds.size === 0 && ADDRESS_CHANGE.test(rest)) kinds.add('confirm')
  // Every footer links such sites, which also send mails of their own.
  if (!(hasToken && OWN_KINDS.some((kind) => kinds.has(kind))) && APPS_AND_SOCIAL.test(url)) return null
  const isSignInPath = hasToken && kinds.size === 0 && SIGN_IN_PATH.test(rest)
  if (isSignInPath) kinds.add('sign_in')
  if (!hasToken && (REQUEST_FORM.test(path) || LIST.test(rest))) return null
  const isSignInPage = !hasToken && SIGN_IN_PATH.test(rest)
  return {
    kinds,
    hasToken,
    hasLongToken: hasToken && (holdsCode || LONG_TOKEN.test(rest)),
    mayBeOwn: !hasToken && path.includes('reset') && (OWN_ADDRESS.test(rest) || OWN_LETTERS.test(path)),
    isHome: !hasToken && HOME.test(rest),
    isPlainPage: !hasToken && kinds.size === 0,
    isSignInPage,
    isEntryPage: isSignInPage || (!hasToken && SIGN_UP.test(rest)),
    isSignInPath,
    saysMagic: hasToken && kinds.has('sign_in') && rest.includes('magic'),
    signsUp,
  }
}

/** Whether a path says that the page is no action, unless its query says otherwise. */
function isNoAction(path: string, url: string): boolean {
  if (ACTION_IN_QUERY.test(url) && NAMED_TOKEN.test(url)) return false
  if (OTHER_PATH.test(path) || (SETTINGS_PATH.test(path) && !OWN_CODE.test(url))) return true
  return CONTENT_PATH.test(path) && !NAMED_TOKEN.test(url) && !CONFIRMS_CONTENT.test(path)
}

/**
 * Whether an address has a value made for its reader. The digits of an encoded character belong to none. A page with a
 * number is for every reader: "/event-6", "/spring-sale-2026".
 */
function hasOwnValue(rest: string): boolean {
  const decoded = rest.includes('%') ? rest.replace(/%[0-9a-f]{2}/g, '-') : rest
  if (!TOKEN.test(decoded)) return false
  const unnumbered = decoded.replace(NUMBERED_PAGE, '/')
  return unnumbered === decoded || TOKEN.test(unnumbered)
}

/** What a sender counts clicks by says nothing of the page: "?utm_campaign=login-code". */
const CAMPAIGN = /(?<=[?&])utm_[a-z]{1,20}=[^&#]*&?/g

/** "?action=verify;code=8f2c…" */
const SEMICOLON = /(?<=\?[^#]{0,320});(?=[a-z_]{1,20}=)/g

const NUMBERED_PAGE = /\/[a-z]{3,30}(?:-[a-z]{1,30}){0,4}(?:-\d{1,3}|-?(?:19|20)\d\d)(?=[/?#]|$)/g

const OWN_ADDRESS = /[?&](?:e?-?mail|user|username|login)=[^&#]{1,64}(?:@|%40)[^&#]/

/** Letters as no word has them behind the path for a new password. */
const OWN_LETTERS = /reset[a-z_-]{0,16}\/(?=[a-z]{0,36}(?:[^aeiouy/]{5}|q[^u]))[a-z]{8,40}\/?$/

/** Articles for every reader, unless the path names an action and ends with letters and digits as no title has them. */
const HELP = /^https?:\/\/(?:help|docs)\./
const OWN_SEGMENT =
  /(?:password|credential|verif|confirm|activat)[^?#]{0,120}\/(?=[a-z\d]*\d[a-z]*\d)(?=\d*[a-z]+\d)[a-z\d]{12,64}\/?$/

const HOME = /^\/?(?:[?#].*)?$|^\/(?:[a-z]{2}(?:-[a-z]{2})?|home|index\.\w+)\/?$/

const OTHER_PATH =
  /(?:^|[/_-])(?:orders?|offers?|coupons?|deals?|promo\w*|shop|store|checkout|cart|booking|reservation|check-?in|boarding-?pass|report|listinfo|meetup-join)(?:[/_.-]|$)|(?:^|[/:_-])(?:decline|cancel|reject|revoke|deny|invalidate|dismiss|disavow|re-?activate)|verification\/block\/|\/checkouts\/[^?#]{1,80}\/recover(?:\/|$)|(?:^|[/:_-])(?:block|mute)[-_]?(?:invit\w*|senders?|e?mails?)(?:[/?&=]|$)/

/** Where every reader sets up a second factor; with a code in its query, it takes the second step of one reader. */
const SETTINGS_PATH = /(?:^|[/_-])(?:two-factor|two-step|2fa)(?:[/_.-]|$)/
const OWN_CODE = /[?&](?:token|otp|code)=[^&#]{4}/

/** A page for every reader or for a team, as "/tasks/8f2c…", unless its query has a token: "/news/42?token=…". */
const CONTENT_PATH =
  /(?:^|[/_-])(?:blog|news|articles?|posts?|docs?|how-to|tasks?|issues?|incidents?|user-?guide)(?:[/_.-]|$)/

/** One search for all three, because most paths are of another kind. */
const MAY_BE_NO_ACTION = new RegExp(
  [OTHER_PATH, SETTINGS_PATH, CONTENT_PATH].map(({ source }) => source).join('|'),
)

/** "/order-history/?edd_action=verify_user&token=…" */
const ACTION_IN_QUERY = /[?&][a-z_]{0,16}action=verify[_-]?(?:user|account|e-?mail)(?:&|$)/

/** "/news/confirm/8f2c…" confirms that the news are wanted. */
const CONFIRMS_CONTENT = /\/(?:confirm|verify|activate|subscribe)[a-z]{0,6}\/[^/]{6}/
const NAMED_TOKEN = /[?&][a-z_]{0,20}(?:token|nonce|signature|hash|key)=[^&#]{12}/

/** "?newuseremail=…" and "?adminhash=…" are WordPress's. */
const ADDRESS_CHANGE =
  /(?:change|update)[-_]?e?-?mail|e?mail[-_]?(?:change|update)|[?&](?:newuseremail|adminhash)=/

/** Actions on the site of a social network. Its invitations are those of a group or a channel. */
const OWN_KINDS = ['confirm', 'reset', 'sign_in'] as const

/** "/invite?token=…&action=reject": the answer "no". */
const REFUSES =
  /[?&](?:action|answer|choice|decision|do|mode|op|operation|reply|response|result|state|status|type)=(?:reject|decline|deny|refuse|cancel|revoke)(?:&|$)/

const PROMOTION = /[?&]promo\w*=/
/** A promotion, or an answer to an invitation. */
const MAY_BE_OFFER = /[?&](?:promo\w*|rsvp)=/

/** A page that lists something for every reader. */
const LIST = /[?&](?:sort|status|page|filter|order_?by)=/

/** The name of a parameter whose value was made for this reader. */
const SECRET =
  '[?&#](?:[a-z_]*(?:token|otp|ticket|nonce|secret|signature|hash|key|code)(?:_[a-z]{1,8})?|t|k|c)='

const LONG_TOKEN = new RegExp(
  String.raw`[/=#](?=[\w.~%+-]*\d)[\w~%+-][\w.~%+-]{14,}(?:[/?&#=]|$)(?<!\.\w{2,4})|\?eyj[\w.-]{20,}$|\.[\da-f]{16,}(?:&|$)|${SECRET}[^&]{6,}`,
)

/** A form in which a reader asks for another mail: "/passwords/new". */
const REQUEST_FORM =
  /(?:password|confirmation|verification|unlock)s?\/(?:new|resend)\/?$|(?:forgot|forgotten|lost)[-_]?password\/?$/

/** A title as a part of the path: "/how-to-reset-the-lock". */
const TITLE =
  /\/(?:(?=[a-z\d-]{0,60}(?<![a-z])(?:how|why|what|when|the|is|are|and|for|of|with)(?![a-z]))(?:[a-z\d]{1,24}-){2,12}|(?:[a-z]{1,24}-){4,12})[a-z\d]{1,24}(?=[/?#]|$)/g

/** The words that programs use in addresses; they are English nearly everywhere. */
const IN_ADDRESS: Record<ActionKind, RegExp> = {
  reset:
    /(?:reset|recover|restore|forgot(?:ten)?|lost|set|new|change|choose|create)[-_]?(?:your[-_]?)?(?:my[-_]?)?(?:pass|pwd|psw|pw(?![a-z]))|resend[-_]?(?:pass|pwd)|(?:reset|recover|forgot)[-_]?(?:log-?in|account|access)|(?:pwd|psw|pass(?:word|wd|wort)?s?)[/_-]?(?:reset|recover|edit|new|change|forgot)|pw[-_]?reset|(?:^|[/?&=_-])(?:reset|recover|recovery)(?:[/?&=_.-]|$)|\/forgotten\/?\?(?:[^#]{0,80}&)?(?:code|token|key)=|mode=resetpassword|account[-_]?recovery|type=recovery|action=rp(?:&|$)|senha|contrasen[ay]|mot-?de-?passe|passwort|kennwort|wachtwoord|lozink|zaporka|heslo|salasana|passord|losenord|adgangskode|sifre|haslo|jelszo|geslo|parool|kata-?sandi|mat-?khau|(?:^|[/?&=_-])mdp(?:[/?&=_.-]|$)|^\/pw\//,
  invite:
    /(?:^|[/?&=#_-])(?:(?:accept|user|team|member)[-_]?)?(?:invit(?:e|es|ed|ation|ations)|invitations?)(?![_-]e?mail=)(?:[/?&=_.-]|$)|(?:^|[/?&=#_-])(?:invito|invitacion|convite|einladung|uitnodiging|zaproszenie|pozvank[ay]|pozvanie|povabilo|davet|inbjudan|invitasjon|invitere|kutsu|meghivo|invitatie|priglashenie|zaproshennya|undangan|loi-moi|kutse|kvietimas|ielugums)(?:[/?&=_.-]|$)|\/acceptinvitationtojoin|join[-_]?(?:team|workspace|org)|\/(?:members?(?:hip)?|teams?|groups?)\/accept(?:[/?]|$)/,
  sign_in:
    /magic[-_]?(?:link|url|login|sign|auth)?|passwordless|one[-_]?time[-_]?(?:login|sign)|(?:login|sign[-_]?in|signin|email[-_]?(?:link|login))(?:[-_/]?(?:token|link|code|callback|verify))|mode=signin|action=sign_?in|operation=login|otp[-_]?login/,
  confirm:
    /(?:^|[/?&=#._-])(?:re)?(?:verif(?:y|ication|ied?)|confirm(?:ation|ed)?(?!-?_?n(?:umber|o)(?![a-z]))|activat(?:e|ion)|validat(?:e|ion)|opt-?in|double-?opt-?in|bestaetig\w*|aktivier\w*|activer|activar|confirmar|verificar|attiva|ativar|bevestig\w*|potwierd\w*|aktywuj|dogrula\w*|onayla|bekreft\w*|bekraeft\w*|bekrafta|vahvist\w*|epivevaios\w*|podtverzh?d\w*|pidtverd\w*|potvarzhd\w*|potrdi\w*|kinnita\w*|apstiprin\w*|patvirtin\w*|stadfest\w*|xac-?(?:nhan|thuc|minh)|potvrd\w*|potvrzen\w*|overen\w*|overit|confirmer|confirmac\w*|verifier|verifica|conferma|konfirmasi|verifikasi|megerosit\w*|aktivac\w*|aktival\w*|aktiver\w*)[a-z]{0,9}(?:[/?&=_.-]|$)|(?:verify|confirm|activate|validate)[-_]?(?:e?-?mail|account|user|address|registration|signup)|(?:e?mail|account|user)[-_]?(?:verif|confirm|activat|validat)\w*|\/(?:users?|accounts?|members?)\/active\/?\?|mode=verifyemail|type=(?:signup|email)\b|(?:approve|allow|authori[sz]e|trust)[-_]?(?:this[-_]?)?(?:device|browser)|(?:device|browser)s?[/_-](?:approv(?:e|al)|allow|authori[sz](?:e|ation)|trust)/,
}

const INVITES_OTHERS = /\/shared_invite\/|send[-_]?invite|(?:people|friends|contacts)\/invite/

/** "/merchant-signup/8f2c…", "/user/create/8f2c…", "/auth/new/8f2c…". */
const SIGN_UP =
  /(?:^|[/?&=#_-])(?:register|registration|sign-?up|registeraccount)(?:[/?&=_.:-]|$)|\/(?:users?|accounts?|members?|auth)\/(?:new|create)(?:[/?]|$)|create[-_]?(?:account|user|profile)/

const MAGIC_LINK = /magic[-_]?(?:link|url|login|sign)/

/** A plain way to sign in. With a token it is a link made for this reader. */
const SIGN_IN_PATH = /(?:^|[/?&=#_-])(?:log-?in|sign-?in|signon|sso|auth(?:enticate)?|session)(?:[/?&=_.-]|$)/

/**
 * A value too random to be typed, as a part of the query or of the path. Templates of tests and
 * docs count ("{{token}}"), and so do short random values with digits and letters. Long words that
 * dashes join are a title.
 */
const TOKEN = new RegExp(
  [
    String.raw`[/=#:](?=[\w.%+-]*\d)(?=[\w.%+-]*[a-z])[\w.%+-]{6,}(?:[/?&#=]|$)|[/=]\d{1,9}![a-z\d]{8,}`,
    `${SECRET}[^&]+`,
    String.raw`\?eyj[\w.-]{20,}$|[/=]\d{5,}(?:[/?&#]|$)|(?:&|\.(?=\d*[a-f]))[\da-f]{16,}(?:&|$)|[/=](?=[\w-]{20,}(?:[/?&#]|$))(?:[\w-]*\d|[a-z]{20})`,
  ].join('|'),
)
