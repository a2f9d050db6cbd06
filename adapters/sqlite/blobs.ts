import type { BlobStore, Download, Opened, Part } from '../../core/inbox/ports.ts'
import { HOUR_MS } from '../../core/limits.ts'
import type { Database } from './database.ts'
import { storeFull, unavailable } from './errors.ts'
import { rowOf } from './message-rows.ts'
import type { CommandSet, Committed, Transaction } from './transaction.ts'

/**
 * A larger part is stored in rows of this size, so that only one row is in memory while it is read
 * or written.
 */
export const CHUNK_BYTES = 256 * 1024

/**
 * Parts whose emails are not stored within this time are removed, because their writer has failed.
 */
const UNSTORED_MS = HOUR_MS

/**
 * The parts of messages, in the same database as the emails.
 *
 * A reader sees a whole part or none, and after a replacement the old one or the new one, never a
 * mixture: chunks are written under an id that becomes visible with the last chunk. A stream whose
 * part is replaced or removed while it is read rejects with Problem `unavailable`.
 */
type Commands = Committed<typeof blobCommands>

export class SqliteBlobs implements BlobStore {
  readonly #db: Database
  readonly #commands: Commands

  constructor(db: Database, commands: Commands) {
    this.#db = db
    this.#commands = commands
  }

  async put(messageId: string, part: Part, content: AsyncIterable<Uint8Array> | Uint8Array): Promise<void> {
    const chunks = rechunk(Symbol.asyncIterator in content ? content : [content])
    const first = (await next(chunks)) ?? new Uint8Array(0)
    if (first.length < CHUNK_BYTES) await this.#commands.putPart(messageId, part, first)
    else await this.#upload(messageId, part, first, chunks)
  }

  /** Writes one chunk at a time, so that a fast source waits for the disk. */
  async #upload(messageId: string, part: Part, first: Chunk, chunks: Chunks): Promise<void> {
    let upload: number | undefined
    try {
      upload = await this.#commands.beginPart(messageId, part)
      let n = 0
      let size = 0
      for (let chunk: Chunk | undefined = first; chunk !== undefined; chunk = await next(chunks)) {
        size += chunk.length
        await this.#commands.appendToPart(upload, n++, chunk)
      }
      await this.#commands.finishPart(upload, size)
    } catch (error) {
      // If this fails too, the chunks are removed with the message.
      if (upload !== undefined) await this.#commands.abandonPart(upload).catch(() => {})
      throw error
    } finally {
      await chunks.return(undefined)
    }
  }

  async open(messageId: string, part: Part): Promise<Opened | undefined> {
    const own = ownColumn(part)
    const found = this.#db.get<StoredPart>(
      `SELECT p.id, coalesce(p.size, length(${own})) AS size, coalesce(p.data, ${own}) AS data FROM messages m
       LEFT JOIN parts p ON p.message = m.id AND p.name = ? AND p.size IS NOT NULL WHERE m.id = ?`,
      part,
      rowOf(messageId),
    )
    return found && isThere(found) ? { size: found.size, stream: this.#read(found) } : undefined
  }

  /** Reads each chunk by itself, so that a slow client holds neither the log nor memory. */
  async *#read({ id, size, data }: StoredPart & { size: number }): AsyncGenerator<Uint8Array> {
    if (data !== null) {
      if (size > 0) yield data
      return
    }
    for (let n = 0, seen = 0; seen < size; n++) {
      const chunk = this.#db.get<{ data: Uint8Array }>(
        'SELECT data FROM chunks WHERE part = ? AND n = ?',
        id,
        n,
      )
      if (chunk === undefined) throw unavailable(new Error('the part was removed while it was read'))
      seen += chunk.data.length
      yield chunk.data
    }
  }

  async link(_messageId: string, _part: Part, _download: Download): Promise<undefined> {
    return undefined
  }

  async remove(messageId: string): Promise<void> {
    await this.#commands.removeParts(messageId)
  }
}

/** The column of the message row for this part of a small message (see insertMessage). */
function ownColumn(part: string): 'm.raw' | 'm.body' | 'NULL' {
  if (part === 'raw') return 'm.raw'
  return part === 'body' ? 'm.body' : 'NULL'
}

interface StoredPart {
  id: number
  /** Null if there is no such part. */
  size: number | null
  /** Null if the part is in chunks. */
  data: Uint8Array | null
}

/** Commands that change parts. */
export const blobCommands = {
  putPart({ db, clock }: Transaction, messageId: string, name: string, data: Uint8Array): void {
    putPart(db, messageOf(db, messageId, clock()), name, data)
  },

  /** Creates an invisible part. Returns its id. */
  beginPart({ db, clock }: Transaction, messageId: string, name: string): number {
    const message = messageOf(db, messageId, clock())
    return db.run('INSERT INTO parts (message, name) VALUES (?, ?)', message, name).id
  },

  /** @throws Problem `unavailable` if the store is full */
  appendToPart({ db, isFull }: Transaction, upload: number, n: number, data: Uint8Array): void {
    if (isFull()) throw storeFull()
    db.run('INSERT INTO chunks (part, n, data) VALUES (?, ?, ?)', upload, n, data)
  },

  /** Makes the part visible in place of an earlier one. */
  finishPart({ db }: Transaction, upload: number, size: number): void {
    const part = db.get<{ message: number; name: string }>(
      'SELECT message, name FROM parts WHERE id = ?',
      upload,
    )
    if (part === undefined) throw unavailable(new Error('the message was removed while a part came in'))
    removePart(db, part.message, part.name)
    db.run('UPDATE parts SET size = ? WHERE id = ?', size, upload)
  },

  abandonPart({ db }: Transaction, upload: number): void {
    db.run('DELETE FROM chunks WHERE part = ?', upload)
    db.run('DELETE FROM parts WHERE id = ?', upload)
  },

  removeParts({ db }: Transaction, messageId: string): void {
    removeParts(db, rowOf(messageId))
  },
} satisfies CommandSet

/** Returns the row of the message, which is created if it does not exist. */
function messageOf(db: Database, messageId: string, now: number): number {
  const id = rowOf(messageId)
  db.run(
    'INSERT INTO messages (id, expires_at) VALUES (?, ?) ON CONFLICT (id) DO NOTHING',
    id,
    now + UNSTORED_MS,
  )
  return id
}

/** For a command: stores a small part in place of an earlier one. */
export function putPart(db: Database, message: number, name: string, data: Uint8Array): void {
  removePart(db, message, name)
  db.run(
    'INSERT INTO parts (message, name, size, data) VALUES (?, ?, ?, ?)',
    message,
    name,
    data.length,
    data,
  )
}

/** For a command: removes all parts of a message, including incomplete ones. */
export function removeParts(db: Database, message: number): void {
  db.run('UPDATE messages SET raw = NULL, body = NULL WHERE id = ?', message)
  db.run('DELETE FROM chunks WHERE part IN (SELECT id FROM parts WHERE message = ?)', message)
  db.run('DELETE FROM parts WHERE message = ?', message)
  db.run('DELETE FROM origins WHERE message = ?', message)
}

function removePart(db: Database, message: number, name: string): void {
  const own = ownColumn(name)
  if (own !== 'NULL') db.run(`UPDATE messages AS m SET ${own.slice(2)} = NULL WHERE id = ?`, message)
  const part = db.get<{ id: number }>(
    'SELECT id FROM parts WHERE message = ? AND name = ? AND size IS NOT NULL',
    message,
    name,
  )
  if (part === undefined) return
  db.run('DELETE FROM chunks WHERE part = ?', part.id)
  db.run('DELETE FROM parts WHERE id = ?', part.id)
}

function isThere(part: StoredPart): part is StoredPart & { size: number } {
  return part.size !== null
}

type Chunk = Uint8Array<ArrayBuffer>
type Chunks = AsyncGenerator<Chunk, undefined>

async function next(chunks: Chunks): Promise<Chunk | undefined> {
  return (await chunks.next()).value
}

/**
 * Yields the same bytes in chunks of CHUNK_BYTES; the last one is smaller. Each chunk has its own
 * buffer, because it may be sent to another thread and the source may reuse its buffer.
 */
async function* rechunk(source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Chunks {
  let chunk = new Uint8Array(CHUNK_BYTES)
  let filled = 0
  for await (const piece of source) {
    for (let at = 0; at < piece.length; ) {
      const some = piece.subarray(at, at + CHUNK_BYTES - filled)
      chunk.set(some, filled)
      filled += some.length
      at += some.length
      if (filled === CHUNK_BYTES) {
        yield chunk
        chunk = new Uint8Array(CHUNK_BYTES)
        filled = 0
      }
    }
  }
  if (filled > 0) yield chunk.slice(0, filled)
  return undefined
}
