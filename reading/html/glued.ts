/** Letters and digits of at least four characters, or digits in groups. */
const VALUE = /^(?=[A-Za-z -]*\d)(?:[A-Za-z\d]+(?:-[A-Za-z\d]+){0,4}|\d{2,4}(?: \d{2,4}){1,3})$/
const SHORTEST = 4
const LONGEST = 24
/** Digits as few names and passwords have them, or in groups. */
const NUMBER = /^(?:\d{6,8}|\d{3} \d{3}|\d\d \d\d \d\d|\d{4} \d{4})$/
/** The first of several words. */
const FIRST_WORD = /^\p{L}{2,16},? /u
/** The only word of an element. */
const ONLY_WORD = /^\p{Ll}{2,16}$/u
/** Before a number, the last of several words; but not the beginning of a password or of a user's name. */
const LAST_WORD = /[\p{L}\p{N},.!] (?:\p{Lu}?\p{Ll}{2,16}|PIN|OTP)$/u
/** Nothing but a greeting. */
const GREETING = /^\s*(?:hi|hello|hey|dear) \p{L}+$/iu

/**
 * Whether the text of two elements belongs apart although no blank is between them: "Your code is<b>482913</b>and it".
 * A browser shows them side by side, and their style keeps them apart.
 * @param before the end of the text of one element
 * @param text the text of the next one
 */
export function belongApart(before: string, text: string): boolean {
  if (NUMBER.test(text)) return LAST_WORD.test(before) && !GREETING.test(before)
  return isValue(before) && (FIRST_WORD.test(text) || (NUMBER.test(before) && ONLY_WORD.test(text)))
}

function isValue(text: string): boolean {
  return text.length >= SHORTEST && text.length <= LONGEST && VALUE.test(text)
}
