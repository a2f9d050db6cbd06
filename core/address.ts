import { Problem } from './errors.ts'

export interface Address {
  /**
   * The whole address as it is stored and compared: lower case, Unicode form NFC, the domain in
   * A-label form, quotes only if the local part needs them.
   */
  address: string
  domain: string
  /**
   * Whether a standard forbids the address although real senders use it: a dot at either end of the
   * local part, two dots in a row, or a domain of one label. Only a service that accepts mail for
   * every domain accepts it.
   */
  isUnusual: boolean
}

/** Octets of a local part (RFC 5321, section 4.5.3.1.1), with its quotes. */
const LOCAL_PART_BYTES = 64
const TOO_LONG = `is longer than ${LOCAL_PART_BYTES} octets`
/** Characters of a domain name and of its labels (RFC 1035, section 2.3.4). */
const NAME_MAX = 253
const LABEL_MAX = 63
/**
 * UTF-16 units of a text that is examined. A combining sequence of many characters can be one
 * character of 2 octets, but no address of a user needs more.
 */
const TEXT_MAX = 1000
/** RFC 6531, section 3.3: characters of a local part without quotes. */
const ATEXT = /^[a-z0-9!#$%&'*+/=?^_`{|}~\u{80}-\u{10ffff}-]+$/u
/**
 * A local part that is canonical already, as nearly all are: ASCII in lower case, with dots anywhere but not only dots.
 * The checks of all other texts take ten times as long, and each mail has several addresses.
 */
const CANONICAL = /^\.*[a-z0-9!#$%&'*+/=?^_`{|}~-][a-z0-9!#$%&'*+/=?^_`{|}~.-]*$/
/**
 * Control characters, half surrogates, the mark of broken UTF-8, and characters without a glyph that only hide or reorder
 * others. They would forge log lines and addresses that look alike.
 */
const UNSAFE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u200b\u2060\ufeff\ufffd\u202a-\u202e\u2066-\u2069]/u
/** RFC 1123, section 2.1: letters, digits and hyphens, without a hyphen at either end. */
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const ASCII_NAME = /^[a-z0-9.-]+$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern is all of ASCII
const ASCII = /^[\x00-\x7f]*$/

/**
 * The canonical form of an address (docs/contract.md, "Addresses, domains, ids"); undefined for a
 * text that is no address.
 */
export function canonicalAddress(text: string): Address | undefined {
  const parsed = parseLocalPart(localPart(text))
  const domain = canonicalDomain(domainPart(text))
  if ('fault' in parsed || domain === undefined) return undefined
  const { local } = parsed
  const isUnusual = !isDotted(local) || !domain.includes('.')
  return { address: `${local}@${domain}`, domain, isUnusual }
}

/** Returns the rule that the domain of an address breaks, as the end of a sentence. */
export function domainFault(address: string): string {
  const text = domainPart(address)
  if (text === '') return 'is missing'
  if (/^\[.*\]$/.test(text) || /^[0-9.]+$/.test(text)) return 'is an IP address, not a name'
  if (text.length > NAME_MAX) return `is longer than ${NAME_MAX} characters`
  if (text.split('.').some((label) => label.length > LABEL_MAX)) {
    return `has a label longer than ${LABEL_MAX} characters`
  }
  return 'is not labels of letters, digits and hyphens, with dots between them'
}

/** Returns the rule that the local part of an address breaks, as the end of a sentence. */
export function localPartFault(address: string): string {
  const parsed = parseLocalPart(localPart(address))
  return 'fault' in parsed ? parsed.fault : 'has a dot at an end, or two dots in a row'
}

/** Whether the local part of an address has characters that need SMTPUTF8 (RFC 6531). */
export function needsSmtpUtf8(address: string): boolean {
  return !ASCII.test(localPart(address))
}

/**
 * Returns the domain name in lower case and A-label form (RFC 5890).
 * @throws Problem `invalid_domain`
 */
export function parseDomain(text: string): string {
  const domain = canonicalDomain(text)
  if (!domain?.includes('.')) {
    throw new Problem('invalid_domain', 'Give a domain name of at least two labels, such as example.com.')
  }
  return domain
}

/** Returns the domain of an address. */
export function domainPart(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1)
}

function localPart(address: string): string {
  return address.slice(0, Math.max(address.lastIndexOf('@'), 0))
}

/** Whether dots are only between other characters, or in quotes. */
function isDotted(local: string): boolean {
  return local.startsWith('"') || local.split('.').every(Boolean)
}

/** Returns the canonical local part, or the rule that the text breaks, as the end of a sentence. */
function parseLocalPart(text: string): { local: string } | { fault: string } {
  if (text.length <= LOCAL_PART_BYTES && CANONICAL.test(text)) return { local: text }
  if (text.length > TEXT_MAX) return { fault: TOO_LONG }
  if (UNSAFE.test(text)) return { fault: 'has a control character or an invisible one' }
  const isQuoted = text.length >= 2 && text.startsWith('"') && text.endsWith('"')
  const content = isQuoted ? unquoted(text.slice(1, -1)) : text
  if (content === undefined) return { fault: 'has a quote within its quotes' }
  const name = content.normalize('NFC').toLowerCase().normalize('NFC')
  const local = isQuoted && !isAtoms(name) ? `"${name.replace(/["\\]/g, '\\$&')}"` : name
  if (name === '') return { fault: 'is empty' }
  if (new TextEncoder().encode(local).length > LOCAL_PART_BYTES) return { fault: TOO_LONG }
  return isQuoted || isAtoms(name) ? { local } : { fault: 'has a character that needs quotes' }
}

/** The content of a quoted string (RFC 5321, section 4.1.2, Quoted-string); undefined if it ends early. */
function unquoted(text: string): string | undefined {
  return /^(?:[^"\\]|\\.)*$/u.test(text) ? text.replace(/\\(.)/gu, '$1') : undefined
}

/**
 * Whether the local part needs no quotes here: dots may be anywhere among its characters. Libraries
 * such as Nodemailer quote `foo.` although its owner writes it without quotes.
 */
function isAtoms(name: string): boolean {
  return ATEXT.test(name.replaceAll('.', '')) && !/\p{Z}/u.test(name)
}

/**
 * The name in lower case and A-label form, also one of a single label; undefined for a text that is no
 * domain name.
 */
export function canonicalDomain(text: string): string | undefined {
  if (text.length > TEXT_MAX) return undefined
  let name = text.toLowerCase()
  const ascii = ASCII.test(name)
  // URL decodes percent signs and drops tabs, so names with such characters must not reach it.
  if (ascii && !ASCII_NAME.test(name)) return undefined
  if (!ascii && /[\s%/?#@:[\]\\]/.test(name)) return undefined
  if (!ascii) name = URL.canParse(`http://${name}`) ? new URL(`http://${name}`).hostname : ''
  if (name.length > NAME_MAX) return undefined
  const labels = name.split('.')
  if (!labels.every((label) => LABEL.test(label))) return undefined
  // An all-digit last label is an IPv4 address or a part of one, never a domain (RFC 3696, section
  // 2).
  if (/^[0-9]+$/.test(labels.at(-1)!)) return undefined
  return name
}
