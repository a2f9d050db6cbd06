import { randomUUID } from 'node:crypto'
import type { Domain, DomainState, Domains } from '../../core/access/ports.ts'
import type { Clock } from '../../core/clock.ts'
import { MINUTE_MS, SECOND_MS } from '../../core/limits.ts'
import { lastUlidOf, ulidTime } from '../../core/ulid.ts'
import { TABLES } from '../aws/env.ts'
import { unavailable } from '../aws/errors.ts'
import { type Item, s, text } from './attributes.ts'
import type { ChangeCache } from './change-cache.ts'
import {
  closedItem,
  closedSince,
  DOMAINS,
  domainItem,
  domainKey,
  domainOf,
  groupOf,
  unregisteredItem,
} from './domain-item.ts'
import { DomainLog } from './domain-log.ts'
import { AHEAD_MS } from './heads.ts'
import type { Table } from './table.ts'

/**
 * The clocks of two functions differ by less than this
 * (docs.aws.amazon.com/AWSEC2/latest/UserGuide/set-time.html).
 */
const CLOCKS_MS = 2 * SECOND_MS

/** A process that closed a domain for longer than this has ended. */
const CLOSED_MAX_MS = MINUTE_MS

/**
 * The registered domains. They are in the mail table, because its stream publishes changes.
 *
 * A new registration must hide every email of an earlier one, however long a write takes and
 * whichever response is lost. A writer of mail creates the id first, and then reads the domain
 * (minting.ts). So `visible_after` is above all ids of earlier registrations if it is computed when
 * no writer can still read one of them:
 *
 * - The item of an unregistered domain stays for a day. A registration reads it, computes
 *   `visible_after`, and is rejected if the domain was registered in between.
 * - A registered domain that becomes public is closed first: nothing is stored for it, and mail
 *   waits. When that write is done, `visible_after` is computed, and the second write opens the
 *   domain. If the process ends in between, the earlier registration continues after a minute, and
 *   a second write that is still on its way is rejected.
 */
export class DynamoDomains implements Domains {
  readonly #table: Table
  readonly #clock: Clock
  readonly #log: DomainLog
  readonly #changeCache: ChangeCache | undefined

  /** @param changeCache the latest changes of the stream, in a process that reads it */
  constructor(table: Table, clock: Clock, changeCache?: ChangeCache) {
    this.#table = table
    this.#clock = clock
    this.#log = new DomainLog(table, clock)
    this.#changeCache = changeCache
  }

  async find(name: string): Promise<Domain | undefined> {
    return domainOf(await this.#table.get(domainKey(name)))
  }

  async list(): Promise<Domain[]> {
    const domains: Domain[] = []
    let start: Item | undefined
    do {
      const page = await this.#table.query({ key: '#pk = :pk', values: { ':pk': s(DOMAINS) }, start })
      domains.push(...page.items.map(domainOf).filter((domain) => domain !== undefined))
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
    const items = await this.#table.getAll([...names].map(domainKey))
    return items
      .map(domainOf)
      .filter((domain) => domain?.keyHash === keyHash)
      .filter((domain) => domain !== undefined)
      .sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  async change(name: string, before: Domain | undefined, after: DomainState | undefined): Promise<boolean> {
    if (before === undefined) return this.#register(name, after)
    const revision = randomUUID()
    if (after === undefined) {
      return this.#replace(before.revision, unregisteredItem(before, revision, this.#clock()))
    }
    if (after.registeredAt !== before.registeredAt) return this.#registerAgain(before, after)
    const { visibleAfter } = before
    return this.#replace(before.revision, domainItem({ ...after, name, visibleAfter, revision }))
  }

  async #register(name: string, after: DomainState | undefined): Promise<boolean> {
    const item = await this.#table.get(domainKey(name))
    if (domainOf(item) !== undefined) return false
    if (after === undefined) return true
    const visibleAfter = await this.#aboveAll(name, item?.visible_after?.S)
    const registered = domainItem({ ...after, name, visibleAfter, revision: randomUUID() })
    return this.#replace(item?.revision?.S, registered)
  }

  async #registerAgain(before: Domain, after: DomainState): Promise<boolean> {
    const { name } = before
    const revision = randomUUID()
    const closed = closedItem({ ...before, revision }, this.#clock())
    if (!(await this.#replace(before.revision, closed))) return false
    // Mail that was received before the domain was closed belongs to the earlier registration.
    const registeredAt = Math.max(after.registeredAt, this.#clock())
    const visibleAfter = await this.#aboveAll(name, before.visibleAfter)
    const registered = { ...after, name, registeredAt, visibleAfter, revision: randomUUID() }
    return this.#replace(revision, domainItem(registered))
  }

  /**
   * Returns an id that is greater than this one and than all that were created for emails of the
   * domain. Must be called when no mail can be accepted for an earlier registration any more.
   */
  async #aboveAll(name: string, visibleAfter = ''): Promise<string> {
    const stored = await this.#log.greatestId([name])
    const greatest = stored > visibleAfter ? stored : visibleAfter
    const earlier = greatest === '' ? 0 : ulidTime(greatest) + AHEAD_MS
    return lastUlidOf(Math.max(this.#clock() + CLOCKS_MS, earlier))
  }

  #replace(revision: string | undefined, item: Item): Promise<boolean> {
    return replace(this.#table, revision, item)
  }
}

/**
 * Writes the item of a domain if the present one has this revision; undefined: if the domain has no item.
 * After a lost response, the SDK's second request finds the item that the first one wrote.
 */
async function replace(table: Table, revision: string | undefined, item: Item): Promise<boolean> {
  const condition =
    revision === undefined
      ? { condition: 'attribute_not_exists(#pk)' }
      : { condition: '#revision = :revision', values: { ':revision': s(revision) } }
  const written = await table.put(item, condition)
  return written.done || written.item?.revision?.S === item.revision?.S
}

/**
 * Returns the domain for which mail is to be stored; undefined if it is unregistered.
 * @throws Problem `unavailable` while it is closed: the mail must be stored later
 */
export async function domainForMail(table: Table, name: string, now: number): Promise<Domain | undefined> {
  const item = await table.get(domainKey(name))
  const domain = domainOf(item)
  const since = item && closedSince(item)
  if (domain === undefined || since === undefined) return domain
  if (since < now - CLOSED_MAX_MS) {
    await replace(table, domain.revision, domainItem({ ...domain, revision: randomUUID() }))
  }
  throw unavailable(new Error(`the domain ${name} is being registered again`))
}
