import { hashKey } from './api-keys.ts'

const KEY = /^key=(.{1,256})$/
const KEY_HASH = /^key-sha256=([0-9a-fA-F]{64})$/

/** The name at which the owner of a domain makes it private. */
export function domainKeyName(domain: string): string {
  return `_mayfly.${domain}`
}

/**
 * The hash of the domain key that TXT records set: `key=<key>` or `key-sha256=<hex>`.
 * `null`: there is no record, so the domain is public. `undefined`: there are records, but none that can be
 * read as a key; then nothing may change, for a typing error must not open a private inbox.
 * Of several keys the first in the order of the hashes counts, so that every look-up gives the same one.
 */
export function domainKeyHash(texts: string[]): string | null | undefined {
  if (texts.length === 0) return null
  const hashes = texts.flatMap((text) => {
    const plain = KEY.exec(text.trim())?.[1]?.trim()
    if (plain) return [hashKey(plain)]
    return KEY_HASH.exec(text.trim())?.[1]?.toLowerCase() ?? []
  })
  return hashes.sort()[0]
}
