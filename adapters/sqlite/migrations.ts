import type { DatabaseSync } from 'node:sqlite'
import { StoreError } from './errors.ts'

/**
 * The schema as a list of steps. `user_version` of the database is the number of steps that it has
 * seen. A released step never changes; a change is a new step at the end.
 *
 * All times are Unix times in ms.
 */
export const MIGRATIONS: readonly string[] = [
  // 1: mail and domains
  `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

  -- One row a delivery. It is made with the first part and stays until it expires, although no copy may be
  -- left: so a delivery that is handled twice does not bring back what was deleted.
  CREATE TABLE messages (
    id INTEGER PRIMARY KEY,
    delivery TEXT NOT NULL UNIQUE,
    -- Of the last copy; before the emails are stored, when the parts are to be given up.
    expires_at INTEGER NOT NULL,
    stored INTEGER NOT NULL DEFAULT 0,
    -- Bits: see emails.ts.
    has INTEGER NOT NULL DEFAULT 0,
    sender TEXT NOT NULL DEFAULT '',
    subject TEXT NOT NULL DEFAULT '',
    -- JSON of Content; null before the emails are stored, and again when no copy is left.
    content TEXT
  );
  CREATE INDEX messages_by_expiry ON messages (expires_at);

  -- One row a recipient. A removed one stays as long as its message, and is in no index that reads use.
  CREATE TABLE emails (
    id TEXT NOT NULL,
    address TEXT NOT NULL,
    domain TEXT NOT NULL,
    message INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    read INTEGER NOT NULL DEFAULT 0,
    removed INTEGER NOT NULL DEFAULT 0
  );
  CREATE UNIQUE INDEX emails_by_address ON emails (address, id) WHERE removed = 0;
  CREATE INDEX emails_by_domain ON emails (domain, id) WHERE removed = 0;
  CREATE INDEX emails_by_message ON emails (message);

  -- A part has its bytes in its own row when they are few, otherwise in chunks. An id is never used again
  -- (AUTOINCREMENT), so whoever reads chunk by chunk cannot slip into another part.
  CREATE TABLE parts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    message INTEGER NOT NULL,
    name TEXT NOT NULL,
    -- Null while its chunks are still coming in: then nobody sees it.
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

  CREATE TABLE domains (
    name TEXT PRIMARY KEY,
    status TEXT NOT NULL,
    key_hash TEXT,
    configured INTEGER NOT NULL,
    key_configured INTEGER NOT NULL,
    registered_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX domains_by_key ON domains (key_hash) WHERE key_hash IS NOT NULL;
  `,
  // 2: keys and limits
  `
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

  CREATE TABLE reservations (name TEXT PRIMARY KEY, until INTEGER NOT NULL) WITHOUT ROWID;
  CREATE INDEX reservations_by_expiry ON reservations (until);
  `,
  // One row for a message and one for a recipient, because a commit writes every page that it
  // touches.
  `
  -- JSON of [address, id] of every copy that there ever was, also of those that were removed.
  ALTER TABLE messages ADD COLUMN copies TEXT NOT NULL DEFAULT '[]';
  UPDATE messages SET copies =
    (SELECT json_group_array(json_array(address, id)) FROM emails WHERE message = messages.id);
  -- The parts of these names, where they came with the emails; otherwise they are in the table parts.
  ALTER TABLE messages ADD COLUMN raw BLOB;
  ALTER TABLE messages ADD COLUMN detail BLOB;

  CREATE TABLE copies (
    address TEXT NOT NULL,
    id TEXT NOT NULL,
    domain TEXT NOT NULL,
    message INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    read INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (address, id)
  ) WITHOUT ROWID;
  INSERT INTO copies SELECT address, id, domain, message, expires_at, read FROM emails WHERE removed = 0;
  DROP TABLE emails;
  ALTER TABLE copies RENAME TO emails;
  CREATE INDEX emails_by_domain ON emails (domain, id);
  `,
  // 3: verification as a conditional change, and mail that disappears when access opens
  `
  ALTER TABLE domains ADD COLUMN key_presented INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE domains ADD COLUMN visible_after TEXT NOT NULL DEFAULT '';
  ALTER TABLE domains ADD COLUMN checked_at INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE domains ADD COLUMN key_missing_since INTEGER;
  ALTER TABLE domains ADD COLUMN unanswered_since INTEGER;
  ALTER TABLE domains ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
  `,
  // 4: webhooks and their jobs
  `
  CREATE TABLE webhooks (
    id TEXT PRIMARY KEY,
    key_hash TEXT NOT NULL,
    -- The address or the domain that it is about.
    topic TEXT NOT NULL,
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
    attempt TEXT NOT NULL
  );
  CREATE INDEX webhook_attempts_by_webhook ON webhook_attempts (webhook, id);
  `,
  // Usernames from a sequence instead of a row for each
  `
  CREATE TABLE sequences (name TEXT PRIMARY KEY, next INTEGER NOT NULL, secret TEXT NOT NULL) WITHOUT ROWID;
  DROP TABLE reservations;
  `,
  // Templates of the send APIs
  `
  CREATE TABLE email_templates (
    id INTEGER PRIMARY KEY,
    provider TEXT NOT NULL,
    name TEXT NOT NULL,
    content TEXT NOT NULL,
    -- Bytes of the content.
    size INTEGER NOT NULL,
    created_at INTEGER NOT NULL
  );
  CREATE UNIQUE INDEX email_templates_by_name ON email_templates (provider, name);
  `,
  // Who fills the store
  `
  -- One row for each message of a stranger, as long as its parts are stored.
  CREATE TABLE origins (
    message INTEGER PRIMARY KEY,
    client TEXT NOT NULL,
    sender TEXT NOT NULL,
    -- Of the first recipient.
    domain TEXT NOT NULL,
    bytes INTEGER NOT NULL
  );
  `,
]

/**
 * Runs the steps that the database has not seen, each in its own transaction.
 * @throws StoreError if the database has seen more steps, because a newer version wrote it
 */
export function migrate(db: DatabaseSync, steps: readonly string[]): void {
  const seen = Number(db.prepare('PRAGMA user_version').get()!.user_version)
  if (seen > steps.length) {
    throw new StoreError(
      `The store was written by a newer version of Mayfly (schema ${seen}; this one knows ${steps.length}). ` +
        'Start that version, or give this one a directory of its own.',
    )
  }
  for (const [index, step] of steps.entries()) {
    if (index < seen) continue
    db.exec('BEGIN IMMEDIATE')
    try {
      db.exec(step)
      db.exec(`PRAGMA user_version = ${index + 1}`)
      db.exec('COMMIT')
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK')
      throw error
    }
  }
}
