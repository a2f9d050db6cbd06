import { Deadline } from './deadline.ts'
import { type MailFilter, queryOf } from './filter.ts'
import type { Http } from './http.ts'
import { CALL_MS, Mail, pathOf } from './mail.ts'
import { refusalsFor, strayMail } from './refusals.ts'
import type { Email, RefusedMail } from './wire.ts'

/**
 * The longest time that the service holds a request, in seconds, and the time that the response may
 * take on top.
 */
const HOLD_MAX_SECONDS = 25
const GRACE_MS = 10_000
const PAGE = 100
/** A test must not wait for its clean-up: mail that is not deleted now expires. */
const DISPOSAL_MS = 5_000
/** The time that an error may take to find out more. */
const EXPLANATION_MS = 2_000
const EARLIER_MAX = 5

/** What explains that a wait found nothing. */
interface Explanation {
  earlier: Mail[]
  refused: RefusedMail[]
  stray: Mail[]
}

/** The requests about one address. They apply only the part of a filter that the service knows. */
export class InboxRequests {
  readonly #http: Http
  readonly #address: string
  readonly #path: string

  constructor(address: string, http: Http) {
    this.#address = address
    this.#http = http
    this.#path = pathOf(address)
  }

  mail(email: Email): Mail {
    return new Mail(email, this.#http)
  }

  /**
   * One request that the service holds until a mail newer than `since` is there.
   * @returns the oldest one that matches; null when none arrived
   */
  async wait(filter: MailFilter, since: string | undefined, deadline: Deadline): Promise<Mail | null> {
    const timeout = Math.min(HOLD_MAX_SECONDS, Math.max(1, Math.ceil(deadline.leftMs / 1000)))
    const call = {
      path: `${this.#path}/wait`,
      query: { ...queryOf(filter), since, timeout, order: 'oldest' },
      patienceMs: timeout * 1000 + GRACE_MS,
    }
    const { email } = await this.#http.json<{ email: Email | null }>(call, deadline)
    return email && this.mail(email)
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

  /**
   * Why a wait found nothing: the newest mails up to `since`, and of the last minute, refusals and mail
   * for similar addresses.
   * Never fails, because the time-out is the error of the test.
   */
  async explanation(since: string | undefined): Promise<Explanation> {
    const deadline = new Deadline(EXPLANATION_MS)
    const [earlier, refused, stray] = await Promise.all([
      since === undefined ? [] : this.#newest(since, deadline).catch(() => []),
      this.#refused(deadline).catch(() => []),
      this.#stray(deadline).catch(() => []),
    ])
    return { earlier, refused, stray }
  }

  async #newest(until: string, deadline: Deadline): Promise<Mail[]> {
    const call = { path: this.#path, query: { limit: EARLIER_MAX }, once: true }
    const { emails } = await this.#http.json<{ emails: Email[] }>(call, deadline)
    return emails.filter(({ id }) => id <= until).map((email) => this.mail(email))
  }

  /** A key that is not the operator's gets 403. */
  async #refused(deadline: Deadline): Promise<RefusedMail[]> {
    const call = { path: '/api/refusals', once: true }
    const { refusals } = await this.#http.json<{ refusals: RefusedMail[] }>(call, deadline)
    return refusalsFor(this.#address, refusals)
  }

  /** A key that may not read all mail gets 403, and a service without all mail answers 404. */
  async #stray(deadline: Deadline): Promise<Mail[]> {
    const call = { path: '/api/emails', query: { limit: PAGE, text_limit: 0 }, once: true }
    const { emails } = await this.#http.json<{ emails: Email[] }>(call, deadline)
    return strayMail(this.#address, emails).map((email) => this.mail(email))
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
