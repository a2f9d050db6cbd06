import type { Clock } from '../../core/clock.ts'
import {
  type Email,
  type EmailFilter,
  emailOf,
  fold,
  type StoredContent,
  searchable,
} from '../../core/inbox/email.ts'
import type {
  MessageStore,
  NewMail,
  Page,
  PageRequest,
  Part,
  ReplayBatch,
  Scope,
  StoredEmail,
} from '../../core/inbox/ports.ts'
import { REPLAY_BATCH, REPLAY_BATCH_BYTES } from '../../core/limits.ts'
import { domainPart } from '../../core/mail/address.ts'
import type { Content } from '../../core/mail/message.ts'
import { ulidTime } from '../../core/ulid.ts'
import { putPart, removeParts } from './blobs.ts'
import type { Database } from './database.ts'
import { visibleAfter } from './domains.ts'
import { unavailable } from './errors.ts'
import type { Committed, Transaction } from './transaction.ts'

/** Bits of `messages.has`. */
const HAS = { code: 1, link: 2, attachment: 4, action_link: 8 } as const

/** Emails that one page looks at when it filters, so that no request holds up the others. */
const PAGE_SCAN = 2000

/** How long the store may take to answer a check. */
const CHECK_MS = 5000

/** Less and greater than every ULID. */
const LOWEST = ''
const HIGHEST = '~'

interface Row {
  id: string
  address: string
  expires_at: number
  read: number
  content: string
  delivery: string
}

// CROSS JOIN keeps SQLite from turning the join around: the order comes from the index on emails.
const SELECT = `
  SELECT e.id, e.address, e.expires_at, e.read, m.content, m.delivery
  FROM emails e CROSS JOIN messages m ON m.id = e.message`
const BY_ID = `${SELECT} WHERE e.address = ? AND e.id = ? AND e.removed = 0 AND e.expires_at > ?`
// With its id, for a row that was swept leaves its number to another.
const BY_ROW = `${SELECT} WHERE e.rowid = ? AND e.id = ? AND e.removed = 0 AND e.expires_at > ?`
const NEWEST = `${SELECT}
  WHERE e.address = ? AND e.id > ? AND e.id < ? AND e.removed = 0 AND e.expires_at > ?`
const newestIds = (column: 'address' | 'domain') => `
  SELECT rowid AS row, id FROM emails
  WHERE ${column} = ? AND id > ? AND removed = 0 AND expires_at > ? ORDER BY id DESC LIMIT ?`
const ADDRESS_IDS = newestIds('address')
const DOMAIN_IDS = newestIds('domain')

type Commands = Committed<ReturnType<typeof messageCommands>>

export class SqliteMessages implements MessageStore {
  readonly #db: Database
  readonly #commands: Commands
  readonly #clock: Clock

  constructor(db: Database, commands: Commands, clock: Clock) {
    this.#db = db
    this.#commands = commands
    this.#clock = clock
  }

  store(mail: NewMail): Promise<Email[]> {
    return this.#commands.storeEmails(mail)
  }

  async find(address: string, id: string): Promise<StoredEmail | undefined> {
    return storedEmail(this.#db.get<Row>(BY_ID, address, id, this.#clock()))
  }

  async page(address: string, request: PageRequest): Promise<Page> {
    return this.#db.snapshot(() => {
      const { limit, before = HIGHEST, after = LOWEST, filter = {} } = request
      const wanted = conditions(filter)
      const scanned = wanted.sql === '' ? undefined : this.#scanEnd(address, after, before)
      const rows = this.#db.all<Row>(
        `${NEWEST}${wanted.sql} ORDER BY e.id DESC LIMIT ?`,
        address,
        scanned?.below ?? after,
        before,
        this.#clock(),
        ...wanted.values,
        limit + 1,
      )
      const emails = rows.slice(0, limit).map(email)
      return { emails, next: rows.length > limit ? emails.at(-1)!.id : scanned?.last }
    })
  }

  /** Where a filtered page stops looking: the last id that it looks at and the one below it, if there is one. */
  #scanEnd(address: string, after: string, before: string): { last: string; below: string } | undefined {
    const [last, below] = this.#db.all<{ id: string }>(
      `SELECT id FROM emails WHERE address = ? AND id > ? AND id < ? AND removed = 0
       ORDER BY id DESC LIMIT 2 OFFSET ${PAGE_SCAN - 1}`,
      address,
      after,
      before,
    )
    return below && { last: last!.id, below: below.id }
  }

  async *replay(scope: Scope, after: string, limit: number): AsyncIterable<ReplayBatch> {
    const newest = this.#newestRows(scope, after, limit + 1)
    const wanted = newest.slice(0, limit).reverse()
    let missed = newest.length > limit ? { missed_before: wanted[0]!.id } : {}
    for (let next = 0; next < wanted.length; ) {
      const emails: Email[] = []
      for (let bytes = 0; next < wanted.length && emails.length < REPLAY_BATCH; next++) {
        const { row, id } = wanted[next]!
        const found = this.#db.get<Row>(BY_ROW, row, id, this.#clock())
        if (found === undefined) continue
        bytes += found.content.length
        if (emails.length > 0 && bytes > REPLAY_BATCH_BYTES) break
        emails.push(email(found))
      }
      if (emails.length === 0) return
      yield { ...missed, emails }
      missed = {}
    }
  }

  /** The newest of the scope, newest first. All domains are seen at the same moment. */
  #newestRows(scope: Scope, after: string, count: number): { row: number; id: string }[] {
    return this.#db.snapshot(() =>
      'address' in scope
        ? this.#db.all<{ row: number; id: string }>(ADDRESS_IDS, scope.address, after, this.#clock(), count)
        : this.#newestOfDomains(scope.domains, after, count),
    )
  }

  #newestOfDomains(domains: string[], after: string, count: number): { row: number; id: string }[] {
    const now = this.#clock()
    let newest: { row: number; id: string }[] = []
    for (const domain of new Set(domains)) {
      const floor = newest.length < count ? after : newest.at(-1)!.id
      const found = this.#db.all<{ row: number; id: string }>(DOMAIN_IDS, domain, floor, now, count)
      newest = [...newest, ...found].sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, count)
    }
    return newest
  }

  async markRead(address: string, id: string): Promise<StoredEmail | undefined> {
    const stored = await this.find(address, id)
    // Read once is read for ever: only the first time needs the writer.
    return stored === undefined || stored.email.read ? stored : this.#commands.markRead(address, id)
  }

  remove(address: string, id: string): Promise<{ delivery: string; last: boolean } | undefined> {
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

/** The changes to emails. */
export function messageCommands({ db, clock, newId, announce, abandoned }: Transaction) {
  return {
    /** @param parts of the message, to be written with its emails: all together or nothing */
    storeEmails(mail: NewMail, parts: [Part, Uint8Array][] = []): Email[] {
      if (abandoned.delete(mail.delivery)) {
        throw unavailable(new Error('its parts were given up before its emails were stored'))
      }
      const known = new Map(
        db
          .all<{ address: string; message: number }>(
            `SELECT e.address, e.message FROM messages m CROSS JOIN emails e ON e.message = m.id
             WHERE m.delivery = ?`,
            mail.delivery,
          )
          .map(({ address, message }) => [address, message]),
      )
      const registrations = mail.registrations ?? {}
      const isOpen = (domain: string) =>
        registrations[domain] === undefined || registrations[domain] === visibleAfter(db, domain)
      const fresh = mail.recipients
        .filter((address) => !known.has(address) && isOpen(domainPart(address)))
        .map((address) => emailOf(mail.content, address, newId(), mail.retention_ms))
      if (fresh.length === 0 && known.size === 0) return []
      const message =
        fresh.length === 0
          ? known.values().next().value!
          : putContent(db, mail.delivery, mail.content, Date.parse(fresh.at(-1)!.expires_at))
      for (const [name, data] of parts) putPart(db, message, name, data)

      for (const stored of fresh) {
        const domain = domainPart(stored.address)
        db.run(
          'INSERT INTO emails (id, address, domain, message, expires_at) VALUES (?, ?, ?, ?, ?)',
          stored.id,
          stored.address,
          domain,
          message,
          Date.parse(stored.expires_at),
        )
        announce({ type: 'email', domain, email: stored })
      }
      if (known.size === 0) return fresh

      // Handled again: its parts were written again too, although nobody may have a copy any more.
      const now = clock()
      if (!hasCopies(db, message, now)) removeParts(db, message)
      return db
        .all<Row>(
          `${SELECT} WHERE e.message = ? AND e.removed = 0 AND e.expires_at > ? ORDER BY e.id`,
          message,
          now,
        )
        .map(email)
    },

    markRead(address: string, id: string): StoredEmail | undefined {
      const { changes } = db.run(
        'UPDATE emails SET read = 1 WHERE address = ? AND id = ? AND read = 0 AND removed = 0 AND expires_at > ?',
        address,
        id,
        clock(),
      )
      if (changes > 0) announce({ type: 'email-read', domain: domainPart(address), address, id })
      return storedEmail(db.get<Row>(BY_ID, address, id, clock()))
    },

    removeEmail(address: string, id: string): { delivery: string; last: boolean } | undefined {
      const found = db.get<{ row: number; message: number; delivery: string }>(
        `SELECT e.rowid AS row, e.message, m.delivery FROM emails e CROSS JOIN messages m ON m.id = e.message
         WHERE e.address = ? AND e.id = ? AND e.removed = 0 AND e.expires_at > ?`,
        address,
        id,
        clock(),
      )
      if (found === undefined) return undefined
      announce({ type: 'email-deleted', domain: domainPart(address), address, id })
      return { delivery: found.delivery, last: removeCopy(db, found.row, found.message, clock()) }
    },

    removeAllEmails(address: string, after: string): { removed: number; orphans: string[] } {
      const now = clock()
      const found = db.all<{ row: number; message: number; delivery: string }>(
        `SELECT e.rowid AS row, e.message, m.delivery FROM emails e CROSS JOIN messages m ON m.id = e.message
         WHERE e.address = ? AND e.id > ? AND e.removed = 0 AND e.expires_at > ?`,
        address,
        after,
        now,
      )
      const last = found.filter(({ row, message }) => removeCopy(db, row, message, now))
      if (found.length > 0) announce({ type: 'inbox-cleared', domain: domainPart(address), address })
      return { removed: found.length, orphans: last.map(({ delivery }) => delivery) }
    },

    purgeEmails(domain: string, upTo: string, limit: number): { removed: number; orphans: string[] } {
      const now = clock()
      const found = db.all<{ row: number; message: number; delivery: string }>(
        `SELECT e.rowid AS row, e.message, m.delivery FROM emails e CROSS JOIN messages m ON m.id = e.message
         WHERE e.domain = ? AND e.id <= ? AND e.removed = 0 ORDER BY e.id LIMIT ?`,
        domain,
        upTo,
        limit,
      )
      const last = found.filter(({ row, message }) => removeCopy(db, row, message, now))
      return { removed: found.length, orphans: last.map(({ delivery }) => delivery) }
    },

    /** Writes, so that it fails when writing fails. */
    checkWriting(): void {
      db.run("INSERT OR REPLACE INTO meta (name, value) VALUES ('checked_at', ?)", clock())
    },
  }
}

/** Keeps what the copies of a message have in common, as long as the last of them. The row of the message. */
function putContent(db: Database, delivery: string, content: Content, expiresAt: number): number {
  const { sender, subject } = searchable(content)
  const has =
    (content.codes.length > 0 ? HAS.code : 0) |
    (content.links.length > 0 ? HAS.link : 0) |
    (content.action_link !== null ? HAS.action_link : 0) |
    (content.attachment_count > 0 ? HAS.attachment : 0)
  // Before it is stored, a message has the expiry of an unfinished one, which does not count.
  return db.get<{ id: number }>(
    `INSERT INTO messages (delivery, has, sender, subject, content, expires_at, stored)
     VALUES (?, ?, ?, ?, ?, ?, 1)
     ON CONFLICT (delivery) DO UPDATE SET
       has = excluded.has, sender = excluded.sender, subject = excluded.subject, content = excluded.content,
       expires_at = iif(stored, max(expires_at, excluded.expires_at), excluded.expires_at), stored = 1
     RETURNING id`,
    delivery,
    has,
    sender,
    subject,
    JSON.stringify(content),
    expiresAt,
  )!.id
}

/** Removes one copy, and the text of the message with the last one. Whether it was the last one. */
function removeCopy(db: Database, row: number, message: number, now: number): boolean {
  db.run('UPDATE emails SET removed = 1 WHERE rowid = ?', row)
  if (hasCopies(db, message, now)) return false
  db.run("UPDATE messages SET sender = '', subject = '', content = NULL WHERE id = ?", message)
  return true
}

function hasCopies(db: Database, message: number, now: number): boolean {
  const copy = 'SELECT 1 FROM emails WHERE message = ? AND removed = 0 AND expires_at > ? LIMIT 1'
  return db.get(copy, message, now) !== undefined
}

function email(row: Row): Email {
  const content = JSON.parse(row.content) as StoredContent
  const retentionMs = row.expires_at - ulidTime(row.id)
  return { ...emailOf(content, row.address, row.id, retentionMs), read: row.read === 1 }
}

function storedEmail(row: Row | undefined): StoredEmail | undefined {
  return row && { email: email(row), delivery: row.delivery }
}

/** The filter as SQL. `instr` and not LIKE: what is looked for has no wildcards, and both sides are folded. */
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
