import { s } from './attributes.ts'
import type { Table } from './table.ts'

/** Which identities of the mail provider were made by this service: an item each in the keys table. */
export class IdentityNotes {
  readonly #keys: Table

  constructor(keys: Table) {
    this.#keys = keys
  }

  async has(domain: string): Promise<boolean> {
    return (await this.#keys.get(keyOf(domain))) !== undefined
  }

  async add(domain: string): Promise<void> {
    await this.#keys.put(keyOf(domain))
  }

  async remove(domain: string): Promise<void> {
    await this.#keys.delete(keyOf(domain))
  }
}

function keyOf(domain: string) {
  return { pk: s(`identity#${domain}`) }
}
