import type { Clock } from '../../core/clock.ts'
import type { Email } from '../../core/inbox/email.ts'
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
import { CHANGE_FEED_LAG_MS, SECOND_MS } from '../../core/limits.ts'
import { lastUlidOf, ulidTime } from '../../core/ulid.ts'
import type { Database } from './database.ts'
import { unavailable } from './errors.ts'
import { type Search, searched } from './findings.ts'
import type { messageCommands } from './message-commands.ts'
import { BY_ID, type Key, type Row } from './message-rows.ts'
import { LOWEST, readPage, replayOf } from './pages.ts'
import type { Committed } from './transaction.ts'

/** How long the store may take to answer a check. */
const CHECK_MS = 5000

const newestIds = (column: 'address' | 'domain') => `
  SELECT address, id FROM emails
  WHERE ${column} = ? AND id > ? AND expires_at > ? ORDER BY id DESC LIMIT ?`
const NEWEST_ID = 'SELECT id FROM emails WHERE id > ? ORDER BY id DESC LIMIT 1'
const ADDRESS_IDS = newestIds('address')
const DOMAIN_IDS = newestIds('domain')

type Commands = Committed<typeof messageCommands>

/** The emails for readers; the writer changes them (message-commands.ts). */
export class SqliteMessages implements MessageStore {
  readonly #db: Database
  readonly #commands: Commands
  readonly #clock: Clock
  readonly #search: Search
  readonly #latestId: LatestId | undefined

  constructor(db: Database, commands: Commands, clock: Clock, search: Search, latestId?: LatestId) {
    this.#db = db
    this.#commands = commands
    this.#clock = clock
    this.#search = search
    this.#latestId = latestId
  }

  store(message: NewMessage, parts: MessageParts = new Map()): Promise<Email[]> {
    return this.#commands.storeEmails(message, parts)
  }

  async find(address: string, id: string): Promise<StoredEmail | undefined> {
    return searched(this.#search, (emails) => {
      const row = this.#db.get<Row>(BY_ID, address, id, this.#clock())
      return row && emails.stored(row)
    })
  }

  async page(address: string, request: PageRequest): Promise<Page> {
    const within = { sql: 'e.address = ?', values: [address] }
    return searched(this.#search, (emails) => readPage(this.#db, emails, this.#clock(), within, request))
  }

  replay(scope: Scope, after: string, limit: number): AsyncIterable<ReplayBatch> {
    const newest = () => this.#newest(scope, after, limit + 1)
    return replayOf(this.#db, this.#search, this.#clock, newest, limit)
  }

  /**
   * Ids are created in the order of the commits, and a commit is visible at once, so nothing needs
   * to be done.
   */
  async barrier(): Promise<void> {}

  /** Every stream that opens asks, and the shared memory answers in a hundredth of the time of the database. */
  startId(scope: Scope | undefined): string {
    const now = this.#clock()
    // A second of margin costs nothing: most streams open behind older mail.
    const moment = now - SECOND_MS
    if (this.#latestId?.endAt(moment)) return lastUlidOf(moment)
    const earliest = lastUlidOf(now - CHANGE_FEED_LAG_MS)
    const newest =
      scope === undefined
        ? this.#db.get<{ id: string }>(NEWEST_ID, earliest)
        : this.#newest(scope, earliest, 1)[0]
    return newest?.id ?? earliest
  }

  /** The newest emails of the scope, newest first, from one snapshot. */
  #newest(scope: Scope, after: string, count: number): Key[] {
    const [ids, names] = 'addresses' in scope ? [ADDRESS_IDS, scope.addresses] : [DOMAIN_IDS, scope.domains]
    const read = () => this.#newestOf(ids, names, after, count)
    // One statement is a snapshot of its own.
    return names.length === 1 ? read() : this.#db.snapshot(read)
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
    if (stored === undefined || stored.email.read) return stored
    if (!(await this.#commands.markRead(address, id))) return undefined
    return { ...stored, email: { ...stored.email, read: true } }
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

const TIME = 0
const IS_OPEN = 1
const FLOOR = 2

/**
 * The time of the newest id of an email, whether every id is committed, and where streams began, in memory that the
 * threads share.
 */
export class LatestId {
  readonly #values: BigInt64Array

  constructor(shared: SharedArrayBuffer = LatestId.memory()) {
    this.#values = new BigInt64Array(shared)
  }

  /** Memory for two threads that share it. */
  static memory(): SharedArrayBuffer {
    return new SharedArrayBuffer(3 * BigInt64Array.BYTES_PER_ELEMENT)
  }

  /** Notes that an id is being made. Must be called before its time is read, or a stream could begin behind it. */
  open(): void {
    Atomics.store(this.#values, IS_OPEN, 1n)
  }

  /** Notes an id that is given to an email, before the email is stored. */
  given(id: string): void {
    Atomics.store(this.#values, TIME, BigInt(ulidTime(id)))
  }

  /** Notes that every id that was given is committed. */
  committed(): void {
    Atomics.store(this.#values, IS_OPEN, 0n)
  }

  /** Every later id must be newer than this time in ms, also if the clock is set back. */
  get floor(): number {
    return Number(Atomics.load(this.#values, FLOOR))
  }

  /**
   * Makes every later id newer than a moment. Returns whether every id so far is older and visible. Only the thread that
   * opens streams may call it.
   * @param moment a time in ms
   */
  endAt(moment: number): boolean {
    // First, because an id whose making begins after the next lines is newer than the floor.
    if (this.floor < moment) Atomics.store(this.#values, FLOOR, BigInt(moment))
    const time = Atomics.load(this.#values, TIME)
    return time < moment && Atomics.load(this.#values, IS_OPEN) === 0n
  }
}
