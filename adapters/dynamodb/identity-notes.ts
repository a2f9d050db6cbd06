import { s } from './attributes.ts'
import type { Table } from './table.ts'

/**
 * Items in the keys table for the identities of the mail provider that version 0.2.0 created. Later
 * versions mark identities by a tag, and remove the item when the identity has its tag.
 */
export class IdentityNotes {
  readonly #keys: Table

  constructor(keys: Table) {
    this.#keys = keys
  }

  async has(domain: string): Promise<boolean> {
    return (await this.#keys.get(keyOf(domain))) !== undefined
  }

  async remove(domain: string): Promise<void> {
    await this.#keys.delete(keyOf(domain))
  }
}

function keyOf(domain: string) {
  return { pk: s(`identity#${domain}`) }
}
