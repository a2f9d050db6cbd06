import type { Verification } from '../../core/access/verification.ts'

export type { Verification }

/** The record that makes a domain private is wanted only by who wants that; it has a section of its own. */
export function keyRecord({ domain, records }: Verification): Verification['records'][number] | undefined {
  return records.find(({ type, name }) => type === 'TXT' && name === `_mayfly.${domain}`)
}

/** The records without which no mail comes. */
export function neededRecords(verification: Verification): Verification['records'] {
  const optional = keyRecord(verification)
  return verification.records.filter((record) => record !== optional)
}
