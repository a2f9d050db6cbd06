import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { KeyStore } from './keys.ts'

const KEY_LIFETIME_MS = 30 * 24 * 3_600_000
const SERVICES_MAX = 50
/** A process that holds the lock for longer has ended without removing it. */
const LOCK_MAX_MS = 10_000
const LOCK_POLL_MS = 25

interface Entry {
  key: string
  taken_at: number
}

/**
 * The keys of a user, in a file of the cache folder that all processes and runs of a test suite share. Clients
 * keep the keys there that they create, and a service on this machine the key of its operator. Its rules are in
 * docs/contract.md, "The key file".
 *
 * @example
 * const file = new KeyFile(keyFilePath())
 * const key = await file.get('http://127.0.0.1:8025', createKey, undefined)
 */
export class KeyFile implements KeyStore {
  readonly #path: string | undefined
  readonly #lockMaxMs: number

  /** @param path undefined for a user without a key file: every key is then created */
  constructor(path: string | undefined, lockMaxMs = LOCK_MAX_MS) {
    this.#path = path
    this.#lockMaxMs = lockMaxMs
  }

  /** For a client. A file that cannot be read, written or locked is ignored: the key is then not kept. */
  async get(url: string, create: () => Promise<string>, rejected: string | undefined): Promise<string> {
    const path = this.#path
    if (path === undefined) return create()
    const known = (await read(path)).get(url)?.key
    if (known !== undefined && known !== rejected) return known
    const unlock = await lock(path, this.#lockMaxMs).catch(() => async () => {})
    try {
      const entries = await read(path)
      const other = entries.get(url)?.key
      if (other !== undefined && other !== rejected) return other
      const key = await create()
      await write(path, entries.set(url, { key, taken_at: Date.now() })).catch(() => {})
      return key
    } finally {
      await unlock()
    }
  }

  /** For a service: its key at these base URLs. Rejects if the file could not be written. */
  put(urls: readonly string[], key: string): Promise<void> {
    return this.#change((entries) => {
      for (const url of urls) entries.set(url, { key, taken_at: Date.now() })
    })
  }

  /** Removes the entries of these base URLs that still hold this key. Rejects if the file could not be written. */
  remove(urls: readonly string[], key: string): Promise<void> {
    return this.#change((entries) => {
      for (const url of urls) if (entries.get(url)?.key === key) entries.delete(url)
    })
  }

  async #change(change: (entries: Map<string, Entry>) => void): Promise<void> {
    if (this.#path === undefined) return
    const unlock = await lock(this.#path, this.#lockMaxMs)
    try {
      const entries = await read(this.#path)
      change(entries)
      await write(this.#path, entries)
    } finally {
      await unlock()
    }
  }
}

/** Undefined for a user without a home folder, as in a container with an arbitrary user id. */
export function keyFilePath(env: NodeJS.ProcessEnv = process.env, home = homedir): string | undefined {
  try {
    return join(env.XDG_CACHE_HOME || join(home(), '.cache'), 'mayfly', 'keys.json')
  } catch {
    return undefined
  }
}

/** The entries by base URL; none when the file is missing or not as expected. */
async function read(path: string): Promise<Map<string, Entry>> {
  try {
    // Reading a named pipe would wait for a writer.
    if (!(await stat(path)).isFile()) return new Map()
    const entries: [string, unknown][] = Object.entries(JSON.parse(await readFile(path, 'utf8')))
    return new Map(entries.filter((entry): entry is [string, Entry] => isEntry(entry[1])))
  } catch {
    return new Map()
  }
}

/** Keeps the newest entries, and replaces the file in one step, so that no reader sees half of it. */
async function write(path: string, entries: Map<string, Entry>): Promise<void> {
  const fresh = [...entries]
    .filter(([, { taken_at }]) => Date.now() - taken_at < KEY_LIFETIME_MS)
    .sort(([, a], [, b]) => b.taken_at - a.taken_at)
    .slice(0, SERVICES_MAX)
  const partial = `${path}.${process.pid}`
  try {
    await writeFile(partial, JSON.stringify(Object.fromEntries(fresh), undefined, 1), { mode: 0o600 })
    await rename(partial, path)
  } finally {
    await rm(partial, { force: true })
  }
}

/**
 * Resolves with the function that unlocks, also when the file could not be locked in time. Rejects if the folder is
 * read-only, or belongs to another user.
 */
async function lock(path: string, maxMs: number): Promise<() => Promise<void>> {
  const file = `${path}.lock`
  const startedAt = performance.now()
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  // The age of the lock alone would not end this loop: a clock that was set back makes it young for ever.
  while (performance.now() - startedAt < maxMs) {
    if (await isCreated(file)) return () => rm(file, { force: true }).catch(() => {})
    if ((await ageMs(file)) > maxMs) await rm(file, { force: true })
    else await sleep(LOCK_POLL_MS)
  }
  await rm(file, { force: true })
  return async () => {}
}

async function isCreated(path: string): Promise<boolean> {
  try {
    await (await open(path, 'wx')).close()
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** 0 for a file that does not exist any more. */
async function ageMs(path: string): Promise<number> {
  try {
    return Date.now() - (await stat(path)).mtimeMs
  } catch {
    return 0
  }
}

function isEntry(value: unknown): value is Entry {
  const { key, taken_at } = (value ?? {}) as Partial<Entry>
  return typeof key === 'string' && typeof taken_at === 'number'
}
