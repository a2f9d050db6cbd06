import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A lock that is older than this was left behind by a process that ended. */
const LOCK_STALE_MS = 10_000
const LOCK_RETRY_MS = 25
/** A service waits at most this long for a change; the change then continues without it. */
const HOLD_UP_MS = 2_000

/** By base URL; the SDK (packages/client/src/key-file.ts) reads and writes the same shape. */
type Entries = Record<string, { key: string; taken_at: number }>

/**
 * The key file of the user who runs this process: where the SDK and the command line look for a
 * key. Undefined for a user without a home folder, as in a container with an arbitrary user id.
 */
export function keyFilePath(env: NodeJS.ProcessEnv): string | undefined {
  try {
    return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'mayfly', 'keys.json')
  } catch {
    return undefined
  }
}

/**
 * Publishes the operator's key of a service to the programs of the same user. Every change takes
 * the lock that the SDK takes too, reads the file, and replaces it by a rename, so that services
 * which start together keep each other's entries and no reader sees half a file.
 */
export class KeyFile {
  readonly #file: string
  readonly #failed: (error: unknown) => void
  readonly #holdUpMs: number

  /**
   * @param failed called when the file could not be written; nothing else happens then
   * @param holdUpMs how long a call waits for its change at most
   */
  constructor(file: string, failed: (error: unknown) => void, holdUpMs = HOLD_UP_MS) {
    this.#file = file
    this.#failed = failed
    this.#holdUpMs = holdUpMs
  }

  /**
   * Writes the key for these base URLs. Resolves when it is written, has failed, or takes too long.
   */
  add(urls: readonly string[], key: string): Promise<void> {
    const entry = { key, taken_at: Date.now() }
    return this.#change((entries) => ({ ...entries, ...Object.fromEntries(urls.map((url) => [url, entry])) }))
  }

  /** Removes the entries of these base URLs that still hold this key. */
  remove(urls: readonly string[], key: string): Promise<void> {
    return this.#change((entries) =>
      Object.fromEntries(
        Object.entries(entries).filter(([url, entry]) => !(urls.includes(url) && entry?.key === key)),
      ),
    )
  }

  async #change(change: (entries: Entries) => Entries): Promise<void> {
    const work = this.#replace(change).catch(this.#failed)
    const held = new AbortController()
    await Promise.race([work, sleep(this.#holdUpMs, undefined, { signal: held.signal, ref: false })])
    held.abort()
  }

  async #replace(change: (entries: Entries) => Entries): Promise<void> {
    const unlock = await this.#lock()
    const partial = `${this.#file}.${process.pid}`
    try {
      await writeFile(partial, JSON.stringify(change(await this.#read()), undefined, 1), { mode: 0o600 })
      await rename(partial, this.#file)
    } finally {
      await rm(partial, { force: true })
      await unlock()
    }
  }

  /** A file that is missing or broken has no entries. */
  async #read(): Promise<Entries> {
    try {
      const entries: unknown = JSON.parse(await readFile(this.#file, 'utf8'))
      return typeof entries === 'object' && entries !== null && !Array.isArray(entries)
        ? (entries as Entries)
        : {}
    } catch {
      return {}
    }
  }

  async #lock(): Promise<() => Promise<void>> {
    const lock = `${this.#file}.lock`
    await mkdir(dirname(lock), { recursive: true, mode: 0o700 })
    for (;;) {
      try {
        await (await open(lock, 'wx', 0o600)).close()
        return () => rm(lock, { force: true })
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      }
      if ((await ageMs(lock)) > LOCK_STALE_MS) await rm(lock, { force: true })
      else await sleep(LOCK_RETRY_MS, undefined, { ref: false })
    }
  }
}

/** 0 for a file that does not exist any more. */
async function ageMs(file: string): Promise<number> {
  try {
    return Date.now() - (await stat(file)).mtimeMs
  } catch {
    return 0
  }
}
