import type { Clock } from '../../core/clock.ts'
import { type Email, type EmailFilter, fold, matches } from '../../core/inbox/email.ts'
import type {
  MessageParts,
  MessageStore,
  NewMessage,
  Page,
  PageRequest,
  ReplayBatch,
  Scope,
  StoredEmail,
} from '../../core/inbox/ports.ts'
import { decodeSummary } from '../../core/inbox/summary-record.ts'
import { PAGE_READ_BYTES, REPLAY_BATCH, REPLAY_BATCH_BYTES } from '../../core/limits.ts'
import type { Database } from './database.ts'
import { unavailable } from './errors.ts'
import type { messageCommands } from './message-commands.ts'
import { BY_ID, email, HAS, type Key, type Row, SELECT, storedEmail } from './message-rows.ts'
import type { Committed } from './transaction.ts'

/** Emails that one filtered page examines, so that no request delays the others. */
const PAGE_SCAN = 2000

/** How long the store may take to answer a check. */
const CHECK_MS = 5000

/** Less and greater than every ULID. */
const LOWEST = ''
const HIGHEST = '~'

const NEWEST = `${SELECT} WHERE e.address = ? AND e.id > ? AND e.id < ? AND e.expires_at > ?`
const newestIds = (column: 'address' | 'domain') => `
  SELECT address, id FROM emails
  WHERE ${column} = ? AND id > ? AND expires_at > ? ORDER BY id DESC LIMIT ?`
const ADDRESS_IDS = newestIds('address')
const DOMAIN_IDS = newestIds('domain')

type Commands = Committed<typeof messageCommands>

/** The emails for readers; the writer changes them (message-commands.ts). */
export class SqliteMessages implements MessageStore {
  readonly #db: Database
  readonly #commands: Commands
  readonly #clock: Clock

  constructor(db: Database, commands: Commands, clock: Clock) {
    this.#db = db
    this.#commands = commands
    this.#clock = clock
  }

  store(message: NewMessage, parts: MessageParts = new Map()): Promise<Email[]> {
    return this.#commands.storeEmails(message, parts)
  }

  async find(address: string, id: string): Promise<StoredEmail | undefined> {
    return storedEmail(this.#db.get<Row>(BY_ID, address, id, this.#clock()))
  }

  async page(address: string, request: PageRequest): Promise<Page> {
    return this.#db.snapshot(() => {
      const { limit, before = HIGHEST, after = LOWEST, filter = {} } = request
      const wanted = conditions(filter)
      const scanned = wanted.sql === '' ? undefined : this.#scanEnd(address, after, before)
      const search = filter.q === undefined ? undefined : new Search(filter.q)
      const emails: Email[] = []
      let bytes = 0
      let last: string | undefined
      for (const row of this.#db.iterate<Row>(
        `${NEWEST}${wanted.sql} ORDER BY e.id DESC`,
        address,
        scanned?.below ?? after,
        before,
        this.#clock(),
        ...wanted.values,
      )) {
        if (emails.length === limit || bytes >= PAGE_READ_BYTES) return { emails, next: last, bytes }
        bytes += Buffer.byteLength(row.content)
        last = row.id
        if (search?.finds(row) ?? true) emails.push(email(row))
      }
      return { emails, next: scanned?.last, bytes }
    })
  }

  /**
   * Where a filtered page ends: the last id that it examines, and the next lower one if it exists.
   */
  #scanEnd(address: string, after: string, before: string): { last: string; below: string } | undefined {
    const [last, below] = this.#db.all<{ id: string }>(
      `SELECT id FROM emails WHERE address = ? AND id > ? AND id < ?
       ORDER BY id DESC LIMIT 2 OFFSET ?`,
      address,
      after,
      before,
      PAGE_SCAN - 1,
    )
    return below && { last: last!.id, below: below.id }
  }

  async *replay(scope: Scope, after: string, limit: number): AsyncIterable<ReplayBatch> {
    const newest = this.#newest(scope, after, limit + 1)
    const wanted = newest.slice(0, limit).reverse()
    let missed = newest.length > limit ? { missedBefore: wanted[0]!.id } : {}
    for (let next = 0; next < wanted.length; ) {
      const emails: Email[] = []
      for (let bytes = 0; next < wanted.length && emails.length < REPLAY_BATCH; next++) {
        const { address, id } = wanted[next]!
        const found = this.#db.get<Row>(BY_ID, address, id, this.#clock())
        if (found === undefined) continue
        bytes += Buffer.byteLength(found.content)
        if (emails.length > 0 && bytes > REPLAY_BATCH_BYTES) break
        emails.push(email(found))
      }
      if (emails.length === 0) return
      yield { ...missed, emails }
      missed = {}
    }
  }

  /**
   * Ids are created in the order of the commits, and a commit is visible at once, so nothing needs
   * to be done.
   */
  async barrier(): Promise<void> {}

  /** The newest emails of the scope, newest first, from one snapshot. */
  #newest(scope: Scope, after: string, count: number): Key[] {
    return this.#db.snapshot(() =>
      'addresses' in scope
        ? this.#newestOf(ADDRESS_IDS, scope.addresses, after, count)
        : this.#newestOf(DOMAIN_IDS, scope.domains, after, count),
    )
  }

  #newestOf(ids: string, names: string[], after: string, count: number): Key[] {
    const now = this.#clock()
    let newest: Key[] = []
    for (const name of new Set(names)) {
      const floor = newest.length < count ? after : newest.at(-1)!.id
      const found = this.#db.all<Key>(ids, name, floor, now, count)
      newest = [...newest, ...found].sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, count)
    }
    return newest
  }

  async markRead(address: string, id: string): Promise<StoredEmail | undefined> {
    const stored = await this.find(address, id)
    // An email stays read, so only the first time needs the writer.
    return stored === undefined || stored.email.read ? stored : this.#commands.markRead(address, id)
  }

  remove(address: string, id: string): Promise<{ messageId: string; last: boolean } | undefined> {
    return this.#commands.removeEmail(address, id)
  }

  removeAll(address: string, after = LOWEST): Promise<{ removed: number; orphans: string[] }> {
    return this.#commands.removeAllEmails(address, after)
  }

  purge(domain: string, upTo: string, limit: number): Promise<{ removed: number; orphans: string[] }> {
    return this.#commands.purgeEmails(domain, upTo, limit)
  }

  async check(): Promise<void> {
    this.#db.get('SELECT 1 FROM emails LIMIT 1')
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      const refuse = () => reject(unavailable(new Error(`the writer did not answer in ${CHECK_MS} ms`)))
      timer = setTimeout(refuse, CHECK_MS)
    })
    try {
      await Promise.race([this.#commands.checkWriting(), late])
    } finally {
      clearTimeout(timer)
    }
  }
}

/** Searches rows for a substring: parses the JSON of a row only if the substring occurs in it. */
class Search {
  readonly #q: string
  readonly #folded: string
  /** The substring as JSON encodes it. */
  readonly #inJson: string

  constructor(q: string) {
    this.#q = q
    this.#folded = fold(q)
    this.#inJson = JSON.stringify(this.#folded).slice(1, -1)
  }

  finds({ content, sender }: Row): boolean {
    if (sender.includes(this.#folded)) return true
    return fold(content).includes(this.#inJson) && matches(decodeSummary(content), { q: this.#q })
  }
}

/**
 * The filter as SQL, except `q`. Uses `instr` instead of LIKE, because filters have no wildcards
 * and both sides are folded.
 */
function conditions(filter: EmailFilter): { sql: string; values: (string | number)[] } {
  let sql = ''
  const values: (string | number)[] = []
  if (filter.from !== undefined) {
    sql += ' AND instr(m.sender, ?) > 0'
    values.push(fold(filter.from))
  }
  if (filter.subject !== undefined) {
    sql += ' AND instr(m.subject, ?) > 0'
    values.push(fold(filter.subject))
  }
  if (filter.has !== undefined) {
    sql += ' AND m.has & ? <> 0'
    values.push(HAS[filter.has])
  }
  return { sql, values }
}
