import { setImmediate } from 'node:timers/promises'
import { LIST_MAX } from '../limits.ts'
import type { EmailFilter } from './filter.ts'
import { Listing } from './listing.ts'
import type { AllMail } from './ports.ts'

/** Emails that one command removes, so that incoming mail waits for milliseconds only. */
const REMOVED_AT_ONCE = 200
/** A filtered request examines 2,000 emails a page. */
const SMALL_PAGES = 100

/** Lists and deletes the mail of all addresses, for the operator. */
export class AllMailbox extends Listing {
  readonly #allMail: AllMail

  constructor(allMail: AllMail) {
    super((request) => allMail.page(request), SMALL_PAGES)
    this.#allMail = allMail
  }

  /**
   * Removes every email that matches the filter and, with `after`, has a greater id, of those that
   * exist now. Returns how many there were.
   */
  async removeAll(filter: EmailFilter, after?: string): Promise<number> {
    const [newest] = (await this.#allMail.page({ limit: 1 })).emails
    if (newest === undefined) return 0
    const isEverything = Object.keys(filter).length === 0 && after === undefined
    return isEverything ? this.removeUpTo(newest.id) : this.#removeMatching(filter, after)
  }

  /** Removes every email with an id up to this one. Returns how many there were. */
  async removeUpTo(id: string): Promise<number> {
    for (let removed = 0; ; ) {
      const some = await this.#allMail.removeOldest(id, REMOVED_AT_ONCE)
      removed += some
      if (some < REMOVED_AT_ONCE) return removed
      await setImmediate()
    }
  }

  /** From the newest to the oldest, so mail that arrives meanwhile stays. */
  async #removeMatching(filter: EmailFilter, after: string | undefined): Promise<number> {
    let removed = 0
    let before: string | undefined
    do {
      const page = await this.list({ limit: LIST_MAX, filter, after, before })
      removed += page.emails.length === 0 ? 0 : await this.#allMail.remove(page.emails)
      before = page.next
      await setImmediate()
    } while (before !== undefined)
    return removed
  }
}
