/**
 * The meanings of a word in a mail, in the order of the bits of the compiled lexicon.
 * docs/codes.md describes the notation of the words and shows an example.
 */
export const WORD_KINDS = [
  /** A code of any kind. Its neighbours decide whether it is a verification code. */
  'code',
  /** A password. It counts only if the value follows directly. */
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
  /** Beside `code`, like `confirm`: access, entry. */
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
  /** Payments, likewise. */
  'receipt',
  /** Postal addresses, likewise. */
  'address',
] as const

export type WordKind = (typeof WORD_KINDS)[number]

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
  /** Everything else. Not every language has such words. */
  'other',
] as const

export type OtherCode = (typeof OTHER_CODES)[number]

/** The meanings of a link or of the text around it. The words are pieces of regular expressions. */
export const LINK_KINDS = [
  /** To confirm or activate something; not that it was done. */
  'confirm',
  'signIn',
  /** To choose a new password. */
  'reset',
  /** The reader is invited; not "invite your friends". */
  'invite',
  /** To accept an invitation. It says nothing alone. */
  'join',
  /** "If it was not you …": the link that follows undoes something. */
  'deny',
  /** A subject that reports a past event: a changed password, a new sign-in. */
  'report',
  'unsubscribe',
  /** Privacy, terms, imprint, "view in browser". */
  'legal',
] as const

export type LinkKind = (typeof LINK_KINDS)[number]

/** The words of one language, as its file in `languages/` lists them. */
export interface Language {
  words: Partial<Record<WordKind, string[]>>
  otherCodes: Partial<Record<OtherCode, string[]>>
  /** Each value is a piece of a regular expression over `folded` text. */
  links: Partial<Record<LinkKind, string>>
}
