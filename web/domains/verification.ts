import type { Verification } from '../../core/access/verification.ts'

export type { Verification }

/** The record that makes the domain private. It is optional and has its own section. */
export function keyRecord({ domain, records }: Verification): Verification['records'][number] | undefined {
  return records.find(({ type, name }) => type === 'TXT' && name === `_mayfly.${domain}`)
}

/** The records that the domain needs to receive mail. */
export function neededRecords(verification: Verification): Verification['records'] {
  const optional = keyRecord(verification)
  return verification.records.filter((record) => record !== optional)
}

/** What the result of a verification means for mail, as one sentence. */
export function summaryOf({ domain, status, verified }: Verification): string {
  if (status === 'pending') return `${domain} is waiting for the mail provider to confirm ownership`
  if (status === 'unverified') return `Add this MX record to receive mail for ${domain} here`
  return verified
    ? `${domain} receives mail here`
    : `${domain} is registered here, but its MX record does not point here`
}

/** The domain in what was pasted: a URL, an address, or a name with a dot at its end. */
export function domainIn(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/^[a-z]+:\/\//, '')
    .replace(/^.*@/, '')
    .replace(/[/:?#].*$/, '')
    .replace(/\.$/, '')
}
