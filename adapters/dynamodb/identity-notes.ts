import { s } from './attributes.ts'
import type { Table } from './table.ts'

/**
 * The identities of the mail provider that version 0.2.0 created: an item each in the keys table.
 * Later versions mark identities with a tag, and remove an item when they have tagged its identity.
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
