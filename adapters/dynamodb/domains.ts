import type { Domain, Domains } from '../../core/access/ports.ts'
import { TABLES } from '../aws/env.ts'
import { type Item, n, number, s, text } from './attributes.ts'
import type { Recent } from './recent.ts'
import type { Table } from './table.ts'

/** All domains are in this one partition, so that one query lists them. */
export const DOMAINS = 'domains'

/** Registered domains, in the mail table: its stream announces them. */
export class DynamoDomains implements Domains {
  readonly #table: Table
  readonly #recent: Recent | undefined

  /** @param recent what the stream has announced of late, in a process that reads it */
  constructor(table: Table, recent?: Recent) {
    this.#table = table
    this.#recent = recent
  }

  async find(name: string): Promise<Domain | undefined> {
    const item = await this.#table.get(keyOf(name))
    return item && domainOf(item)
  }

  async list(): Promise<Domain[]> {
    const domains: Domain[] = []
    let start: Item | undefined
    do {
      const page = await this.#table.query({ key: '#pk = :pk', values: { ':pk': s(DOMAINS) }, start })
      domains.push(...page.items.map(domainOf))
      start = page.last
    } while (start !== undefined)
    return domains
  }

  /**
   * The index, which may lag behind the table by some 100 ms, only says which domains to look at, and so do the
   * latest announcements: a stream that ended because a domain joined its key must find that domain when it
   * comes back at once. The table itself decides.
   */
  async withKey(keyHash: string): Promise<Domain[]> {
    const names = new Set(this.#recent?.domains())
    let start: Item | undefined
    do {
      const page = await this.#table.query({
        index: TABLES.mail.index.name,
        key: '#group = :group',
        values: { ':group': s(groupOf(keyHash)) },
        start,
      })
      for (const item of page.items) names.add(text(item, 'sk'))
      start = page.last
    } while (start !== undefined)
    const items = await this.#table.getAll([...names].map(keyOf))
    return items
      .map(domainOf)
      .filter((domain) => domain.key_hash === keyHash)
      .sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  async put(domain: Domain): Promise<void> {
    await this.#table.put({
      ...keyOf(domain.name),
      ...(domain.key_hash === null
        ? {}
        : { key_hash: s(domain.key_hash), group: s(groupOf(domain.key_hash)) }),
      status: s(domain.status),
      configured: { BOOL: domain.configured },
      key_configured: { BOOL: domain.key_configured },
      registered_ms: n(domain.registered_at),
    })
  }

  async remove(name: string): Promise<void> {
    await this.#table.delete(keyOf(name))
  }
}

function keyOf(name: string): Item {
  return { pk: s(DOMAINS), sk: s(name) }
}

function groupOf(keyHash: string): string {
  return `key#${keyHash}`
}

/** A domain from its item, which the stream carries too. */
export function domainOf(item: Item): Domain {
  return {
    name: text(item, 'sk'),
    status: text(item, 'status') === 'verified' ? 'verified' : 'pending',
    key_hash: item.key_hash?.S ?? null,
    configured: item.configured?.BOOL === true,
    key_configured: item.key_configured?.BOOL === true,
    registered_at: number(item, 'registered_ms'),
  }
}
