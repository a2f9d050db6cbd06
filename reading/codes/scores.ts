/**
 * The score of each way to present a code. A candidate needs `enough`; candidates that score
 * `margin` less than the best one are dropped.
 */
export const SCORE = {
  /** "Order 482913": a label for another number outweighs all other evidence. */
  otherNumber: -1,
  none: 0,
  enough: 4,
  margin: 2,

  /** "Username: ines", "Password: kX7pQ2mN", beside a code: the reader types it first. */
  signsIn: 7,
  /** "Your code is 482913", "482913 is your code", "@example.com #482913". */
  stated: 6,
  /** Alone on its line, with a noun above it within a few lines. */
  belowNoun: 5.5,
  /**
   * The same with a noun farther up or in the subject, or a candidate that needs a clear
   * introduction.
   */
  farBelowNoun: 5,
  /** "482913 Instagram code": it begins the line and the noun follows. */
  startsLine: 5,
  /** "Enter 482913 to sign in", "482913 を入力してください". */
  requested: 5,
  /** A passphrase, or letters that look like any word, right after a noun. */
  wordCode: 5,
  /** "Verification code for Acme 482913", in a subject. */
  inSubject: 4.5,
  /** Alone on its line, with a noun below. */
  aboveNoun: 4.5,
  /** "Enter 482913." after an explanation of what for. */
  requestedAfterExplanation: 4.5,
  /** No noun: its place and the rest of the mail are the evidence. */
  loneValue: 4,

  /** It occurs twice. */
  again: 0.5,
} as const

/** Mails for verification are shorter, footers included; discussions about codes are longer. */
export const LONG = 4000

/** How far before and after a candidate a noun on the same line may be. */
export const REACH = { before: 160, after: 64 }
