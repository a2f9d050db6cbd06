import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { type Database, LOCK_WAIT_MS, openForWriting } from '../../../adapters/sqlite/database.ts'
import { GroupCommit } from '../../../adapters/sqlite/group-commit.ts'
import type { Change } from '../../../core/events/ports.ts'
import { temporaryDirectory } from './store-temporary.ts'

let db: Database
let dir: string
let remove: () => void
let group: GroupCommit
let commits: number
let announced: Change[][]

beforeEach(() => {
  ;({ dir, remove } = temporaryDirectory())
  db = openForWriting(dir)
  db.raw.exec(`
    PRAGMA foreign_keys = ON;
    CREATE TABLE numbers (n INTEGER PRIMARY KEY);
    CREATE TABLE pairs (n INTEGER REFERENCES numbers DEFERRABLE INITIALLY DEFERRED);
  `)
  commits = 0
  announced = []
  group = new GroupCommit(db, {
    beforeCommit: () => void commits++,
    announce: (changes) => announced.push(changes),
  })
})
afterEach(() => {
  group.flush()
  db.close()
  remove()
})

const add = (n: number) => () => {
  db.run('INSERT INTO numbers VALUES (?)', n)
  group.announce({ type: 'domain', name: String(n), domain: undefined })
  return n
}
const numbers = () => db.all<{ n: number }>('SELECT n FROM numbers ORDER BY n').map(({ n }) => n)
const names = () => announced.flat().map((one) => one.type === 'domain' && one.name)

test('is committed without the one that fails', async () => {
  const results = await Promise.allSettled([
    group.run(add(1)),
    group.run(() => {
      add(2)()
      throw new Error('half done')
    }),
    group.run(add(1)),
    group.run(add(3)),
  ])
  expect(
    results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason.message)),
  ).toEqual([1, 'half done', 'UNIQUE constraint failed: numbers.n', 3])
  expect(numbers()).toEqual([1, 3])
  expect(names()).toEqual(['1', '3'])
})

test('fails as a whole when the commit does, and the next one is committed', async () => {
  const results = await Promise.allSettled([
    group.run(add(1)),
    group.run(add(2)),
    group.run(() => db.run('INSERT INTO pairs VALUES (99)')),
  ])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(numbers()).toEqual([])
  expect(names()).toEqual([])

  await group.run(add(4))
  expect(numbers()).toEqual([4])
  expect(names()).toEqual(['4'])
})

const giveUp = () => {
  db.raw.exec('ROLLBACK')
  throw new Error('given up')
}

test('is run again without the one for which SQLite gave the transaction up', async () => {
  const results = await Promise.allSettled([group.run(add(1)), group.run(giveUp), group.run(add(2))])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(numbers()).toEqual([1, 2])
  expect(names()).toEqual(['1', '2'])
})

test('fails as a whole when SQLite gives the transaction up once more', async () => {
  const results = await Promise.allSettled([
    group.run(add(1)),
    group.run(giveUp),
    group.run(add(2)),
    group.run(giveUp),
    group.run(add(3)),
  ])
  expect(results.map(({ status }) => status)).toEqual([
    'rejected',
    'rejected',
    'rejected',
    'rejected',
    'fulfilled',
  ])
  expect(numbers()).toEqual([3])
  expect(names()).toEqual(['3'])
})

test('leaves nothing of a command that fails after another one did, neither rows nor announcements', async () => {
  const fail = (n: number) => () => {
    add(n)()
    throw new Error('half done')
  }
  const results = await Promise.allSettled([
    group.run(fail(1)),
    group.run(add(2)),
    group.run(fail(3)),
    group.run(add(4)),
    group.run(fail(5)),
  ])
  expect(results.map(({ status }) => status)).toEqual([
    'rejected',
    'fulfilled',
    'rejected',
    'fulfilled',
    'rejected',
  ])
  expect(numbers()).toEqual([2, 4])
  expect(names()).toEqual(['2', '4'])
  expect(commits).toBe(1)
})

test('says nothing where there is nothing to tell', async () => {
  await group.run(() => db.run('INSERT INTO numbers VALUES (1)'))
  await group.run(add(2))
  expect(announced.map((changes) => changes.length)).toEqual([1])
})

test('commits nothing where nothing is open', async () => {
  group.flush()
  await group.run(add(1))
  group.flush()
  expect(commits).toBe(1)
})

test('waits once for a lock that another process holds, and again after it was let go', async () => {
  const other = new DatabaseSync(join(dir, 'mayfly.db'))
  const wait = () => db.raw.prepare('PRAGMA busy_timeout').get()!.timeout
  other.exec('BEGIN IMMEDIATE')
  expect(wait()).toBe(LOCK_WAIT_MS)
  for (const n of [1, 2]) {
    await expect(group.run(add(n))).rejects.toMatchObject({ code: 'unavailable' })
    expect(wait()).toBe(0)
  }
  other.exec('ROLLBACK')
  other.close()
  await group.run(add(3))
  expect(wait()).toBe(LOCK_WAIT_MS)
  expect(numbers()).toEqual([3])
})

test('a commit waits for the commands that are expected', async () => {
  group.expected = () => 3
  const results = [group.run(add(1))]
  await turn()
  results.push(group.run(add(2)))
  await turn()
  expect(commits).toBe(0)
  results.push(group.run(add(3)))
  await Promise.all(results)
  expect(commits).toBe(1)
})

test('but not for long, and then not again at once', async () => {
  group.expected = () => 2
  await group.run(add(1))
  expect(commits).toBe(1)
  // The next one is committed in the next turn, as if none were expected.
  void group.run(add(2))
  await turn()
  await turn()
  expect(commits).toBe(2)
})

test('a commit waits anew where a command has come while the thread was busy', async () => {
  group.expected = () => 3
  const first = group.run(add(1))
  // Both timers are due in one turn: the commit's own, of 2 ms, and this one after it.
  const late = new Promise<void>((resolve) => setTimeout(resolve, 3))
  const until = performance.now() + 6
  while (performance.now() < until);
  await late
  const second = group.run(add(2))
  await turn()
  await Promise.all([first, second, group.run(add(3))])
  expect(commits).toBe(1)
})
