import { findCodeDetails, type SearchedMail } from '../../reading/codes.ts'

/** Returns the values of the codes in a mail. */
export function findCodes(mail: SearchedMail): string[] {
  return findCodeDetails(mail).map(({ value }) => value)
}

/** The same of a text with a subject. */
export function codesBelow(subject: string, text: string): string[] {
  return findCodes({ subject, text, html: null })
}

/** The same of a text alone. */
export function codesIn(text: string, subject = ''): string[] {
  return codesBelow(subject, text)
}
