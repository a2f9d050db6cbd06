import { findCodeDetails, type SearchedMail } from '../../reading/codes.ts'

/** Returns the values of the codes in a mail. */
export function findCodes(mail: SearchedMail): string[] {
  return findCodeDetails(mail).map(({ value }) => value)
}
