import type { Clock } from '../../core/clock.ts'
import type { Change } from '../../core/events/ports.ts'

/** The index lags behind the table and its stream by far less than this. */
const REMEMBERED_MS = 60_000

/**
 * What the stream has announced of late. The mail table's index is eventually consistent, so a
 * domain can be announced before the index shows it under its key: a stream that ended for this and
 * comes back at once must find it. And what is here is not announced again.
 */
export class Recent {
  readonly #clock: Clock
  /** In the order in which they came, with the time of that. */
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
    for (const times of [this.#emails, this.#domains]) forget(times, at - REMEMBERED_MS)
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
