import { Deadline } from './deadline.ts'
import { MayflyError } from './errors.ts'
import { described, type MailFilter, matches, queryOf } from './filter.ts'
import type { Http } from './http.ts'
import { CALL_MS, Mail } from './mail.ts'
import { ALL_MAIL_STREAM, readStream } from './stream.ts'
import { MailTimeoutError } from './wait-errors.ts'
import type { WaitOptions } from './wait-options.ts'
import type { Email } from './wire.ts'

const PATH = '/api/emails'
const PAGE = 100
/** Older than every email. */
const FIRST_ID = '0'.repeat(26)
/** Deleting 100,000 mails takes half a minute. */
const CLEAR_MS = 120_000
/** The longest time that the service holds a request, in seconds, and what the response may take on top. */
const HOLD_MAX_SECONDS = 25
const GRACE_MS = 10_000
/** Mails that a time-out lists. */
const SHOWN = 5

/** The mail of all addresses of a service on one machine, for its operator. */
export class AllMail {
  readonly #http: Http
  /** Ids of the mails that a wait has returned. */
  readonly #taken = new Set<string>()

  constructor(http: Http) {
    this.#http = http
  }

  /** Every mail that matches, newest first. */
  async list(filter: MailFilter): Promise<Mail[]> {
    const mails: Mail[] = []
    for await (const mail of this.#each(filter, undefined, new Deadline(CALL_MS)))
      if (matches(mail, filter)) mails.push(mail)
    return mails
  }

  /** The newest mail that matches and that no wait has returned, or the next one that arrives. */
  async wait(options: WaitOptions, waitMs: number): Promise<Mail | null> {
    const { timeout = waitMs, signal, orNull, ...filter } = options
    const deadline = new Deadline(timeout, signal)
    const found = await this.#find(filter, deadline)
    if (found !== undefined) {
      this.#taken.add(found.id)
      return found
    }
    if (orNull) return null
    const newest = await this.#newest(new Deadline(CALL_MS, signal))
    const arrived = newest.filter(({ id }) => !this.#taken.has(id))
    throw new MailTimeoutError(
      'any address',
      described(filter),
      { waitedMs: deadline.waitedMs, timeout: options.timeout },
      { arrived, earlier: [], refused: [], returned: this.#taken.size > 0 },
    )
  }

  /** Every mail that arrives from now on. */
  async *stream(signal: AbortSignal | undefined): AsyncGenerator<Mail, void> {
    const since = (await this.#newest(new Deadline(CALL_MS, signal))).at(-1)?.id ?? FIRST_ID
    for await (const item of readStream(this.#http, ALL_MAIL_STREAM, since, signal)) {
      if ('email' in item) yield new Mail(item.email, this.#http)
      else {
        const missed: Mail[] = []
        for await (const mail of this.#each({}, item.after, new Deadline(CALL_MS, signal)))
          missed.unshift(mail)
        yield* missed.filter(({ id }) => id < item.missedBefore)
      }
    }
  }

  /** Deletes every mail that matches the part of the filter that the service knows. */
  async clear(filter: MailFilter): Promise<number> {
    const call = { method: 'DELETE', path: PATH, query: queryOf(filter), patienceMs: CLEAR_MS } as const
    return (await this.#http.json<{ deleted: number }>(call, new Deadline(CLEAR_MS))).deleted
  }

  async #find(filter: MailFilter, deadline: Deadline): Promise<Mail | undefined> {
    let since: string | undefined
    try {
      for (;;) {
        const before = since
        for await (const mail of this.#each(filter, before, deadline)) {
          if (since === undefined || mail.id > since) since = mail.id
          if (matches(mail, filter) && !this.#taken.has(mail.id)) return mail
        }
        if (deadline.leftMs <= 0) return undefined
        const next = await this.#held(filter, since, deadline)
        // A mail that a pattern rejects must not be returned again.
        if (next !== undefined && !matches(next, filter)) since = next.id
      }
    } catch (error) {
      const isTimeout =
        error instanceof MayflyError && (error.cause as Error | undefined)?.name === 'TimeoutError'
      if (deadline.leftMs === 0 && isTimeout) return undefined
      throw error
    }
  }

  /** A request that the service holds until a mail newer than `since` is there. */
  async #held(filter: MailFilter, since: string | undefined, deadline: Deadline): Promise<Mail | undefined> {
    const timeout = Math.min(HOLD_MAX_SECONDS, Math.max(1, Math.ceil(deadline.leftMs / 1000)))
    const call = {
      path: `${PATH}/wait`,
      query: { ...queryOf(filter), since, timeout, order: 'oldest' },
      patienceMs: timeout * 1000 + GRACE_MS,
    }
    const { email } = await this.#http.json<{ email: Email | null }>(call, deadline)
    return email === null ? undefined : new Mail(email, this.#http)
  }

  async #newest(deadline: Deadline): Promise<Mail[]> {
    const call = { path: PATH, query: { limit: SHOWN } }
    const { emails } = await this.#http.json<{ emails: Email[] }>(call, deadline)
    return emails.map((email) => new Mail(email, this.#http)).reverse()
  }

  /** The mails newer than `since` that match the part of the filter that the service knows, newest first. */
  async *#each(filter: MailFilter, since: string | undefined, deadline: Deadline): AsyncGenerator<Mail> {
    let cursor: string | undefined
    do {
      const call = { path: PATH, query: { ...queryOf(filter), since, cursor, limit: PAGE } }
      const page = await this.#http.json<{ emails: Email[]; next_cursor: string | null }>(call, deadline)
      for (const email of page.emails) yield new Mail(email, this.#http)
      cursor = page.next_cursor ?? undefined
    } while (cursor !== undefined)
  }
}
