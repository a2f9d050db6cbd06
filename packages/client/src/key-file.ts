import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { KeyKeeper } from './keys.ts'

/** Days after which a key is worth nothing, and how many services are remembered. */
const VALID_MS = 30 * 24 * 3_600_000
const SERVICES_MAX = 50
/** Who holds the lock for longer has ended without giving it back. */
const LOCK_MS = 10_000
const LOCK_PERIOD_MS = 25

type Kept = Record<string, { key: string; taken_at: number }>

/**
 * Keeps keys in a file of the user's cache folder, so that the processes and runs of a test suite share one: each
 * worker taking its own would use up the day's five at once.
 */
export class FileKeeper implements KeyKeeper {
  readonly #file: string

  constructor(file = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'mayfly', 'keys.json')) {
    this.#file = file
  }

  async take(url: string, issue: () => Promise<string>, unfit: string | undefined): Promise<string> {
    const known = (await this.#read())[url]?.key
    if (known !== undefined && known !== unfit) return known
    const unlock = await this.#lock()
    try {
      const kept = await this.#read()
      const others = kept[url]?.key
      if (others !== undefined && others !== unfit) return others
      const key = await issue()
      await this.#write({ ...kept, [url]: { key, taken_at: Date.now() } })
      return key
    } finally {
      await unlock()
    }
  }

  async #read(): Promise<Kept> {
    try {
      return JSON.parse(await readFile(this.#file, 'utf8'))
    } catch {
      return {}
    }
  }

  /** What cannot be kept is used all the same: a folder may be read-only. */
  async #write(kept: Kept): Promise<void> {
    const fresh = Object.entries(kept)
      .filter(([, { taken_at }]) => Date.now() - taken_at < VALID_MS)
      .sort(([, a], [, b]) => b.taken_at - a.taken_at)
      .slice(0, SERVICES_MAX)
    const partial = `${this.#file}.${process.pid}`
    try {
      await writeFile(partial, JSON.stringify(Object.fromEntries(fresh), undefined, 1), { mode: 0o600 })
      await rename(partial, this.#file)
    } catch {
      await rm(partial, { force: true }).catch(() => {})
    }
  }

  async #lock(): Promise<() => Promise<void>> {
    const lock = `${this.#file}.lock`
    try {
      await mkdir(dirname(lock), { recursive: true, mode: 0o700 })
      for (;;) {
        try {
          await (await open(lock, 'wx')).close()
          return () => rm(lock, { force: true })
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
        }
        const age = await stat(lock).then(
          ({ mtimeMs }) => Date.now() - mtimeMs,
          () => 0,
        )
        if (age > LOCK_MS) await rm(lock, { force: true })
        else await sleep(LOCK_PERIOD_MS)
      }
    } catch {
      return async () => {}
    }
  }
}
