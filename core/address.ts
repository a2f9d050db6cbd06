import { domainToASCII } from 'node:url'
import { Problem } from './errors.ts'

export interface Address {
  /**
   * The whole address in lower case, with the domain in A-label form: as it is stored and compared.
   */
  address: string
  domain: string
}

const ATEXT = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+"
/**
 * RFC 5321, section 4.1.2: Dot-string. Quoted strings are legal, but no application sends codes to
 * them.
 */
const DOT_STRING = new RegExp(`^${ATEXT}(?:\\.${ATEXT})*$`)
/** RFC 1123, section 2.1: letters, digits and hyphens, without a hyphen at either end. */
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const ASCII_NAME = /^[a-z0-9.-]+$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern is all of ASCII
const ASCII = /^[\x00-\x7f]*$/

/**
 * Parses an address into its canonical form.
 * @throws Problem `invalid_address`
 */
export function parseAddress(text: string): Address {
  const address = canonicalAddress(text)
  if (address === undefined) {
    throw new Problem(
      'invalid_address',
      'Give a complete address such as bot42@example.com, percent-encoded where it stands in a path.',
    )
  }
  return address
}

/** The canonical form of an address; undefined for a text that is no address of this service. */
export function canonicalAddress(text: string): Address | undefined {
  const at = text.lastIndexOf('@')
  const local = text.slice(0, Math.max(at, 0)).toLowerCase()
  if (local.length > 64 || !DOT_STRING.test(local)) return undefined
  const domain = canonicalDomain(text.slice(at + 1))
  return domain === undefined ? undefined : { address: `${local}@${domain}`, domain }
}

/**
 * Returns the domain name in lower case and A-label form (RFC 5890).
 * @throws Problem `invalid_domain`
 */
export function parseDomain(text: string): string {
  const domain = canonicalDomain(text)
  if (domain === undefined) {
    throw new Problem('invalid_domain', 'Give a domain name of at least two labels, such as example.com.')
  }
  return domain
}

function canonicalDomain(text: string): string | undefined {
  if (text.length > 1000) return undefined
  let name = text.toLowerCase()
  const ascii = ASCII.test(name)
  // domainToASCII decodes percent signs and drops tabs, so names with such characters must not
  // reach it.
  if (ascii && !ASCII_NAME.test(name)) return undefined
  if (!ascii && /[\s%/?#@:[\]\\]/.test(name)) return undefined
  if (!ascii) name = domainToASCII(name)
  if (name.length > 253) return undefined
  const labels = name.split('.')
  if (labels.length < 2 || !labels.every((label) => LABEL.test(label))) return undefined
  // An all-digit last label is an IPv4 address or a part of one, never a domain (RFC 3696, section
  // 2).
  if (/^[0-9]+$/.test(labels.at(-1)!)) return undefined
  return name
}

/** Returns the domain of a canonical address. */
export function domainPart(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1)
}
