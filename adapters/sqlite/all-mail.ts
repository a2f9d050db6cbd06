import type { Clock } from '../../core/clock.ts'
import { recipientSpellings } from '../../core/inbox/filter.ts'
import type {
  AllMail,
  Copy,
  ListedMessage,
  MessagesRequest,
  Page,
  PageRequest,
  ReplayBatch,
} from '../../core/inbox/ports.ts'
import type { Database } from './database.ts'
import { type Search, type SearchedEmails, searched } from './findings.ts'
import type { messageCommands } from './message-commands.ts'
import { ADDRESSES, IS_CURRENT, NEWEST } from './message-index.ts'
import { COPIES, type Key, type Row, VISIBLE } from './message-rows.ts'
import { type Condition, HIGHEST, LOWEST, lower, readPage, replayOf } from './pages.ts'
import type { Committed } from './transaction.ts'

/** Emails that one request examines: about 10 ms. */
const SCAN = 20_000

/** The mail of all addresses (contract: All mail). */
export class SqliteAllMail implements AllMail {
  readonly #db: Database
  readonly #commands: Committed<typeof messageCommands>
  readonly #clock: Clock
  readonly #search: Search

  constructor(db: Database, commands: Committed<typeof messageCommands>, clock: Clock, search: Search) {
    this.#db = db
    this.#commands = commands
    this.#clock = clock
    this.#search = search
  }

  async page(request: PageRequest): Promise<Page> {
    const to = request.filter?.to
    const selecting = to === undefined ? undefined : sentTo(to)
    const within = { sql: VISIBLE, values: [] }
    return searched(this.#search, (emails) =>
      readPage(this.#db, emails, this.#clock(), within, request, selecting),
    )
  }

  replay(after: string, limit: number): AsyncIterable<ReplayBatch> {
    return replayOf(this.#db, this.#search, this.#clock, () => this.#newest(after, limit + 1), limit)
  }

  #newest(after: string, count: number): Key[] {
    return this.#db.all<Key>(
      `SELECT address, id FROM emails e WHERE id > ? AND expires_at > ? AND ${VISIBLE} ORDER BY id DESC LIMIT ?`,
      after,
      this.#clock(),
      count,
    )
  }

  async messages({
    limit,
    skip = 0,
    before = HIGHEST,
    addresses = [],
    subjects = [],
  }: MessagesRequest): Promise<{ messages: ListedMessage[]; next: string | undefined }> {
    return this.#searched((emails) => {
      const wanted = containing(addresses, subjects)
      const { end } = emails
      const upTo = lower(before, end.id)
      const from = wanted.sql === '' ? undefined : this.#scanEnd(upTo)
      const rows = this.#db.all<IndexRow>(
        `SELECT id, message, message_read AS read FROM emails WHERE id < ? AND id >= ? AND addresses IS NOT NULL
           AND ${IS_CURRENT}${wanted.sql} ORDER BY id DESC LIMIT ? OFFSET ?`,
        upTo,
        from ?? LOWEST,
        this.#clock(),
        ...wanted.values,
        limit,
        skip,
      )
      end.id ??= rows[0] && `${rows[0].id}${HIGHEST}`
      const next = rows.length === limit ? rows.at(-1)!.id : from
      return { messages: rows.flatMap((row) => this.#listed(row, emails) ?? []), next }
    })
  }

  /** The oldest email that a search examines; undefined if it examines all. */
  #scanEnd(before: string): string | undefined {
    return this.#db.get<{ id: string }>(
      'SELECT id FROM emails WHERE id < ? ORDER BY id DESC LIMIT 1 OFFSET ?',
      before,
      SCAN,
    )?.id
  }

  async count(): Promise<{ messages: number; unread: number }> {
    return this.#db.get<{ messages: number; unread: number }>(
      `SELECT count(*) AS messages, count(*) FILTER (WHERE message_read = 0) AS unread FROM emails
       WHERE addresses IS NOT NULL AND ${IS_CURRENT}`,
      this.#clock(),
    )!
  }

  async find(id: string): Promise<ListedMessage | undefined> {
    return this.#searched((emails) => {
      const row = this.#db.get<IndexRow>(
        `SELECT n.id, n.message, n.message_read AS read
         FROM emails e CROSS JOIN messages m ON m.id = e.message CROSS JOIN emails n ON n.id = ${NEWEST}
         WHERE e.id = ? AND e.expires_at > ? AND ${VISIBLE}`,
        id,
        this.#clock(),
      )
      return row && this.#listed(row, emails)
    })
  }

  /** Undefined for a message of which no copy is shown. */
  #listed({ message, read }: IndexRow, emails: SearchedEmails): ListedMessage | undefined {
    const rows = this.#db.all<Row>(`${COPIES} AND ${VISIBLE} ORDER BY e.id`, message, this.#clock())
    const messageId = rows[0]?.messageId
    return messageId === undefined
      ? undefined
      : { messageId, copies: rows.map((row) => emails.email(row)), read: read === 1 }
  }

  /** Reads from one snapshot, until all messages are searched. */
  #searched<T>(read: (emails: SearchedEmails) => T): Promise<T> {
    return searched(this.#search, (emails) => this.#db.snapshot(() => read(emails)))
  }

  setRead(copies: Copy[], read: boolean): Promise<void> {
    return this.#commands.setRead(copies.map(keyOf), read)
  }

  remove(copies: Copy[]): Promise<number> {
    return this.#commands.removeEmails(copies.map(keyOf))
  }

  removeOldest(upTo: string, limit: number): Promise<number> {
    return this.#commands.removeOldestEmails(upTo, limit)
  }
}

/** An email that stands for its message. */
interface IndexRow {
  id: string
  message: number
  read: number
}

/** Without the other fields of an email: commands cross threads. */
function keyOf({ address, id }: Copy): Key {
  return { address, id }
}

function sentTo(value: string): Condition {
  const values = recipientSpellings(value)
  const sql = values.map(() => `instr(${ADDRESSES}, ?) > 0`).join(' OR ')
  return { sql: ` AND (${sql})`, values }
}

function containing(addresses: string[], subjects: string[]): Condition {
  const sql = [
    ...addresses.map(() => ' AND instr(addresses, ?) > 0'),
    ...subjects.map(() => ' AND instr(subject, ?) > 0'),
  ]
  return { sql: sql.join(''), values: [...addresses, ...subjects] }
}
