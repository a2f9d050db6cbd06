import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { type Database, LOCK_WAIT_MS, openForWriting } from '../../../adapters/sqlite/database.ts'
import { GroupCommit } from '../../../adapters/sqlite/group-commit.ts'
import type { Change } from '../../../core/events/ports.ts'
import { temporaryDirectory } from './store-temporary.ts'

let db: Database
let dir: string
let remove: () => void
let group: GroupCommit
let commits: number
let undone: number
let published: Change[][]

beforeEach(() => {
  ;({ dir, remove } = temporaryDirectory())
  db = openForWriting(dir)
  db.raw.exec(`
    PRAGMA foreign_keys = ON;
    CREATE TABLE numbers (n INTEGER PRIMARY KEY);
    CREATE TABLE pairs (n INTEGER REFERENCES numbers DEFERRABLE INITIALLY DEFERRED);
  `)
  commits = 0
  undone = 0
  published = []
  group = new GroupCommit(db, {
    beforeCommit: () => void commits++,
    undone: () => void undone++,
    publish: (changes) => published.push(changes),
  })
})
afterEach(() => {
  group.flush()
  db.close()
  remove()
})

const add = (n: number) => () => {
  db.run('INSERT INTO numbers VALUES (?)', n)
  group.publish({ type: 'domain', name: String(n), domain: undefined })
  return n
}
/** How each of these commands of one turn ended. */
async function ends(...commands: (() => unknown)[]): Promise<string[]> {
  const results = await Promise.allSettled(commands.map((command) => group.run(command)))
  return results.map(({ status }) => status)
}

const numbers = () => db.all<{ n: number }>('SELECT n FROM numbers ORDER BY n').map(({ n }) => n)
const names = () => published.flat().map((one) => one.type === 'domain' && one.name)

test('is committed without the command that fails', async () => {
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
  // The transaction, and then the second failed command alone.
  expect(undone).toBe(2)
})

test('fails as a whole when the commit does, and the next one is committed', async () => {
  expect(await ends(add(1), add(2), () => db.run('INSERT INTO pairs VALUES (99)'))).toEqual([
    'rejected',
    'rejected',
    'rejected',
  ])
  expect(numbers()).toEqual([])
  expect(names()).toEqual([])

  await group.run(add(4))
  expect(numbers()).toEqual([4])
  expect(names()).toEqual(['4'])
  expect(undone).toBe(1)
})

const giveUp = () => {
  db.raw.exec('ROLLBACK')
  throw new Error('given up')
}

test('runs again without the command for which SQLite rolled the transaction back', async () => {
  expect(await ends(add(1), giveUp, add(2))).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(numbers()).toEqual([1, 2])
  expect(names()).toEqual(['1', '2'])
})

test('fails as a whole when SQLite rolls the transaction back again', async () => {
  expect(await ends(add(1), giveUp, add(2), giveUp, add(3))).toEqual([
    'rejected',
    'rejected',
    'rejected',
    'rejected',
    'fulfilled',
  ])
  expect(numbers()).toEqual([3])
  expect(names()).toEqual(['3'])
  expect(undone).toBe(2)
})

test('keeps neither rows nor changes of a command that fails after another one did', async () => {
  const fail = (n: number) => () => {
    add(n)()
    throw new Error('half done')
  }
  expect(await ends(fail(1), add(2), fail(3), add(4), fail(5))).toEqual([
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

test('publishes nothing if nothing changed', async () => {
  await group.run(() => db.run('INSERT INTO numbers VALUES (1)'))
  await group.run(add(2))
  expect(published.map((changes) => changes.length)).toEqual([1])
})

test('commits nothing if no transaction is open', async () => {
  group.flush()
  await group.run(add(1))
  group.flush()
  expect(commits).toBe(1)
})

test('waits once for each lock of another process, and again after its release', async () => {
  const other = new DatabaseSync(join(dir, 'mayfly.db'))
  const wait = () => db.raw.prepare('PRAGMA busy_timeout').get()!.timeout
  for (const lock of [1, 2]) {
    other.exec('BEGIN IMMEDIATE')
    expect(wait()).toBe(LOCK_WAIT_MS)
    for (let again = 0; again < 2; again++) {
      await expect(group.run(add(-1))).rejects.toMatchObject({ code: 'unavailable' })
      expect(wait()).toBe(0)
    }
    other.exec('ROLLBACK')
    await group.run(add(lock))
    expect(wait()).toBe(LOCK_WAIT_MS)
  }
  other.close()
  expect(numbers()).toEqual([1, 2])
})

describe('when more commands are expected', () => {
  // The turns of the thread are real, and the test sets its clock: delays of a busy machine would
  // change the case.
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'clearImmediate', 'queueMicrotask'] })
    // The clock of a process is never at 0.
    jest.advanceTimersByTime(1)
  })
  afterEach(() => void jest.useRealTimers())

  test('a commit waits for them', async () => {
    group.expected = () => 3
    const results = [group.run(add(1))]
    for (const n of [2, 3]) {
      jest.advanceTimersByTime(1)
      await turn()
      expect(commits).toBe(0)
      results.push(group.run(add(n)))
    }
    await Promise.all(results)
    expect(commits).toBe(1)
  })

  test('a commit waits for no turn of the event loop when the last of them has arrived', async () => {
    group.expected = () => 2
    void group.run(add(1))
    expect(commits).toBe(0)
    void group.run(add(2))
    expect(commits).toBe(1)
  })

  test('it waits at most 2 ms for the next one and 10 ms in total', async () => {
    group.expected = () => 100
    for (let n = 0; n < 6; n++) {
      void group.run(add(n))
      await turn()
      expect(commits).toBe(0)
      jest.advanceTimersByTime(1.9)
    }
    void group.run(add(6))
    await turn()
    expect(commits).toBe(1)
  })

  test('it gives up after a short wait, and then does not wait for a while', async () => {
    group.expected = () => 2
    const first = group.run(add(1))
    jest.advanceTimersByTime(2)
    await first
    expect(commits).toBe(1)
    jest.advanceTimersByTime(50)
    await group.run(add(2))
    expect(commits).toBe(2)
    jest.advanceTimersByTime(1)
    const third = group.run(add(3))
    await turn()
    expect(commits).toBe(2)
    jest.advanceTimersByTime(2)
    await third
  })

  test('it waits again after a command arrived while the thread was busy', async () => {
    group.expected = () => 3
    const first = group.run(add(1))
    jest.advanceTimersByTime(2)
    const second = group.run(add(2))
    await turn()
    expect(commits).toBe(0)
    await Promise.all([first, second, group.run(add(3))])
    expect(commits).toBe(1)
  })
})
