import type { DatabaseSync } from 'node:sqlite'
import { StoreError } from './errors.ts'

/**
 * The schema as a list of steps. A released step never changes; a change is a new step at the end.
 *
 * The names are those of docs/glossary.md. All times are Unix times in ms.
 */
export const MIGRATIONS: readonly string[] = [
  // 0.4.0
  `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

  -- A row is created with the first part and stays until it expires, although no copy may be left: so a
  -- message that is handled twice does not bring back what was deleted. One row for a message and one for a
  -- recipient, because a commit writes every page that it touches.
  CREATE TABLE messages (
    -- The messageId, which is a number here, so that no index is needed.
    id INTEGER PRIMARY KEY,
    -- Of the last copy; before the emails are stored, when the parts are to be given up.
    expires_at INTEGER NOT NULL,
    stored INTEGER NOT NULL DEFAULT 0,
    -- Bits: see adapters/sqlite/message-rows.ts.
    has INTEGER NOT NULL DEFAULT 0,
    sender TEXT NOT NULL DEFAULT '',
    subject TEXT NOT NULL DEFAULT '',
    -- JSON of EmailSummary, without codes and links if they are in the table findings or not looked for yet; null
    -- before the emails are stored, and again when no copy is left.
    summary TEXT,
    -- JSON of [address, id] of every copy that there ever was, also of those that were removed.
    copies TEXT NOT NULL DEFAULT '[]',
    -- The parts of these names, where they came with the emails; otherwise they are in the table parts.
    raw BLOB,
    body BLOB
  );
  CREATE INDEX messages_unstored ON messages (expires_at) WHERE stored = 0;

  -- Of a message that was searched for codes and links after it was stored.
  CREATE TABLE findings (
    message INTEGER PRIMARY KEY,
    -- Bits, as in messages.
    has INTEGER NOT NULL,
    -- JSON of Findings.
    findings TEXT NOT NULL
  );

  -- Messages from this one on, up to the next row, are kept equally long, so they expire in the order of
  -- their ids. It replaces an index by expiry, of which each commit would write a page (expiry.ts).
  CREATE TABLE retentions (message INTEGER PRIMARY KEY, retention_ms INTEGER NOT NULL);

  CREATE TABLE emails (
    id TEXT PRIMARY KEY,
    address TEXT NOT NULL,
    domain TEXT NOT NULL,
    -- messages.id
    message INTEGER NOT NULL,
    -- Negative if the copy was removed, and the row is kept for its message.
    expires_at INTEGER NOT NULL,
    read INTEGER NOT NULL DEFAULT 0,
    -- Only of the newest copy that a message ever had, which stands for the message where all mail is listed
    -- (message-index.ts); null in the others. Folded, one in a line: envelope sender and recipients, names and
    -- addresses of From, To, Cc and Reply-To.
    addresses TEXT,
    -- Folded.
    subject TEXT,
    -- Whether a copy was read.
    message_read INTEGER
  ) WITHOUT ROWID;
  CREATE INDEX emails_by_address ON emails (address, id);
  CREATE INDEX emails_by_domain ON emails (domain, id);

  -- A part has its bytes in its own row when they are few, otherwise in chunks. An id is never used again
  -- (AUTOINCREMENT), so a reader that reads chunk by chunk cannot slip into another part.
  CREATE TABLE parts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    message INTEGER NOT NULL,
    name TEXT NOT NULL,
    -- Null while its chunks are still coming in: until then no reader sees it.
    size INTEGER,
    data BLOB
  );
  CREATE INDEX parts_by_message ON parts (message, name);
  CREATE TABLE chunks (
    part INTEGER NOT NULL,
    n INTEGER NOT NULL,
    data BLOB NOT NULL
  );
  CREATE UNIQUE INDEX chunks_by_part ON chunks (part, n);

  -- The origin of a message, as long as its parts are stored: for the share of the store that a client may fill.
  CREATE TABLE origins (
    message INTEGER PRIMARY KEY,
    client TEXT NOT NULL,
    sender TEXT NOT NULL,
    -- Of the first recipient.
    domain TEXT NOT NULL,
    bytes INTEGER NOT NULL
  );

  CREATE TABLE domains (
    name TEXT PRIMARY KEY,
    status TEXT NOT NULL,
    key_hash TEXT,
    key_configured INTEGER NOT NULL,
    key_presented INTEGER NOT NULL DEFAULT 0,
    key_missing_since INTEGER,
    configured INTEGER NOT NULL,
    registered_at INTEGER NOT NULL,
    visible_after TEXT NOT NULL DEFAULT '',
    checked_at INTEGER NOT NULL DEFAULT 0,
    unanswered_since INTEGER,
    revision INTEGER NOT NULL DEFAULT 0
  ) WITHOUT ROWID;
  CREATE INDEX domains_by_key ON domains (key_hash) WHERE key_hash IS NOT NULL;

  CREATE TABLE api_keys (
    hash TEXT PRIMARY KEY,
    purpose TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX api_keys_by_expiry ON api_keys (expires_at);

  CREATE TABLE uses (
    name TEXT NOT NULL,
    subject TEXT NOT NULL,
    at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  );
  CREATE INDEX uses_by_subject ON uses (name, subject, at);
  CREATE INDEX uses_by_expiry ON uses (expires_at);

  CREATE TABLE sequences (name TEXT PRIMARY KEY, next INTEGER NOT NULL, secret TEXT NOT NULL) WITHOUT ROWID;

  CREATE TABLE webhooks (
    id TEXT PRIMARY KEY,
    key_hash TEXT NOT NULL,
    -- The address or the domain of its target.
    topic TEXT NOT NULL,
    -- JSON of Webhook.
    webhook TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX webhooks_by_key ON webhooks (key_hash, created_at);
  CREATE INDEX webhooks_by_topic ON webhooks (topic);
  CREATE INDEX webhooks_by_expiry ON webhooks (expires_at);

  CREATE TABLE webhook_jobs (
    webhook TEXT NOT NULL,
    due INTEGER NOT NULL,
    email TEXT NOT NULL,
    address TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (webhook, due, email)
  ) WITHOUT ROWID;
  CREATE INDEX webhook_jobs_by_due ON webhook_jobs (due);

  CREATE TABLE webhook_attempts (
    id INTEGER PRIMARY KEY,
    webhook TEXT NOT NULL,
    -- JSON of WebhookAttempt.
    attempt TEXT NOT NULL
  );
  CREATE INDEX webhook_attempts_by_webhook ON webhook_attempts (webhook, id);

  -- Templates of the send APIs.
  CREATE TABLE email_templates (
    id INTEGER PRIMARY KEY,
    -- A provider, and the owner of its templates.
    scope TEXT NOT NULL,
    name TEXT NOT NULL,
    content TEXT NOT NULL,
    -- Bytes of the content.
    size INTEGER NOT NULL,
    created_at INTEGER NOT NULL
  );
  CREATE UNIQUE INDEX email_templates_by_name ON email_templates (scope, name);
  `,
]

/**
 * `user_version` of a database that has seen no step. Versions before 0.4 counted from 0, and those before its release
 * from 100; no number of theirs may be taken for one of these.
 */
export const FIRST_VERSION = 110

/**
 * Runs the steps that the database has not seen, each in its own transaction.
 * @throws StoreError if another version of Mayfly wrote the database, with steps that are unknown here
 */
export function migrate(db: DatabaseSync, steps: readonly string[]): void {
  const version = Number(db.prepare('PRAGMA user_version').get()!.user_version)
  const seen = version === 0 ? 0 : version - FIRST_VERSION
  if (seen < 0 || seen > steps.length) {
    throw new StoreError(
      `The store was written by ${seen < 0 ? 'a version of Mayfly before 0.4' : 'a newer version of Mayfly'} ` +
        `(schema ${version}; this one knows ${FIRST_VERSION + steps.length}). ` +
        'Start that version, or give this one a directory of its own.',
    )
  }
  for (const [index, step] of steps.entries()) {
    if (index < seen) continue
    db.exec('BEGIN IMMEDIATE')
    try {
      db.exec(step)
      db.exec(`PRAGMA user_version = ${FIRST_VERSION + index + 1}`)
      db.exec('COMMIT')
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK')
      throw error
    }
  }
}
