/** RFC 5321 dot-string. */
const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
/** At least two labels of letters, digits and inner hyphens; letters of any script, which the service converts. */
const DOMAIN =
  /^(?=.{1,253}$)(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}\p{N}][\p{L}\p{N}-]{0,61}[\p{L}\p{N}]$/u

/** Whether `@example.com` is meant: all mail of a domain. */
export function isDomain(address: string): boolean {
  return address.startsWith('@')
}

/**
 * The address meant by text that was typed or pasted into the username field: a username, a whole
 * address, `mailto:` or `Name <address>`. Undefined for empty text.
 */
export function addressFrom(text: string, domain: string): string | undefined {
  const typed = text
    .trim()
    .toLowerCase()
    .replace(/^.*<(.*)>$/, '$1')
    .replace(/^mailto:/, '')
    .replace(/\?.*$/, (query) => (text.toLowerCase().includes('mailto:') ? '' : query))
  if (typed === '') return undefined
  return typed.includes('@') ? typed : `${typed}@${domain}`
}

/** Why this is neither an email address nor a whole domain, as a sentence for its field; undefined if it is one. */
export function addressFault(address: string): string | undefined {
  const at = address.lastIndexOf('@')
  const local = address.slice(0, at)
  if (/\s/.test(address)) return 'An address contains no spaces.'
  if (local === '' && DOMAIN.test(address.slice(at + 1))) return undefined
  if (local === '') return 'An address begins with a name before the @.'
  if (local.length > 64) return 'The part before the @ has at most 64 characters.'
  if (local.includes('@')) return 'An address contains one @.'
  if (!LOCAL_PART.test(local)) {
    const bad = /[^a-z0-9!#$%&'*+/=?^_`{|}~.-]/.exec(local)?.[0]
    return bad === undefined
      ? 'Dots belong between other characters.'
      : `The part before the @ cannot contain “${bad}”.`
  }
  return DOMAIN.test(address.slice(at + 1))
    ? undefined
    : 'The part after the @ is a domain, such as example.com.'
}
