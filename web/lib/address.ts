import { canonicalAddress, canonicalDomain } from '../../core/address.ts'

/** In place of an address: the mail of all addresses. */
export const EVERYTHING = '@'

/** Whether `@example.com` is meant, all mail of a domain, or all mail. */
export function isDomain(address: string): boolean {
  return address.startsWith('@')
}

/**
 * The address meant by text that was typed or pasted into the username field: a username, a whole
 * address, `mailto:` or `Name <address>`. In its canonical form if it has one. Undefined for empty
 * text.
 */
export function addressFrom(text: string, domain: string): string | undefined {
  const typed = text
    .trim()
    .replace(/^[^<]*<([^>]*)>$/, '$1')
    .replace(/^mailto:/i, '')
    .replace(/\?.*$/, (query) => (/mailto:/i.test(text) ? '' : query))
  if (typed === '') return undefined
  const whole = typed.includes('@') ? typed : `${typed}@${domain}`
  return canonicalAddress(whole)?.address ?? whole.toLowerCase()
}

/** Why this is neither an email address nor a whole domain, as a sentence for its field; undefined if it is one. */
export function addressFault(address: string): string | undefined {
  if (canonicalAddress(address) !== undefined) return undefined
  const at = address.lastIndexOf('@')
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)]
  if (local === '' && domain.includes('.') && canonicalDomain(domain) !== undefined) return undefined
  if (local === '') return 'An address begins with a name before the @.'
  if (new TextEncoder().encode(local).length > 64) return 'The part before the @ has at most 64 characters.'
  if (canonicalDomain(domain) === undefined) return 'The part after the @ is a domain, such as example.com.'
  if (local.includes('@')) return 'An address contains one @.'
  if (/\s/.test(local)) return 'An address contains no spaces.'
  const bad = /[\p{C}\p{Z}"\\(),:;<>[\]]/u.exec(local)?.[0] ?? ''
  return `The part before the @ cannot contain “${bad}”.`
}
