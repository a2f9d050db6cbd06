import type { Clock } from '../../core/clock.ts'
import type { Change } from '../../core/events/ports.ts'

/** The index lags behind the table and its stream by far less than this. */
const CACHE_MS = 60_000

/**
 * The latest changes that the stream published. The mail table's index is eventually consistent, so
 * a domain may be published before the index lists it under its key. A stream that ended for this
 * reason and reconnects at once must find the domain. An email in here is not published again.
 */
export class ChangeCache {
  readonly #clock: Clock
  /** In order of arrival, with the time of it. */
  readonly #emails = new Map<string, number>()
  readonly #domains = new Map<string, number>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  add(change: Change): void {
    const at = this.#clock()
    if (change.type === 'email') this.#emails.set(change.email.id, at)
    if (change.type === 'domain') {
      this.#domains.delete(change.name)
      this.#domains.set(change.name, at)
    }
    for (const times of [this.#emails, this.#domains]) forget(times, at - CACHE_MS)
  }

  has(id: string): boolean {
    return this.#emails.has(id)
  }

  /** The domains that changed. */
  domains(): string[] {
    return [...this.#domains.keys()]
  }
}

function forget(times: Map<string, number>, before: number): void {
  for (const [name, at] of times) {
    if (at >= before) break
    times.delete(name)
  }
}
