import { Deadline } from './deadline.ts'
import { type MailFilter, queryOf } from './filter.ts'
import type { Http } from './http.ts'
import { CALL_MS, Mail, pathOf } from './mail.ts'
import type { Email } from './wire.ts'

/**
 * The longest time that the service holds a request, in seconds, and the time that the response may
 * take on top.
 */
const HOLD_MAX_SECONDS = 25
const GRACE_MS = 10_000
const PAGE = 100
/** A test must not wait for its clean-up: mail that is not deleted now expires. */
const DISPOSAL_MS = 5_000

/** The requests about one address. They apply only the part of a filter that the service knows. */
export class InboxRequests {
  readonly #http: Http
  readonly #path: string

  constructor(address: string, http: Http) {
    this.#http = http
    this.#path = pathOf(address)
  }

  mail(email: Email): Mail {
    return new Mail(email, this.#http)
  }

  /**
   * One request that the service holds until a mail newer than `since` is there.
   * @returns null when none arrived; `isOldest` says that no older one matches. Services before 0.3
   *   do not know the parameter `order` and return the newest mail without that statement.
   */
  async wait(
    filter: MailFilter,
    since: string | undefined,
    deadline: Deadline,
  ): Promise<{ mail: Mail; isOldest: boolean } | null> {
    const timeout = Math.min(HOLD_MAX_SECONDS, Math.max(1, Math.ceil(deadline.leftMs / 1000)))
    const call = {
      path: `${this.#path}/wait`,
      query: { ...queryOf(filter), since, timeout, order: 'oldest' },
      patienceMs: timeout * 1000 + GRACE_MS,
    }
    const { email, order } = await this.#http.json<{ email: Email | null; order?: string }>(call, deadline)
    return email && { mail: this.mail(email), isOldest: order === 'oldest' }
  }

  /** Every mail newer than `since`, oldest first. */
  async list(filter: MailFilter, since: string | undefined, deadline: Deadline): Promise<Mail[]> {
    const mails: Mail[] = []
    let cursor: string | undefined
    do {
      const call = { path: this.#path, query: { ...queryOf(filter), since, cursor, limit: PAGE } }
      const page = await this.#http.json<{ emails: Email[]; next_cursor: string | null }>(call, deadline)
      mails.push(...page.emails.map((email) => this.mail(email)))
      cursor = page.next_cursor ?? undefined
    } while (cursor !== undefined)
    return mails.reverse()
  }

  async one(id: string): Promise<Mail> {
    const call = { path: `${this.#path}/${encodeURIComponent(id)}` }
    return this.mail((await this.#http.json<{ email: Email }>(call, new Deadline(CALL_MS))).email)
  }

  async clear(): Promise<number> {
    const call = { method: 'DELETE', path: this.#path } as const
    return (await this.#http.json<{ deleted: number }>(call, new Deadline(CALL_MS))).deleted
  }

  /**
   * As `clear`, in one attempt, and never fails: an error here would hide the error of the test.
   */
  async dispose(): Promise<void> {
    const call = { method: 'DELETE', path: this.#path, once: true } as const
    await this.#http.json(call, new Deadline(DISPOSAL_MS)).catch(() => {})
  }
}
