import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { openForReading, takeDirectory } from '../../../adapters/sqlite/database.ts'
import { StoreError } from '../../../adapters/sqlite/errors.ts'
import { FIRST_VERSION, MIGRATIONS, migrate } from '../../../adapters/sqlite/migrations.ts'
import { openStore, type StoreOptions } from '../../../adapters/sqlite/store.ts'
import { MINUTE_MS } from '../../../core/limits.ts'
import { HOUR_MS, sampleMail, uniqueAddress } from '../../contract/sample.ts'
import { movableClock, temporaryDirectory } from './store-temporary.ts'

let dir: string
let remove: () => void

beforeEach(() => {
  ;({ dir, remove } = temporaryDirectory())
})
afterEach(() => remove())

/** Opens the store, runs `use`, and closes it. */
async function withStore<T>(
  use: (store: Awaited<ReturnType<typeof openStore>>) => Promise<T>,
  options: Partial<StoreOptions> = {},
): Promise<T> {
  const store = await openStore({ dir, ...options })
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}

async function refusal(at: string): Promise<string> {
  const error = await openStore({ dir: at }).then(
    (store) => store.close(),
    (error: unknown) => error,
  )
  expect(error).toBeInstanceOf(StoreError)
  return (error as StoreError).message
}

/** Returns what another process gets that locks the directory as an ordinary user; '' for the lock. */
function lockElsewhere(): string {
  const script = `
    const { takeDirectory } = await import('./adapters/sqlite/database.ts')
    if (process.getuid() === 0) process.setuid(65534)
    try {
      takeDirectory(process.argv[1])()
    } catch (error) {
      console.log(error.message)
    }`
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script, dir]
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  return stdout + stderr
}

const file = () => join(dir, 'mayfly.db')

describe('starting', () => {
  test('creates its directory, accessible only to its owner', async () => {
    dir = join(dir, 'deep', 'down')
    await withStore((store) => store.emails.check())
    expect(statSync(dir).mode & 0o777).toBe(0o700)
  })

  test('lets only its owner read its files, even in a folder that others may read', async () => {
    chmodSync(dir, 0o755)
    const open = ['mayfly.db', 'lock.db', 'mayfly.db-wal', 'mayfly.db-shm'].map((name) => join(dir, name))
    // SQLite corrects the mode of an empty file itself.
    for (const name of open) writeFileSync(name, name.endsWith('-shm') ? 'x' : '', { mode: 0o644 })
    await withStore(async (store) => {
      await store.emails.store(sampleMail([uniqueAddress()]))
      const modes = readdirSync(dir).map((name) => [name, statSync(join(dir, name)).mode & 0o777])
      expect(modes.length).toBeGreaterThanOrEqual(4)
      expect(modes.filter(([, mode]) => mode !== 0o600)).toEqual([])
    })
  })

  test('has everything that was stored before', async () => {
    const address = uniqueAddress()
    const mail = sampleMail([address])
    const raw = Buffer.alloc(600_000, 'raw')
    const [email] = await withStore(async (store) => {
      await store.blobs.put(mail.messageId, 'raw', raw)
      return store.emails.store(mail)
    })
    await withStore(async ({ emails, blobs, limits, keys }) => {
      expect((await emails.page(address, { limit: 9 })).emails).toEqual([email])
      expect((await blobs.open(mail.messageId, 'raw'))!.size).toBe(raw.length)
      await limits.take('keys', 'a', 2, HOUR_MS, 1000)
      await limits.lease('name', 10, 'secret')
      await keys.add({ hash: 'h', purpose: '', createdAt: 0, expiresAt: HOUR_MS })
    })
    await withStore(async ({ limits, keys }) => {
      expect((await limits.peek('keys', 'a', 2, HOUR_MS, 1000)).remaining).toBe(1)
      expect(await limits.lease('name', 1, 'other')).toEqual({ first: 10, secret: 'secret' })
      expect((await keys.admit('h', 120, 1000)).outcome).toBe('admitted')
    })
  })

  test('creates greater ids than before, even if the clock was set back', async () => {
    const address = uniqueAddress()
    const { clockOffset, advance } = movableClock()
    const store = () =>
      withStore(async ({ emails }) => (await emails.store(sampleMail([address])))[0]!.id, { clockOffset })
    const ids = [await store()]
    advance(-2 * HOUR_MS)
    ids.push(await store(), await store())
    advance(5 * HOUR_MS)
    ids.push(await store())
    expect(ids).toEqual(ids.toSorted())
    expect(new Set(ids).size).toBe(4)
  })

  test('does not reuse an id when the emails with the greatest ids are removed', async () => {
    const { clockOffset, advance } = movableClock()
    const store = () =>
      withStore(
        async ({ emails, sweep }) => {
          const [email] = await emails.store(sampleMail([uniqueAddress()], { retentionMs: 1 }))
          // The first id after a restart may have a time that is 100 ms ahead.
          advance(HOUR_MS + MINUTE_MS)
          expect((await sweep()).messages).toBe(1)
          advance(-2 * HOUR_MS)
          return email!.id
        },
        { clockOffset },
      )
    const [first, second] = [await store(), await store()]
    expect(second > first).toBe(true)
  })

  test('sweeps a message whose parts came first when its emails expire, not when its parts alone would have', async () => {
    const { clockOffset, advance } = movableClock()
    await withStore(
      async ({ blobs, emails, sweep }) => {
        const mail = sampleMail([uniqueAddress()], { retentionMs: 1 })
        await blobs.put(mail.messageId, 'raw', new Uint8Array(1))
        await emails.store(mail)
        advance(MINUTE_MS)
        expect((await sweep()).messages).toBe(1)
      },
      { clockOffset },
    )
  })

  test('leaves a database unchanged when a migration fails', async () => {
    const db = new DatabaseSync(file())
    const steps = ['CREATE TABLE one (a)', 'CREATE TABLE two (a); CREATE TABLE one (a)']
    expect(() => migrate(db, steps)).toThrow(/one already exists/)
    expect(db.prepare('PRAGMA user_version').get()).toEqual({ user_version: FIRST_VERSION + 1 })
    expect(db.prepare('SELECT name FROM sqlite_schema').all()).toEqual([{ name: 'one' }])
    migrate(db, [steps[0]!, 'CREATE TABLE two (a)'])
    expect(db.prepare('PRAGMA user_version').get()).toEqual({ user_version: FIRST_VERSION + 2 })
    db.close()
  })
})

describe('refusing to start', () => {
  test.each([
    ['a newer version', 999],
    ['a version of Mayfly before 0.4', 8],
  ])('when %s wrote the database, which stays unchanged', async (by, version) => {
    await withStore((store) => store.emails.check())
    const db = new DatabaseSync(file())
    db.exec(`PRAGMA user_version = ${version}`)
    db.close()
    const message = await refusal(dir)
    expect(message).toContain(`written by ${by}`)
    expect(message).toContain(`(schema ${version};`)
    const after = new DatabaseSync(file())
    expect(after.prepare('PRAGMA user_version').get()).toEqual({ user_version: version })
    // A process that did not start does not hold the directory either.
    after.exec(`PRAGMA user_version = ${FIRST_VERSION + MIGRATIONS.length}`)
    after.close()
    await withStore((store) => store.emails.check())
  })

  test('when the directory is in use, and not after its release', async () => {
    await withStore(async (store) => {
      expect(await refusal(dir)).toMatch(/in use by another process/)
      // What SQLite said goes to the log.
      const isBusy = expect.objectContaining({ message: expect.stringContaining('locked') })
      expect(() => takeDirectory(dir)).toThrow(expect.objectContaining({ cause: isBusy }))
      await store.emails.check()
    })
    await withStore((store) => store.emails.check())
  })

  test('also of another process, after this one tried to take the directory again', async () => {
    chmodSync(dir, 0o777)
    await withStore(async () => {
      for (const name of readdirSync(dir)) chmodSync(join(dir, name), 0o666)
      await refusal(dir)
      for (const name of readdirSync(dir)) chmodSync(join(dir, name), 0o666)
      expect(lockElsewhere()).toMatch(/in use by another process/)
    })
  })

  // SQLite opens such a file without an error. Its log exists after a process was killed.
  test.each(['mayfly.db', 'lock.db', 'mayfly.db-wal'])('when this user may only read %s', async (name) => {
    await withStore((store) => store.emails.check())
    chmodSync(dir, 0o777)
    writeFileSync(`${file()}-wal`, '')
    for (const each of readdirSync(dir)) chmodSync(join(dir, each), 0o666)
    expect(lockElsewhere()).toBe('')
    chmodSync(join(dir, name), 0o444)
    expect(lockElsewhere()).toContain(
      `The store in ${dir} cannot be opened (EACCES: permission denied, access '${join(dir, name)}')`,
    )
  })

  test('when the file is not a database, and leaves it unchanged', async () => {
    const text = 'These are notes, not a database.\n'.repeat(1000)
    writeFileSync(file(), text)
    expect(await refusal(dir)).toMatch(/cannot be opened \(file is not a database\)/)
    expect(readFileSync(file(), 'utf8')).toBe(text)
  })

  test('when the database is damaged', async () => {
    await withStore((store) => store.emails.store(sampleMail([uniqueAddress()])))
    const blobs = readFileSync(file())
    // The header stays intact, the schema after it does not.
    writeFileSync(file(), blobs.fill(0xa5, 100, 4096))
    expect(await refusal(dir)).toMatch(/cannot be opened \(database disk image is malformed\)/)
  })

  test('when the directory is a file, or below one', async () => {
    const occupied = join(dir, 'occupied')
    writeFileSync(occupied, '')
    expect(await refusal(occupied)).toMatch(/cannot be opened/)
    expect(await refusal(join(occupied, 'below'))).toMatch(/cannot be opened/)
    expect(await refusal('/proc/none/below')).toMatch(/cannot be opened/)
  })

  test('when the database cannot be opened', async () => {
    mkdirSync(file())
    expect(await refusal(dir)).toMatch(/cannot be opened \(unable to open database file\)/)
    // Its second connection, which only reads.
    expect(() => openForReading(dir)).toThrow(StoreError)
  })
})
