import { existsSync, readFileSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { type Database, openForReading, openForWriting } from '../../../adapters/sqlite/database.ts'
import { isBusy, translated } from '../../../adapters/sqlite/errors.ts'
import { Space } from '../../../adapters/sqlite/space.ts'
import { Problem } from '../../../core/errors.ts'
import { temporaryDirectory } from './store-temporary.ts'

let dir: string
let remove: () => void
let db: Database

beforeEach(() => {
  ;({ dir, remove } = temporaryDirectory())
  db = openForWriting(dir)
})
afterEach(() => {
  jest.useRealTimers()
  db.close()
  remove()
})

const pragma = (name: string) => Object.values(db.raw.prepare(`PRAGMA ${name}`).get()!)[0]
const PAGE = 4096

test('the connection that writes syncs each commit, has a log of limited size, and keeps 8 MB of a transaction in memory', () => {
  const names = [
    'page_size',
    'journal_mode',
    'synchronous',
    'wal_autocheckpoint',
    'journal_size_limit',
    'cache_spill',
  ]
  expect(names.map(pragma)).toEqual([PAGE, 'wal', 2, 4000, 64 * 1024 * 1024, 2000])
})

test('each connection keeps temporary tables in memory and waits a second for locks; the one that writes has a smaller cache', () => {
  const reading = openForReading(dir)
  for (const [{ raw }, cache] of [
    [db, -1024],
    [reading, -8192],
  ] as const) {
    const pragmas = ['cache_size', 'temp_store', 'busy_timeout'].map((name) =>
      raw.prepare(`PRAGMA ${name}`).get(),
    )
    expect(pragmas.map((row) => Object.values(row!)[0])).toEqual([cache, 2, 1000])
  }
  reading.close()
})

test('a connection compiles each statement once', () => {
  const prepare = jest.spyOn(db.raw, 'prepare')
  const read = (n: number) => db.get('SELECT ? AS n', n)
  expect([read(1), read(2)]).toEqual([{ n: 1 }, { n: 2 }])
  expect(prepare).toHaveBeenCalledTimes(1)
})

test('a connection that reads cannot write', () => {
  const reading = openForReading(dir)
  expect(() => reading.run('DELETE FROM emails')).toThrow(/readonly|store/)
  reading.close()
})

test('each read sees one state of the database, and a transaction sees the same one throughout', () => {
  const reading = openForReading(dir)
  const count = () => reading.get<{ n: number }>('SELECT count(*) AS n FROM uses')!.n
  const seen = reading.snapshot(() => {
    const before = count()
    db.run("INSERT INTO uses (name, subject, at, expires_at) VALUES ('a', 'b', 1, 2)")
    return [before, count(), reading.snapshot(count)]
  })
  expect(seen).toEqual([0, 0, 0])
  expect([reading.raw.isTransaction, count()]).toEqual([false, 1])
  reading.close()
})

test.each([
  [100_000, 10, 10 * PAGE + 5000],
  [1_000_000, 24, 24 * PAGE + 50_000],
  [1_000_000_000, 4000, 4000 * PAGE + 4 * 1024 * 1024],
])('of %d bytes the log has %d pages, and %d bytes are held in reserve', (maxBytes, pages, reserve) => {
  const space = new Space(db, dir, maxBytes)
  expect(pragma('wal_autocheckpoint')).toBe(pages)
  expect(pragma('journal_size_limit')).toBe(pages === 4000 ? 64 * 1024 * 1024 : pages * PAGE)
  const file = join(dir, 'reserve')
  // Allocated on the disk, not sparse.
  const held = () => ({ size: statSync(file).size, isReal: statSync(file).blocks * 512 >= reserve })
  expect(held()).toEqual({ size: reserve, isReal: true })
  const { ino } = statSync(file)
  space.hold()
  expect(statSync(file).ino).toBe(ino)
  space.release()
  expect(existsSync(file)).toBe(false)
  space.hold()
  expect(held()).toEqual({ size: reserve, isReal: true })
  expect(readFileSync(file).some((byte) => byte !== 0)).toBe(false)
  writeFileSync(file, 'x')
  space.hold()
  expect(held()).toEqual({ size: reserve, isReal: true })
})

test('without a reserve there is room only for what the file holds, less what a batch of the sweep writes', () => {
  jest.useFakeTimers()
  const space = new Space(db, dir, 10_000_000)
  space.release()
  expect(space.hasRoom(0)).toBe(false)
  db.raw.exec('CREATE TABLE more (n); INSERT INTO more VALUES (zeroblob(1000000)); DROP TABLE more')
  jest.advanceTimersByTime(51)
  const free = Number(pragma('freelist_count')) * PAGE - 500_000
  expect([space.hasRoom(free / 2.5 - 1), space.hasRoom(free / 2.5)]).toEqual([true, false])
  space.hold()
  expect(space.hasRoom(free)).toBe(true)
})

test('a copied log is written again from its start', () => {
  const space = new Space(db, dir, 10_000_000)
  const log = () => statSync(join(dir, 'mayfly.db-wal')).size
  const write = () =>
    db.raw.exec('CREATE TABLE more (n); INSERT INTO more VALUES (zeroblob(100000)); DROP TABLE more')
  write()
  const once = log()
  write()
  const twice = log()
  expect(twice).toBeGreaterThan(once)
  space.copyLog()
  write()
  expect(log()).toBe(twice)
})

test('has room for a message while two and a half times its size is free, as measured a moment ago', () => {
  jest.useFakeTimers()
  const used = () => (Number(pragma('page_count')) - Number(pragma('freelist_count'))) * PAGE
  const space = new Space(db, dir, used() + 250)
  expect([space.hasRoom(99), space.hasRoom(100)]).toEqual([true, false])
  const before = used()
  db.raw.exec('CREATE TABLE more (n); INSERT INTO more VALUES (zeroblob(100000))')
  expect(used()).toBeGreaterThan(before + 100_000)
  jest.advanceTimersByTime(50)
  expect(space.hasRoom(99)).toBe(true)
  jest.advanceTimersByTime(1)
  expect(space.hasRoom(0)).toBe(false)
  // Removed data gives room, although the file keeps its length.
  db.raw.exec('DROP TABLE more')
  jest.advanceTimersByTime(51)
  expect(space.hasRoom(99)).toBe(true)
})

test('the default bound is four fifths of the free space', () => {
  const { bavail, bsize } = statfsSync(dir)
  const { maxBytes } = new Space(db, dir, undefined)
  // Other programs use the disk meanwhile.
  expect(maxBytes / (bavail * bsize)).toBeCloseTo(0.8, 1)
})

test('a fault of the machine is reported as such with its cause; any other error is unchanged', () => {
  const fault = (code: string, errcode?: number) => Object.assign(new Error('x'), { code, errcode })
  const [full, io] = [fault('ERR_SQLITE_ERROR', 13), fault('ERR_SQLITE_ERROR', 10 | (3 << 8))]
  for (const error of [full, io])
    expect(translated(error)).toMatchObject({ code: 'unavailable', cause: error })
  for (const error of [fault('ERR_SQLITE_ERROR'), fault('ERR_OTHER', 13), new Error('x')])
    expect(translated(error)).toBe(error)
  // BUSY, LOCKED, NOMEM, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, PROTOCOL and NOTADB.
  const codes = Array.from({ length: 29 }, (_, code) => code)
  const faults = codes.filter((code) => translated(fault('ERR_SQLITE_ERROR', code)) instanceof Problem)
  expect(faults).toEqual([5, 6, 7, 8, 10, 11, 13, 14, 15, 26])
  expect([5, 5 | (1 << 8), 6].map((errcode) => isBusy(fault('ERR_SQLITE_ERROR', errcode)))).toEqual([
    true,
    true,
    false,
  ])
})
