import type { Clock } from '../../core/clock.ts'
import type { EmailChange } from '../../core/events/ports.ts'
import { concerns } from '../../core/events/webhooks/payload.ts'
import type {
  Webhook,
  WebhookAttempt,
  WebhookJob,
  WebhookLane,
  WebhookOutbox,
  WebhookStore,
} from '../../core/events/webhooks/ports.ts'
import { WEBHOOK_ATTEMPTS_KEPT } from '../../core/limits.ts'
import type { Database } from './database.ts'
import type { CommandSet, Committed, Transaction } from './transaction.ts'

type Commands = Committed<typeof webhookCommands>

/** Webhooks, and the jobs that are written in the transaction of their email. */
export class SqliteWebhooks implements WebhookStore, WebhookOutbox {
  readonly #db: Database
  readonly #commands: Commands
  readonly #clock: Clock
  /** Whether there may be webhooks; they are added here only. */
  #any: boolean
  #whenAny = () => {}

  constructor(db: Database, commands: Commands, clock: Clock) {
    this.#db = db
    this.#commands = commands
    this.#clock = clock
    this.#any = hasWebhooks(db)
  }

  onceAny(callback: () => void): void {
    if (this.#any) callback()
    else this.#whenAny = callback
  }

  add(webhook: Webhook, limit: number): Promise<boolean> {
    if (!this.#any) this.#whenAny()
    this.#any = true
    return this.#commands.addWebhook(webhook, limit)
  }

  async find(id: string): Promise<Webhook | undefined> {
    const row = this.#db.get<Row>(
      'SELECT webhook FROM webhooks WHERE id = ? AND expires_at > ?',
      id,
      this.#clock(),
    )
    return row && webhookIn(row)
  }

  async list(keyHash: string): Promise<Webhook[]> {
    return this.#db
      .all<Row>(
        'SELECT webhook FROM webhooks WHERE key_hash = ? AND expires_at > ? ORDER BY created_at, id',
        keyHash,
        this.#clock(),
      )
      .map(webhookIn)
  }

  activate(id: string): Promise<void> {
    return this.#commands.activateWebhook(id)
  }

  remove(id: string): Promise<void> {
    return this.#commands.removeWebhook(id)
  }

  async attempts(id: string): Promise<WebhookAttempt[]> {
    return this.#db
      .all<{ attempt: string }>(
        `SELECT attempt FROM webhook_attempts WHERE webhook = ? ORDER BY id DESC LIMIT ${WEBHOOK_ATTEMPTS_KEPT}`,
        id,
      )
      .map(({ attempt }) => JSON.parse(attempt) as WebhookAttempt)
  }

  record(id: string, attempt: WebhookAttempt): Promise<void> {
    return this.#commands.recordAttempt(id, attempt)
  }

  async due(now: number): Promise<WebhookLane[]> {
    return this.#db
      .all<Row>(
        `SELECT webhook FROM webhooks w WHERE EXISTS
           (SELECT 1 FROM webhook_jobs WHERE webhook = w.id AND due <= ? AND (email = '' OR ${IS_LIVE}))`,
        now,
      )
      .map(webhookIn)
      .map(({ id, keyHash, url }) => ({ webhook: id, keyHash, host: new URL(url).host }))
  }

  async jobs(webhook: string, now: number, limit: number): Promise<WebhookJob[]> {
    return this.#db.all<WebhookJob>(
      `SELECT j.webhook, address, email, attempts, due FROM webhook_jobs j JOIN webhooks w ON w.id = j.webhook
         WHERE j.webhook = ? AND due <= ? AND (email = '' OR ${IS_LIVE}) ORDER BY due, email LIMIT ?`,
      webhook,
      now,
      limit,
    )
  }

  async nextDue(now: number): Promise<number | undefined> {
    const row = this.#db.get<{ due: number | null }>(
      'SELECT min(due) AS due FROM webhook_jobs WHERE due > ?',
      now,
    )
    return row?.due ?? undefined
  }

  finish(job: WebhookJob, next: number | undefined, attempt: WebhookAttempt | undefined): Promise<void> {
    return this.#commands.finishWebhookJob(job, next, attempt)
  }
}

/** Whether there are webhooks, also ones that have expired. */
export function hasWebhooks(db: Database): boolean {
  return db.get('SELECT 1 FROM webhooks LIMIT 1') !== undefined
}

interface Row {
  webhook: string
}

function webhookIn({ webhook }: Row): Webhook {
  return JSON.parse(webhook) as Webhook
}

/** Of a row of `webhooks w`. */
const IS_LIVE = "w.webhook ->> '$.status' = 'live'"

const JOB = 'webhook = ? AND due = ? AND email = ?'

/** Commands that change webhooks. */
export const webhookCommands = {
  addWebhook(transaction: Transaction, webhook: Webhook, limit: number): boolean {
    const { db, clock } = transaction
    transaction.hasWebhooks = true
    const { id, keyHash, target, createdAt, expiresAt } = webhook
    const { count } = db.get<{ count: number }>(
      'SELECT count(*) AS count FROM webhooks WHERE key_hash = ? AND expires_at > ?',
      keyHash,
      clock(),
    )!
    if (count >= limit) return false
    db.run(
      'INSERT INTO webhooks (id, key_hash, topic, webhook, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)',
      id,
      keyHash,
      'address' in target ? target.address : target.domain,
      JSON.stringify(webhook),
      createdAt,
      expiresAt,
    )
    if (webhook.status === 'pending') {
      db.run("INSERT INTO webhook_jobs (webhook, due, email, address) VALUES (?, ?, '', '')", id, createdAt)
    }
    return true
  },

  activateWebhook({ db }: Transaction, id: string): void {
    db.run("UPDATE webhooks SET webhook = json_set(webhook, '$.status', 'live') WHERE id = ?", id)
  },

  removeWebhook({ db }: Transaction, id: string): void {
    removeWebhook(db, id)
  },

  recordAttempt({ db }: Transaction, id: string, attempt: WebhookAttempt): void {
    recordAttempt(db, id, attempt)
  },

  finishWebhookJob(
    { db }: Transaction,
    { webhook, due, email }: WebhookJob,
    next: number | undefined,
    attempt: WebhookAttempt | undefined,
  ): void {
    const job = [webhook, due, email] as const
    if (next === undefined) db.run(`DELETE FROM webhook_jobs WHERE ${JOB}`, ...job)
    else {
      db.run(`UPDATE webhook_jobs SET due = ?, attempts = attempts + 1 WHERE ${JOB}`, next, ...job)
    }
    if (attempt !== undefined) recordAttempt(db, webhook, attempt)
  },
} satisfies CommandSet

/** Keeps the newest attempts of a webhook that still exists. */
function recordAttempt(db: Database, id: string, attempt: WebhookAttempt): void {
  if (db.get('SELECT 1 FROM webhooks WHERE id = ?', id) === undefined) return
  db.run('INSERT INTO webhook_attempts (webhook, attempt) VALUES (?, ?)', id, JSON.stringify(attempt))
  db.run(
    `DELETE FROM webhook_attempts WHERE webhook = ? AND id <=
       (SELECT id FROM webhook_attempts WHERE webhook = ? ORDER BY id DESC LIMIT 1 OFFSET ${WEBHOOK_ATTEMPTS_KEPT})`,
    id,
    id,
  )
}

/** Removes some of the expired webhooks. Returns how many. */
export function removeExpiredWebhooks(db: Database, now: number, limit: number): number {
  const expired = db.all<{ id: string }>('SELECT id FROM webhooks WHERE expires_at <= ? LIMIT ?', now, limit)
  for (const { id } of expired) removeWebhook(db, id)
  return expired.length
}

/**
 * Writes a job for each webhook that receives this email. Must be called in the transaction that
 * stores it.
 */
export function enqueueWebhooks({ db, clock }: Transaction, change: EmailChange): void {
  const now = clock()
  const { address, domain } = change
  const rows = db.all<Row>(
    'SELECT webhook FROM webhooks WHERE topic IN (?, ?) AND expires_at > ?',
    address,
    domain,
    now,
  )
  for (const webhook of rows.map(webhookIn)) {
    if (!concerns(webhook, change.email)) continue
    db.run(
      'INSERT INTO webhook_jobs (webhook, due, email, address) VALUES (?, ?, ?, ?)',
      webhook.id,
      now,
      change.email.id,
      address,
    )
  }
}

/** The webhooks of a key, when the key is revoked. */
export function removeWebhooksOf(db: Database, keyHash: string): void {
  for (const { id } of db.all<{ id: string }>('SELECT id FROM webhooks WHERE key_hash = ?', keyHash)) {
    removeWebhook(db, id)
  }
}

function removeWebhook(db: Database, id: string): void {
  db.run('DELETE FROM webhook_jobs WHERE webhook = ?', id)
  db.run('DELETE FROM webhook_attempts WHERE webhook = ?', id)
  db.run('DELETE FROM webhooks WHERE id = ?', id)
}
