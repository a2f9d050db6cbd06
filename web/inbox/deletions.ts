import { ApiProblem } from '../lib/problem.ts'
import type { MailApi } from './mail-api.ts'

/** So long a deletion can be taken back; until then the service has not been told. */
export const UNDO_MS = 6000
/** Deletions under way at a time: the key has 120 requests a minute. */
const AT_ONCE = 6

interface Callbacks {
  changed: () => void
  /** The service has deleted them. */
  gone: (ids: ReadonlySet<string>) => void
}

/**
 * Mails that are about to be deleted: they are out of sight at once, and are deleted for good when nobody took
 * that back in time, or when the page is left.
 */
export class Deletions {
  problem: ApiProblem | undefined
  readonly #api: MailApi
  readonly #callbacks: Callbacks
  #waiting = new Set<string>()
  #under = new Set<string>()
  /** Everything is to go, also what is not listed. */
  #all = false
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(api: MailApi, callbacks: Callbacks) {
    this.#api = api
    this.#callbacks = callbacks
    addEventListener('pagehide', () => this.flush())
  }

  get count(): number {
    return this.#waiting.size + this.#under.size
  }

  /** How many can still be taken back. */
  get undoable(): number {
    return this.#waiting.size
  }

  has(id: string): boolean {
    return this.#waiting.has(id) || this.#under.has(id)
  }

  /** @param all whether the whole box is meant, of which these are what is known */
  add(ids: Iterable<string>, all = false): void {
    clearTimeout(this.#timer)
    // One thing at a time can be taken back.
    this.flush()
    this.problem = undefined
    this.#waiting = new Set(ids)
    this.#all = all
    this.#timer = setTimeout(() => this.flush(), UNDO_MS)
    this.#callbacks.changed()
  }

  undo(): void {
    clearTimeout(this.#timer)
    this.#waiting = new Set()
    this.#callbacks.changed()
  }

  /** Deletes now what is waiting. */
  flush(): void {
    if (this.#waiting.size === 0) return
    clearTimeout(this.#timer)
    const ids = this.#waiting
    this.#waiting = new Set()
    for (const id of ids) this.#under.add(id)
    void this.#delete(ids, this.#all)
    this.#callbacks.changed()
  }

  async #delete(ids: Set<string>, all: boolean): Promise<void> {
    const done = new Set<string>()
    try {
      if (all) {
        await this.#api.clear()
        for (const id of ids) done.add(id)
      } else await this.#each([...ids], done)
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error
      this.problem = error
    } finally {
      // What could not be deleted is there again.
      for (const id of ids) this.#under.delete(id)
      this.#callbacks.gone(done)
      this.#callbacks.changed()
    }
  }

  async #each(ids: string[], done: Set<string>): Promise<void> {
    const worker = async (): Promise<void> => {
      for (let id = ids.shift(); id !== undefined; id = ids.shift()) {
        await this.#api.remove(id)
        done.add(id)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
  }
}
