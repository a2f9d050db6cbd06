import { type EmailFilter, FILTER_NAMES, FILTERS, type Filtered, type FilterName } from './filter.ts'

/** A filter that an email does not match, and why, as a sentence for people. */
export interface Mismatch {
  filter: FilterName | 'since'
  text: string
}

/**
 * Returns why an email does not match: an entry for each filter that refuses it, such as `“Welcome” does not contain
 * “Confirm”`; none if it matches.
 * @param after the id that its id must exceed
 */
export function mismatches(
  email: Filtered & { id: string },
  filter: EmailFilter,
  after: string | undefined,
): Mismatch[] {
  const found: Mismatch[] = FILTER_NAMES.flatMap((name) => {
    const value = filter[name]
    const { accepts, mismatch } = FILTERS[name]
    return value === undefined || accepts(email, value)
      ? []
      : [{ filter: name, text: mismatch(email, value) }]
  })
  if (after !== undefined && email.id <= after) {
    found.push({ filter: 'since', text: 'it arrived before the email or time that since names' })
  }
  return found
}
