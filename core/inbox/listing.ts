import { setImmediate } from 'node:timers/promises'
import { LIST_MAX, LIST_READ_BYTES, PAGE_READ_BYTES, SEARCH_READ_BYTES } from '../limits.ts'
import type { Email } from './email.ts'
import { type EmailFilter, unstoredPart } from './filter.ts'
import type { Page, PageRequest } from './ports.ts'

/** Lists emails by pages of a store, within the bytes that one request may read. */
export class Listing {
  readonly #read: (request: PageRequest) => Promise<Page>
  readonly #smallPages: number

  /**
   * @param smallPages how many pages may end for another reason than their bytes: a filter passed
   *   over many emails. A remote store takes as long for such a page as for a full one.
   */
  constructor(read: (request: PageRequest) => Promise<Page>, smallPages = 1) {
    this.#read = read
    this.#smallPages = smallPages
  }

  /** See Mailbox. */
  async list(request: PageRequest, readBytes = LIST_READ_BYTES): Promise<Page> {
    const most = isSearch(request.filter ?? {}) ? SEARCH_READ_BYTES : readBytes
    const emails: Email[] = []
    let { before } = request
    for (let bytes = 0, small = 0; ; ) {
      const limit = request.limit - emails.length
      const page = await this.#read({ ...request, limit, before })
      emails.push(...page.emails)
      bytes += page.bytes
      if (page.bytes < PAGE_READ_BYTES) small++
      const isWhole = page.next === undefined || emails.length >= request.limit
      if (isWhole || bytes >= most || small >= this.#smallPages) return { emails, next: page.next, bytes }
      before = page.next
      // A store may answer without giving other requests a turn of the event loop.
      await setImmediate()
    }
  }

  /** Returns the newest email that matches the filter and, with `after`, has a greater id. */
  async latest(filter: EmailFilter, after?: string): Promise<Email | null> {
    for await (const { emails } of this.pages({ limit: 1, filter, after })) {
      if (emails[0] !== undefined) return emails[0]
    }
    return null
  }

  /** Returns the oldest one; null if no email matches. */
  async oldest(filter: EmailFilter, after?: string): Promise<Email | null> {
    let oldest: Email | null = null
    for await (const { emails } of this.pages({ limit: LIST_MAX, filter, after })) {
      oldest = emails.at(-1) ?? oldest
    }
    return oldest
  }

  /** Yields the pages of a request, newest first; of a search only as many as one request may read. */
  async *pages(request: PageRequest): AsyncGenerator<Page> {
    const mostBytes = isSearch(request.filter ?? {}) ? SEARCH_READ_BYTES : Number.POSITIVE_INFINITY
    let { before } = request
    let bytes = 0
    do {
      const page = await this.list({ ...request, before })
      yield page
      before = page.next
      bytes += page.bytes
      await setImmediate()
    } while (before !== undefined && bytes < mostBytes)
  }
}

/** Whether a store has to read emails for the filter. */
function isSearch(filter: EmailFilter): boolean {
  return unstoredPart(filter) !== undefined
}
