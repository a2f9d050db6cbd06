import type { MessagePort } from 'node:worker_threads'
import type { Domains, Keys, Limits } from '../../core/access/ports.ts'
import type { Clock } from '../../core/clock.ts'
import type { BlobStore, MessageStore } from '../../core/inbox/ports.ts'
import { SqliteBlobs } from './blobs.ts'
import { RemoteWriting } from './calls.ts'
import { clockWith } from './clock.ts'
import { type Database, openForReading } from './database.ts'
import { SqliteDomains } from './domains.ts'
import { SqliteKeys } from './keys.ts'
import { SqliteLimits } from './limits.ts'
import { SqliteMessages } from './messages.ts'
import type { Writing } from './writing.ts'

/** The ports of a store. */
export interface StorePorts {
  clock: Clock
  emails: MessageStore
  blobs: BlobStore
  domains: Domains
  keys: Keys
  limits: Limits
}

/** The ports on a connection for reading and a way to write. */
export function portsOn(db: Database, writing: Writing, clock: Clock): StorePorts {
  return {
    clock,
    emails: new SqliteMessages(db, writing, clock),
    blobs: new SqliteBlobs(db, writing),
    domains: new SqliteDomains(db, writing),
    keys: new SqliteKeys(db, writing),
    limits: new SqliteLimits(db, writing),
  }
}

/** What another thread needs to use the store; it can be sent there (`port` in the transfer list). */
export interface Connection {
  dir: string
  port: MessagePort
  clockOffset: SharedArrayBuffer | undefined
}

/**
 * Uses a store that another thread of this process has opened: reads here, writes there. See Store.connection.
 *
 * @throws StoreError when it cannot be read
 */
export function connectStore({ dir, port, clockOffset }: Connection): StorePorts & { close(): void } {
  const db = openForReading(dir)
  const writing = new RemoteWriting(port)
  port.once('close', () => writing.end(new Error('the store was closed')))
  return {
    ...portsOn(db, writing, clockWith(clockOffset)),
    close() {
      port.close()
      db.close()
    },
  }
}
