import { randomUUID } from 'node:crypto'
import type { Domain, DomainState, Domains } from '../../core/access/ports.ts'
import type { Clock } from '../../core/clock.ts'
import { SECOND_MS } from '../../core/limits.ts'
import { lastUlidOf } from '../../core/ulid.ts'
import { TABLES } from '../aws/env.ts'
import { type Item, n, number, s, text } from './attributes.ts'
import type { ChangeCache } from './change-cache.ts'
import type { Expressions } from './expressions.ts'
import type { Table } from './table.ts'

/** The partition of all domains, so that one query lists them. */
export const DOMAINS = TABLES.mail.domains

/**
 * The clocks of two functions differ by less than this
 * (docs.aws.amazon.com/AWSEC2/latest/UserGuide/set-time.html).
 */
const CLOCKS_MS = 2 * SECOND_MS

/** The registered domains. They are in the mail table, because its stream publishes changes. */
export class DynamoDomains implements Domains {
  readonly #table: Table
  readonly #clock: Clock
  readonly #changeCache: ChangeCache | undefined

  /** @param changeCache the latest changes of the stream, in a process that reads it */
  constructor(table: Table, clock: Clock, changeCache?: ChangeCache) {
    this.#table = table
    this.#clock = clock
    this.#changeCache = changeCache
  }

  find(name: string): Promise<Domain | undefined> {
    return domainNow(this.#table, name)
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
   * The index may lag behind the table by some 100 ms, so it only selects the domains to read,
   * together with the domains of the latest changes: a stream that ended because a domain joined
   * its key must find that domain when it reconnects at once. The table itself decides.
   */
  async withKey(keyHash: string): Promise<Domain[]> {
    const names = new Set(this.#changeCache?.domains())
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
      .filter((domain) => domain.keyHash === keyHash)
      .sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  /**
   * Writes the domain's item on a condition. A new registration gets a `visible_after` some seconds
   * in the future: the ids that other functions created before by their own clocks are lower, and
   * storing.ts creates higher ones.
   */
  async change(name: string, before: Domain | undefined, after: DomainState | undefined): Promise<boolean> {
    const expected = unchanged(before)
    if (after === undefined) {
      if (before === undefined) return (await this.find(name)) === undefined
      return (await this.#table.delete(keyOf(name), expected)).done
    }
    const anew = after.registeredAt !== before?.registeredAt
    const visibleAfter = anew ? lastUlidOf(this.#clock() + CLOCKS_MS) : before!.visibleAfter
    const item = itemOf({ ...after, name, visibleAfter, revision: randomUUID() })
    return (await this.#table.put(item, expected)).done
  }
}

/** Returns the domain from a consistent read; undefined if it is not registered. */
export async function domainNow(table: Table, name: string): Promise<Domain | undefined> {
  const item = await table.get(keyOf(name))
  return item && domainOf(item)
}

/**
 * Returns the condition that the item has not changed since it was read. The first versions of
 * Mayfly stored no revision.
 */
function unchanged(before: Domain | undefined): Expressions {
  if (before === undefined) return { condition: 'attribute_not_exists(#pk)' }
  if (before.revision === '')
    return { condition: 'attribute_exists(#pk) AND attribute_not_exists(#revision)' }
  return { condition: '#revision = :revision', values: { ':revision': s(before.revision) } }
}

function itemOf(domain: Domain): Item {
  const { keyHash, keyMissingSince, unansweredSince } = domain
  return {
    ...keyOf(domain.name),
    ...(keyHash === null ? {} : { key_hash: s(keyHash), group: s(groupOf(keyHash)) }),
    status: s(domain.status),
    key_presented: { BOOL: domain.keyPresented },
    configured: { BOOL: domain.configured },
    key_configured: { BOOL: domain.keyConfigured },
    registered_ms: n(domain.registeredAt),
    visible_after: s(domain.visibleAfter),
    checked_ms: n(domain.checkedAt),
    ...(keyMissingSince === null ? {} : { key_missing_ms: n(keyMissingSince) }),
    ...(unansweredSince === null ? {} : { unanswered_ms: n(unansweredSince) }),
    revision: s(domain.revision),
  }
}

function keyOf(name: string): Item {
  return { pk: s(DOMAINS), sk: s(name) }
}

function groupOf(keyHash: string): string {
  return `key#${keyHash}`
}

/** Returns the domain in an item of the table or of its stream. */
export function domainOf(item: Item): Domain {
  return {
    name: text(item, 'sk'),
    status: text(item, 'status') === 'verified' ? 'verified' : 'pending',
    keyHash: item.key_hash?.S ?? null,
    keyPresented: item.key_presented?.BOOL === true,
    configured: item.configured?.BOOL === true,
    keyConfigured: item.key_configured?.BOOL === true,
    registeredAt: number(item, 'registered_ms'),
    visibleAfter: item.visible_after?.S ?? '',
    checkedAt: optional(item, 'checked_ms') ?? 0,
    keyMissingSince: optional(item, 'key_missing_ms'),
    unansweredSince: optional(item, 'unanswered_ms'),
    revision: item.revision?.S ?? '',
  }
}

function optional(item: Item, name: string): number | null {
  return item[name] === undefined ? null : number(item, name)
}
