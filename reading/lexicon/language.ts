/**
 * All words of one language that say something about a code or a link. To add a language, write a file with
 * these and name it in index.ts. For codes, the minimum is `code`, `verify`, `signIn`, `yours`, `is` and `enter`.
 *
 * Words stand in lower case, separated by commas or line breaks. Case and accents do not count, and a space also
 * stands for a dash or a line break.
 * - `verif*`: whatever the word ends with, also inside of a phrase; `*code`: whatever it begins with.
 * - `PIN`: a word in capitals counts in capitals only, for "pin" means more.
 * - `=mã`: counts with its accents only.
 *
 * Mails do not tell their language, so all languages are looked for at once: a short word that means something
 * else in another language belongs only where it has company (`is`, `enter`, `yours`), or into a phrase.
 */
export interface Language {
  /** A code of whatever kind, with its endings. It counts as one for verification by what stands around it. */
  code?: string
  /** A password. It counts only where the value follows at once. */
  password?: string
  /** A key or token; counts only with `verify`, `signIn` or `secret` beside it. */
  key?: string
  /** What can only be a verification code: "one-time password". */
  verificationCode?: string

  /** To verify, to authenticate, to activate. Beside `code`: a verification code. */
  verify?: string
  /** To confirm. Beside `code` it makes a verification code, unless the mail is about a booking or a meeting. */
  confirm?: string
  /** To sign in, to sign up. Beside `code`: a verification code. */
  signIn?: string
  /** To reset or recover a password. Beside `code`: a verification code. */
  reset?: string
  /** Beside `code`: security, one-time, 6-digit. */
  secret?: string
  /** Beside `code`, like `confirm`: access, entry. */
  access?: string
  /** More that says: this mail is about confirming who you are. */
  purpose?: string
  /** Beside `code`: something else, as in "postal code". */
  otherwise?: string
  /** Before `code`: this one is meant for the reader. */
  yours?: string

  /** Between the noun and the code: "is", "as follows"; after the code: "is", "as". Only with nouns of this language. */
  is?: string
  /** Right before the code: "enter". */
  enter?: string
  /** Right after the code, where the verb comes last: "girin". */
  enterAfter?: string
  /** Before a number: it numbers something else, as in "order", "phone". */
  names?: string
  /** Units of time up to days; after a number. */
  time?: string
  /** Other units and currencies; after a number. */
  unit?: string
  /** What mails with codes warn of: "do not share", "if you did not request", "valid for". */
  warns?: string

  /** Mails that have codes of their own: discounts, */
  offer?: string
  /** bookings and travel, */
  booking?: string
  /** meetings to dial in to, */
  meeting?: string
  /** payments, */
  receipt?: string
  /** and postal addresses. */
  address?: string

  /** What links and the text around them say. */
  links?: LinkWords
}

/**
 * What a language says of links. Each value is a piece of a regular expression over lower-case text; accents may
 * stand there and do not count. A piece matches at the beginning of a word in scripts with spaces between words.
 */
export interface LinkWords {
  /** To confirm or to activate something; not that it was done. */
  confirm?: string
  sign_in?: string
  /** A new password. */
  reset?: string
  /** Somebody is invited; not "invite your friends". */
  invite?: string
  /** What one does with an invitation. It says nothing alone. */
  join?: string
  /** "If it was not you …": what follows undoes something. */
  deny?: string
  /** A subject that reports what is over: a password that was changed, a new sign-in. */
  report?: string
  unsubscribe?: string
  /** Privacy, terms, imprint, "view in browser". */
  legal?: string
}
