import type { Domain, Domains } from '../../core/access/ports.ts'
import type { Database } from './database.ts'
import type { Committed, Transaction } from './transaction.ts'

/** A domain as its row holds it: SQLite has no booleans. */
type Row = Omit<Domain, 'configured' | 'key_configured'> & { configured: number; key_configured: number }

const SELECT = 'SELECT name, status, key_hash, configured, key_configured, registered_at FROM domains'

type Commands = Committed<ReturnType<typeof domainCommands>>

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

  put(domain: Domain): Promise<void> {
    return this.#commands.putDomain(domain)
  }

  remove(name: string): Promise<void> {
    return this.#commands.removeDomain(name)
  }
}

/** The changes to domains. */
export function domainCommands({ db, announce }: Transaction) {
  return {
    putDomain(domain: Domain): void {
      db.run(
        `INSERT OR REPLACE INTO domains
           (name, status, key_hash, configured, key_configured, registered_at) VALUES (?, ?, ?, ?, ?, ?)`,
        domain.name,
        domain.status,
        domain.key_hash,
        domain.configured ? 1 : 0,
        domain.key_configured ? 1 : 0,
        domain.registered_at,
      )
      announce({ type: 'domain', name: domain.name, domain: { ...domain } })
    },

    removeDomain(name: string): void {
      const { changes } = db.run('DELETE FROM domains WHERE name = ?', name)
      if (changes > 0) announce({ type: 'domain', name, domain: undefined })
    },
  }
}

function domain(row: Row): Domain {
  return { ...row, configured: row.configured === 1, key_configured: row.key_configured === 1 }
}
