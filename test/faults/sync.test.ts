import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { openForWriting } from '../../adapters/sqlite/database.ts'

/**
 * A killed process loses nothing that it wrote, synced or not: only a power cut does, and no test
 * causes one.
 */
test('the connection that writes syncs its log at each commit (SQLite: WAL, synchronous FULL)', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'mayfly-sync-'))
  const db = openForWriting(dir)
  const pragma = (name: string) => db.raw.prepare(`PRAGMA ${name}`).get()![name]
  expect([pragma('journal_mode'), pragma('synchronous')]).toEqual(['wal', 2])
  db.close()
  await rm(dir, { recursive: true, force: true })
})
