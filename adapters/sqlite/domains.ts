import { CATCH_ALL } from '../../core/access/catch-all.ts'
import type { Domain, DomainState, Domains } from '../../core/access/ports.ts'
import type { Database } from './database.ts'
import type { CommandSet, Committed, Transaction } from './transaction.ts'

/** The row of a domain: SQLite has no booleans, and the revision is a number. */
type Row = Omit<Domain, 'configured' | 'keyConfigured' | 'keyPresented' | 'revision'> & {
  configured: number
  keyConfigured: number
  keyPresented: number
  revision: number
}

const SELECT = `
  SELECT name, status, key_hash AS keyHash, key_presented AS keyPresented, configured,
    key_configured AS keyConfigured, registered_at AS registeredAt, visible_after AS visibleAfter,
    checked_at AS checkedAt, key_missing_since AS keyMissingSince, unanswered_since AS unansweredSince,
    revision FROM domains`

type Commands = Committed<typeof domainCommands>

export class SqliteDomains implements Domains {
  readonly #db: Database
  readonly #commands: Commands

  constructor(db: Database, commands: Commands) {
    this.#db = db
    this.#commands = commands
  }

  async find(name: string): Promise<Domain | undefined> {
    const row = this.#db.get<Row>(`${SELECT} WHERE name = ?`, name)
    return row && domain(row)
  }

  async list(): Promise<Domain[]> {
    return this.#db.all<Row>(`${SELECT} ORDER BY name`).map(domain)
  }

  async withKey(keyHash: string): Promise<Domain[]> {
    return this.#db.all<Row>(`${SELECT} WHERE key_hash = ? ORDER BY name`, keyHash).map(domain)
  }

  change(name: string, before: Domain | undefined, after: DomainState | undefined): Promise<boolean> {
    return this.#commands.changeDomain(name, before, after)
  }
}

/** Commands that change domains. */
export const domainCommands = {
  changeDomain(
    { db, newId, publish, remembered }: Transaction,
    name: string,
    before: Domain | undefined,
    after: DomainState | undefined,
  ): boolean {
    const row = db.get<Row>(`${SELECT} WHERE name = ?`, name)
    const known = row && domain(row)
    if (known?.revision !== before?.revision) return false
    remembered.visibleAfter.clear()
    if (after === undefined) {
      if (known === undefined) return true
      db.run('DELETE FROM domains WHERE name = ?', name)
      publish({ type: 'domain', name, domain: undefined })
      return true
    }
    const anew = after.registeredAt !== known?.registeredAt
    const visibleAfter = anew ? newId() : known!.visibleAfter
    const revision = nextRevision(db)
    db.run(
      `INSERT OR REPLACE INTO domains (name, status, key_hash, key_presented, configured, key_configured,
         registered_at, visible_after, checked_at, key_missing_since, unanswered_since, revision)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      name,
      after.status,
      after.keyHash,
      after.keyPresented ? 1 : 0,
      after.configured ? 1 : 0,
      after.keyConfigured ? 1 : 0,
      after.registeredAt,
      visibleAfter,
      after.checkedAt,
      after.keyMissingSince,
      after.unansweredSince,
      revision,
    )
    publish({ type: 'domain', name, domain: { ...after, visibleAfter, revision: String(revision) } })
    return true
  },
} satisfies CommandSet

/**
 * For a command: the newest id of a domain's mail that is not shown; undefined if the service does
 * not accept mail for it.
 */
export function visibleAfter(
  { db, remembered }: Pick<Transaction, 'db' | 'remembered'>,
  name: string,
): string | undefined {
  const known = remembered.visibleAfter.get(name)
  if (known !== undefined) return known ?? undefined
  const row = db.get<{ id: string }>(VISIBLE_AFTER, name) ?? db.get<{ id: string }>(VISIBLE_AFTER, CATCH_ALL)
  if (remembered.visibleAfter.size === REMEMBERED_DOMAINS_MAX) remembered.visibleAfter.clear()
  remembered.visibleAfter.set(name, row?.id ?? null)
  return row?.id
}

/** A service that accepts mail for every domain remembers this many names of strangers. */
const REMEMBERED_DOMAINS_MAX = 1000

const VISIBLE_AFTER = 'SELECT visible_after AS id FROM domains WHERE name = ?'

/** Returns a revision that was never used before, even by a domain that was removed. */
function nextRevision(db: Database): number {
  return db.get<{ value: number }>(
    `INSERT INTO meta (name, value) VALUES ('domain_revision', '1')
     ON CONFLICT (name) DO UPDATE SET value = CAST(value AS INTEGER) + 1 RETURNING CAST(value AS INTEGER) AS value`,
  )!.value
}

function domain(row: Row): Domain {
  return {
    ...row,
    keyPresented: row.keyPresented === 1,
    configured: row.configured === 1,
    keyConfigured: row.keyConfigured === 1,
    revision: String(row.revision),
  }
}
