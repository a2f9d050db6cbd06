/**
 * What languages say around codes. Each value is a piece of a regular expression over lower-case text, without
 * nested repetition. Mails do not tell their language, so all rows are tried at once: a word that means
 * something else in another language must not be added alone.
 */
export interface Language {
  /** A code of whatever kind. It counts as one for verification only by what stands around it. */
  code?: string
  /** What can only be a verification code. */
  verificationCode?: string
  /** Beside `code`: makes it a verification code. */
  proves?: string
  /** Beside `code`: makes it one, unless the mail is about a booking or a meeting. */
  mayProve?: string
  /** Beside `code`: makes it something else. */
  otherwise?: string
  /** Tells that the mail is about signing in or confirming something. */
  purpose?: string
  /** Before `code`: this one is meant for the reader. */
  yours?: string
  /** Between the words and the code, or right before the code. */
  is?: string
  /** Right before the code: what the reader is to do with it. */
  enter?: string
  /** Before a number: it numbers something else. */
  names?: string
  /** After a number: it counts something. */
  unit?: string
}
