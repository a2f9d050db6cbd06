import { hashKey } from './api-keys.ts'

/** A domain key. Clients send any other character in an HTTP header in different ways. */
const KEY = /^[\x20-\x7e]{1,256}$/
const KEY_RECORD = /^key=(.*)$/
const KEY_HASH = /^key-sha256=([0-9a-fA-F]{64})$/

/** Whether a text can be a domain key: 1 to 256 visible characters of ASCII, and spaces. */
export function isDomainKey(text: string): boolean {
  return KEY.test(text)
}

/** The prefix of the TXT record that makes a domain private. */
export function domainKeyName(domain: string): string {
  return `_mayfly.${domain}`
}

/** The result of reading the TXT records. */
export type KeyRecord =
  /** The hash of the domain key. */
  | { hash: string }
  /** DNS answered that there is no such record. */
  | { hash: null }
  /**
   * Records exist, but none can be read as a key. The text explains the mistake and never quotes
   * the record.
   */
  | { hash: undefined; fault: string }

/**
 * Reads `key=<key>` or `key-sha256=<hex>`. Records with neither form change nothing, because a
 * typing error must not open a private inbox. Of several keys the one with the lowest hash counts,
 * so that every look-up returns the same key.
 */
export function readKeyRecord(texts: string[]): KeyRecord {
  const [first] = texts
  if (first === undefined) return { hash: null }
  const hash = texts.flatMap((text) => hashIn(text.trim()) ?? []).sort()[0]
  return hash === undefined ? { hash, fault: faultOf(first.trim()) } : { hash }
}

function hashIn(text: string): string | undefined {
  const plain = KEY_RECORD.exec(text)?.[1]?.trim() ?? ''
  return isDomainKey(plain) ? hashKey(plain) : KEY_HASH.exec(text)?.[1]?.toLowerCase()
}

function faultOf(text: string): string {
  const name = /^[\w-]*(?=\s*=)/.exec(text)?.[0]
  if (name === 'key') return 'after "key=" stands a key of 1 to 256 characters of ASCII'
  if (name === 'key-sha256') return 'after "key-sha256=" stand 64 hexadecimal digits'
  if (name?.toLowerCase() === 'key') return '"key=" is written in lower case'
  return 'it begins with neither "key=" nor "key-sha256="'
}
