import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openStore } from '../../adapters/sqlite/store.ts'
import { newDomain } from '../../core/access/registration.ts'
import { receive } from '../../core/inbox/receive.ts'
import { DAY_MS, HOUR_MS } from '../../core/limits.ts'
import { lastUlidOf } from '../../core/ulid.ts'
import { readMail } from '../../local-service/reading.ts'
import { NO_VERDICTS } from '../../reading/message.ts'

export interface Filling {
  /** Addresses user0, user1, …, with this many mails each. */
  inboxes: number
  each: number
  /** Mails of the address `big`. */
  big: number
}

const DOMAIN = 'mayfly.test'
const BATCH = 10_000
const TIME_CHARACTERS = 10

const MAIL = [
  'From: "Example Shop" <no-reply@shop.example>',
  'To: customer@mayfly.test',
  'Subject: Your verification code',
  '',
  'Your verification code is 739105.',
  'https://shop.example/verify?token=8f14e45fceea167a',
  '',
].join('\r\n')

/**
 * Fills the store of a service that is not running yet. One small mail is received as any other is; its rows are
 * then copied inside the database under new ids, because a million mails by SMTP would take many minutes. Nothing
 * is synced until the end.
 */
export async function fillStore(dataDir: string, filling: Filling): Promise<void> {
  await receiveOne(dataDir)
  const db = new DatabaseSync(join(dataDir, 'mayfly.db'))
  db.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -1000000; PRAGMA wal_autocheckpoint = 100000')
  copy(db, filling.big, `'big@${DOMAIN}'`)
  copy(db, filling.inboxes * filling.each, `'user' || (n % ${filling.inboxes}) || '@${DOMAIN}'`)
  // The copies have ids of the last hours, and are not to be mail from before the registration.
  db.exec("UPDATE domains SET visible_after = ''")
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  db.close()
}

async function receiveOne(dataDir: string): Promise<void> {
  const store = await openStore({ dir: dataDir })
  const domain = { ...newDomain(DOMAIN, 'verified', Date.now()), configured: true }
  await store.domains.change(DOMAIN, undefined, domain)
  const raw = Buffer.from(MAIL)
  await store.blobs.put('1', 'raw', raw)
  const delivery = {
    messageId: '1',
    mailFrom: null,
    recipients: [`template@${DOMAIN}`],
    verdicts: NO_VERDICTS,
  }
  await receive(store, delivery, raw, { read: readMail, retentionMs: DAY_MS })
  await store.close()
}

/** @param address as SQL, of the number `n` of a copy */
function copy(db: DatabaseSync, count: number, address: string): void {
  const template = Number(db.prepare('SELECT min(id) AS id FROM messages').get()!.id)
  for (let from = 0; from < count; from += BATCH) {
    const first = Number(db.prepare('SELECT max(id) AS id FROM messages').get()!.id) + 1
    // Each batch a moment later than the one before it, so that ids grow; all of them within the last hours.
    const time = Date.now() - HOUR_MS
    const numbers = `WITH RECURSIVE numbers (n) AS
      (SELECT ${from} UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ${Math.min(from + BATCH, count)})`
    const id = `${first} + n - ${from}`
    const ulid = `'${lastUlidOf(time).slice(0, TIME_CHARACTERS)}' || printf('%016d', ${id})`
    const expiry = time + DAY_MS
    db.exec(`
      BEGIN;
      INSERT INTO messages (id, expires_at, stored, has, sender, subject, summary)
        ${numbers} SELECT ${id}, ${expiry}, 1, has, sender, subject, summary
        FROM numbers, messages WHERE id = ${template};
      INSERT INTO emails (id, address, domain, message, expires_at, addresses, subject, message_read)
        ${numbers} SELECT ${ulid}, ${address}, '${DOMAIN}', ${id}, ${expiry}, ${address} || char(10) || t.addresses,
          t.subject, 0
        FROM numbers, emails t WHERE t.address = 'template@${DOMAIN}';
      INSERT INTO parts (message, name, size, data)
        ${numbers} SELECT ${id}, name, size, data FROM numbers, parts WHERE message = ${template};
      COMMIT`)
  }
}
