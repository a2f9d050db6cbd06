/**
 * The meanings of a word in a mail, in the order of the bits of the compiled lexicon.
 * docs/codes.md describes the notation of the words and shows an example.
 */
export const WORD_KINDS = [
  /** A code of any kind. Its neighbours decide whether it is a verification code. */
  'code',
  /**
   * A password. It counts only if the value follows directly. A word that is also one of `access` ("pass") is a
   * password only as a label below that of a user.
   */
  'password',
  /** A key or token. It counts only beside `verify`, `signIn` or `secret`. */
  'key',
  /** A word that can only mean a verification code: "one-time password". */
  'verificationCode',
  /** To verify, authenticate, activate. Beside `code`: a verification code. */
  'verify',
  /**
   * To confirm. Beside `code`: a verification code, unless the mail is about a booking or a
   * meeting.
   */
  'confirm',
  /** To sign in or sign up. Beside `code`: a verification code. */
  'signIn',
  /** To reset or recover a password. Beside `code`: a verification code. */
  'reset',
  /** Beside `code`: security, one-time, 6-digit. */
  'secret',
  /** Beside `code`, like `confirm`: access, entry, the deletion of an account. */
  'access',
  /** Other phrases that say that the mail is about proving who the reader is. */
  'purpose',
  /** Beside `code`: an invitation code, which a sign-up form asks for. */
  'invitation',
  /** Before `code`: the code is meant for the reader. */
  'yours',
  /**
   * Between noun and code: "is", "as follows"; after the code: "is". Counts with nouns of its
   * language.
   */
  'is',
  /** Right before the code: "enter". */
  'enter',
  /** Right after the code, where the verb comes last: "girin". */
  'enterAfter',
  /** Before a number: a number of another kind, as in "order", "phone". */
  'otherNumber',
  /** Units of time up to days, after a number. */
  'time',
  /** Other units and currencies, after a number. */
  'unit',
  /** Warnings of mails with codes: "do not share", "if you did not request", "valid for". */
  'warning',
  /** Discounts and vouchers, which have codes of their own. */
  'offer',
  /** Bookings and travel, likewise. */
  'booking',
  /** Meetings to dial in to, likewise. */
  'meeting',
  /** Payments and confirmed orders, likewise. */
  'receipt',
  /** Postal addresses, likewise. */
  'address',
  /** Beside a code: it is old, expired, used or replaced. */
  'stale',
  /** Before a code: it is old, as in "replaces", "instead of". */
  'replacedNext',
  /** Behind a code: it is old, as in "yerine", where the word for "instead of" follows. */
  'replacedBefore',
  /** Beside a value in quotes: it is the name of a user or of an account, and no password. */
  'user',
  /** Before a password: it is that of a wireless network. The words are the same in most languages. */
  'network',
] as const

export type WordKind = (typeof WORD_KINDS)[number]

/** Index of the language whose words belong to every language. */
export const INTERNATIONAL = 0

/** Bit of the words that make a code one of another kind, after the bits of `WORD_KINDS`. */
export const OTHER_CODE = 1 << WORD_KINDS.length

/** The meaning of a word in one language. */
export interface Meaning {
  language: number
  /** A set of kinds as bits, in the order of `WORD_KINDS`. */
  kinds: number
  /** How the word has to be written if case or accents count, otherwise null. */
  exactly: string | null
}

/**
 * Kinds of codes that are never verification codes: beside one of their words, `code` is a code of
 * another kind. Every language has words for each kind, because gaps between languages make their
 * mails read differently.
 */
export const OTHER_CODES = [
  'postal',
  'promotion',
  'referral',
  'booking',
  'order',
  'customer',
  'invoice',
  /** A report, a support case, an incident. */
  'report',
  /** An asset, an inventory number, the serial number of a device. */
  'asset',
  'product',
  'error',
  /** Countries, areas, dialling codes. */
  'country',
  /** The licence of a program, which proves that it was bought. */
  'licence',
  /** Everything else. Not every language has such words. */
  'other',
] as const

export type OtherCode = (typeof OTHER_CODES)[number]

/** The meanings of a link or of the text around it. The words are pieces of regular expressions. */
export const LINK_FIELDS = [
  /** To confirm or activate something; not that it was done. */
  'confirm',
  /** The noun, and finishing a sign-up: beside `mailbox` or `account` it means `confirm`. */
  'confirming',
  'signIn',
  /** To choose a new password. */
  'reset',
  /** The reader is invited; not "invite your friends". */
  'invite',
  /** To accept an invitation. It says nothing alone. */
  'join',
  /** To let somebody in. Beside `signIn` or `device` it means `confirm`. */
  'approve',
  /** What a reader signs in with, or from: a device, a browser. It matches inside of words. */
  'device',
  /** Without a password. With an address that was made for the reader it means `signIn`. */
  'passwordless',
  /** Beside `password`: until the reader sets another one, and no code for one time. Matches inside of words. */
  'temporary',
  /** "If it was not you …": the link that follows undoes something. */
  'deny',
  /** A subject that reports a past event: a changed password, a new sign-in. */
  'report',
  'unsubscribe',
  /** Privacy, terms, imprint, "view in browser". */
  'legal',
  /** A password. With `change` it means a reset, with `changed` a report. Matches inside of words. */
  'password',
  /** An e-mail address, and an account or a subscription. They match inside of words. */
  'mailbox',
  'account',
  /** To change, set, forget or renew, and "new": beside `password` the words mean a reset. */
  'change',
  /** It was changed: beside `password` or `mailbox` the words report it. */
  'changed',
  /** It was created: beside `account` the words announce a new account. */
  'created',
  /** A code that is typed and not clicked, as the text around links calls it. */
  'code',
  /** For readers whose button does not work. */
  'fallback',
  /** Something that is bought, booked, met, declined or reported: never the action. */
  'other',
  /** Both answers to one question, of which the first one is the action. */
  'either',
  /** Words that say only that this is a link: "click", "here", "continue". Each is a whole word. */
  'generic',
  /** What a link is called: a link, a page, an address, a button. */
  'page',
  /** "This", "the following", "below": beside `page` the words lead to a link. */
  'below',
  /** To click. Beside `page` or `here` it leads to a link. */
  'click',
  'here',
  /** More about something, help, a guide: a link for these is not the one that was asked for. */
  'more',
  /** Before the colon of a subject in a conversation: "Re". */
  'reply',
  /** The label of the subject above an earlier message that is answered or forwarded. */
  'subject',
  /** At the start of a subject that asks, though its other words may report something. */
  'request',
  /** Joins two codes of one sentence: "and", "or". */
  'and',
  /** A subject about what a person wrote: a comment, a private message. */
  'comment',
  /** A code or a password of the one who writes: "my code". */
  'mine',
] as const

export type LinkField = (typeof LINK_FIELDS)[number]

/** What the texts around links are asked for. Some are made of several fields. */
export const SEARCHED_KINDS = [
  'confirm',
  'signIn',
  'reset',
  'invite',
  'join',
  'approve',
  'device',
  'passwordless',
  'deny',
  'report',
  'unsubscribe',
  'legal',
  'code',
  'fallback',
  'other',
  'either',
  'password',
  /** A password and the wish to change it. */
  'passwordChange',
  /** Confirming an address or an account, as nouns. */
  'addressConfirm',
  /** An address and the wish to change it. */
  'addressChange',
  /** A password or an address was changed. */
  'notice',
  /** An address, an account or a subscription. */
  'address',
  /** The second words of these pairs, wherever they are: without one no pair is searched for. */
  'confirming',
  'change',
  'changed',
  'created',
  'generic',
  'reply',
  'request',
] as const

export type SearchedKind = (typeof SEARCHED_KINDS)[number]

/** All that a text can be asked for: behind the searched kinds those that only short texts are asked for. */
export const LINK_KINDS = [
  ...SEARCHED_KINDS,
  'subject',
  'and',
  'temporary',
  'comment',
  'mine',
  'mailbox',
  'page',
  'pageBelow',
  'more',
] as const

export type LinkKind = (typeof LINK_KINDS)[number]

/**
 * Characters of the texts with which the matches of these expressions begin (link-beginnings.ts). Longer ones need a
 * larger table, which costs as much as the searches that they spare.
 */
export const BEGINNING_MAX = 4

/** The words of one kind as two regular expressions: with Latin letters, and without any. */
export interface LinkPatterns {
  latin: string
  other: string
}

/** The words of one language, as its file in `languages/` lists them. */
export interface Language {
  words: Partial<Record<WordKind, string[]>>
  otherCodes: Partial<Record<OtherCode, string[]>>
  /** Each value is a piece of a regular expression over `folded` text. */
  links: Partial<Record<LinkField, string>>
}
