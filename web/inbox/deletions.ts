import { type ApiProblem, asProblem } from '../lib/problem.ts'
import { prepareAccess } from '../lib/session.ts'
import type { MailSource } from './mail-api.ts'

/** How long a deletion can be undone. Until then the service has not received it. */
export const UNDO_MS = 6000
/** How long the result is shown. */
const RESULT_MS = 4000
/** Concurrent requests: browsers keep six connections to a host. */
const CONCURRENCY = 4

interface Callbacks {
  changed: () => void
  /** The service has deleted these emails. */
  deleted: (ids: ReadonlySet<string>) => void
}

/**
 * Deletions of the inbox. Emails disappear from the list immediately; the service receives the deletion when the
 * time for undoing it is over, or when the page is closed.
 */
export class Deletions {
  /** The emails whose deletion can still be undone. */
  pending: ReadonlySet<string> = new Set()
  /** How many emails the service deleted last, while that is shown. */
  done: number | undefined
  problem: ApiProblem | undefined
  readonly #api: MailSource
  readonly #callbacks: Callbacks
  readonly #sent = new Set<string>()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(api: MailSource, callbacks: Callbacks) {
    this.#api = api
    this.#callbacks = callbacks
    addEventListener('pagehide', () => this.flush())
  }

  get isEmpty(): boolean {
    return this.pending.size === 0 && this.#sent.size === 0
  }

  has(id: string): boolean {
    return this.#sent.has(id) || this.pending.has(id)
  }

  /** Hides these emails and deletes them later. Only the last deletion can be undone. */
  add(ids: Iterable<string>): void {
    this.flush()
    prepareAccess()
    this.problem = undefined
    this.done = undefined
    this.pending = new Set(ids)
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.flush(), UNDO_MS)
    this.#callbacks.changed()
  }

  undo(): void {
    this.pending = new Set()
    this.#callbacks.changed()
  }

  dismiss(): void {
    this.problem = undefined
    this.#callbacks.changed()
  }

  /** Sends the pending deletion now. */
  flush(): void {
    const ids = this.pending
    if (ids.size === 0) return
    this.pending = new Set()
    for (const id of ids) this.#sent.add(id)
    void this.#run(ids, (deleted) => this.#removeEach([...ids], deleted))
    this.#callbacks.changed()
  }

  /** Deletes the whole inbox immediately, of which these emails are listed. */
  async clear(listed: Iterable<string>): Promise<void> {
    this.undo()
    const ids = new Set(listed)
    await this.#run(ids, async (deleted) => {
      const count = (await this.#api.clear?.()) ?? 0
      for (const id of ids) deleted.add(id)
      return count
    })
  }

  /** @param remove adds the ids that are deleted, and returns how many emails the service deleted */
  async #run(ids: ReadonlySet<string>, remove: (deleted: Set<string>) => Promise<number>): Promise<void> {
    const deleted = new Set<string>()
    try {
      this.#showDone(await remove(deleted))
    } catch (error) {
      this.problem = asProblem(error)
    } finally {
      // Emails that could not be deleted appear in the list again.
      for (const id of ids) this.#sent.delete(id)
      this.#callbacks.deleted(deleted)
      this.#callbacks.changed()
    }
  }

  #showDone(count: number): void {
    if (this.pending.size > 0) return
    this.done = count
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.done = undefined
      this.#callbacks.changed()
    }, RESULT_MS)
  }

  async #removeEach(ids: string[], deleted: Set<string>): Promise<number> {
    const worker = async (): Promise<void> => {
      for (let id = ids.shift(); id !== undefined; id = ids.shift()) {
        await this.#api.remove(id)
        deleted.add(id)
      }
    }
    await Promise.all(Array.from({ length: CONCURRENCY }, worker))
    return deleted.size
  }
}
