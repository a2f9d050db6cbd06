import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectStore } from '../../../adapters/sqlite/connect.ts'
import { type Database, openForWriting } from '../../../adapters/sqlite/database.ts'
import { portsOn, type StorePorts } from '../../../adapters/sqlite/ports.ts'
import { openStore, type Store, type StoreOptions } from '../../../adapters/sqlite/store.ts'
import { openWriter } from '../../../adapters/sqlite/writer.ts'
import { type Writing, writingTo } from '../../../adapters/sqlite/writing.ts'
import type { Clock } from '../../../core/clock.ts'
import type { Change, ChangeFeed } from '../../../core/events/ports.ts'
import type { Opened } from '../../contract/opened.ts'

/** A directory that the test deletes. */
export function temporaryDirectory(): { dir: string; remove(): void } {
  const dir = mkdtempSync(join(tmpdir(), 'mayfly-store-'))
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) }
}

/** A clock for all threads of a store, and the function that moves it. */
export function movableClock(): { clockOffset: SharedArrayBuffer; advance(ms: number): void } {
  const clockOffset = new SharedArrayBuffer(8)
  const moved = new BigInt64Array(clockOffset)
  return { clockOffset, advance: (ms) => void Atomics.add(moved, 0, BigInt(ms)) }
}

/** A new store with real threads on a real disk; closing it deletes it. */
export async function openTemporary(
  options: Partial<StoreOptions> = {},
): Promise<Opened<Store & { dir: string }>> {
  const { dir, remove } = temporaryDirectory()
  const { clockOffset, advance } = movableClock()
  const store = await openStore({ dir, clockOffset, ...options })
  return {
    ...store,
    dir,
    advance,
    async close() {
      await store.close()
      remove()
    },
  }
}

/** The ports of a second thread, and the changes that it receives. */
export async function openConnected(): Promise<Opened<StorePorts & { changeFeed: ChangeFeed }>> {
  const { dir, remove } = temporaryDirectory()
  const { clockOffset, advance } = movableClock()
  const listeners = new Set<(change: Change) => void>()
  const writer = openWriter({
    dir,
    clockOffset,
    publish(changes) {
      for (const change of changes) for (const listener of listeners) listener(change)
    },
  })
  const connected = connectStore(writer.connection())
  return {
    ...connected,
    changeFeed: {
      subscribe(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    },
    advance,
    async close() {
      connected.close()
      await writer.close()
      remove()
    },
  }
}

export interface OpenWriting {
  dir: string
  db: Database
  writing: Writing
  ports: StorePorts
  /** The changes of each commit. */
  published: Change[][]
  close(): void
}

/** The ports of the writing thread, run in this thread with this clock. */
export function openWriting(clock: Clock): OpenWriting {
  const { dir, remove } = temporaryDirectory()
  const db = openForWriting(dir)
  const published: Change[][] = []
  const writing = writingTo(db, clock, { publish: (changes) => published.push(changes) })
  return {
    dir,
    db,
    writing,
    ports: portsOn(db, writing.commands, clock, async () => ({})),
    published,
    close() {
      writing.group.flush()
      db.close()
      remove()
    },
  }
}
