import { Deadline } from './deadline.ts'
import { MailTimeoutError, MayflyError, UnexpectedMailError } from './errors.ts'
import { described, fits, found, type MailFilter, queryOf } from './filter.ts'
import type { Http } from './http.ts'
import { CALL_MS, Mail, pathOf } from './mail.ts'
import { readStream } from './stream.ts'
import type { Email } from './wire.ts'

export interface WaitOptions extends MailFilter {
  /** Milliseconds for the whole call; 30,000 unless given. 0 looks at what is there already. */
  timeout?: number
  signal?: AbortSignal
}

export type LinkMatch = string | RegExp | ((url: string) => boolean)

/** The most that the service holds a request, in seconds, and what an answer may take on top. */
const HELD_SECONDS = 25
const GRACE_MS = 10_000
const LAST_LOOK_MS = 5_000
const PAGE = 100

/**
 * An address and what came to it since the inbox was opened. Waiting takes mails in the order in which they
 * came, each one once; whatever another wait was not looking for stays for the next.
 */
export class Inbox {
  readonly address: string
  readonly #http: Http
  /** The email id after which this inbox begins, as the service gave it. */
  readonly #since: string | undefined
  readonly #taken = new Set<string>()

  constructor(address: string, since: string | undefined, http: Http) {
    this.address = address
    this.#since = since
    this.#http = http
  }

  /** The next mail that fits. @throws MailTimeoutError, MayflyError, or the signal's reason */
  async waitForMail(options: WaitOptions = {}): Promise<Mail> {
    return (await this.#wait(options, 1, described(options)))[0]!
  }

  /** The next so many that fit, in the order in which they came. */
  async waitForMails({ count, ...options }: WaitOptions & { count: number }): Promise<Mail[]> {
    if (!(Number.isInteger(count) && count > 0)) throw new TypeError('`count` is a whole number from 1.')
    return this.#wait(options, count, `${count} × ${described(options)}`)
  }

  /** The verification code of the next mail that has one. */
  async waitForCode(options: Omit<WaitOptions, 'has'> = {}): Promise<string> {
    const [mail] = await this.#wait({ ...options, has: 'code' }, 1, described(options, 'code'))
    return mail!.code!
  }

  /** The action link of the next mail that has one; or the first link that is a match, of the next mail that has one. */
  async waitForLink(
    match?: LinkMatch | Omit<WaitOptions, 'has'>,
    more: Omit<WaitOptions, 'has'> = {},
  ): Promise<string> {
    if (match === undefined || isOptions(match)) {
      const options = match ?? more
      const [mail] = await this.#wait(
        { ...options, has: 'action_link' },
        1,
        described(options, 'action link'),
      )
      return mail!.actionLink!.url
    }
    const where = (mail: Mail) => linkOf(mail, match) !== undefined && (more.where?.(mail) ?? true)
    const text = described(more, `link that is a match of ${String(match)}`)
    const [mail] = await this.#wait({ ...more, where, has: 'link' }, 1, text)
    return linkOf(mail!, match)!
  }

  /** Resolves when no such mail has come within so many milliseconds (3,000 unless given). @throws UnexpectedMailError */
  async expectNoMail({ within = 3000, ...options }: Omit<WaitOptions, 'timeout'> & { within?: number } = {}) {
    const mail = await this.waitForMail({ ...options, timeout: within }).catch((error: unknown) => {
      if (error instanceof MailTimeoutError) return undefined
      throw error
    })
    if (mail === undefined) return
    this.#taken.delete(mail.id)
    throw new UnexpectedMailError(this.address, mail)
  }

  /** What came since the inbox was opened, newest first. */
  async mails(filter: MailFilter = {}): Promise<Mail[]> {
    return (await this.#list(filter, this.#since, new Deadline(CALL_MS))).reverse()
  }

  /** The newest of them. */
  async latest(filter: MailFilter = {}): Promise<Mail | null> {
    return (await this.mails(filter))[0] ?? null
  }

  /** The mail with this id. Marks it as read. @throws MayflyError `email_not_found` */
  async mail(id: string): Promise<Mail> {
    const call = { path: `${pathOf(this.address)}/${encodeURIComponent(id)}` }
    const { email } = await this.#http.json<{ email: Email }>(call, new Deadline(CALL_MS))
    return new Mail(email, this.#http)
  }

  /** Deletes every mail of the address, for good. */
  async clear(): Promise<number> {
    const call = { method: 'DELETE', path: pathOf(this.address) } as const
    const { deleted } = await this.#http.json<{ deleted: number }>(call, new Deadline(CALL_MS))
    return deleted
  }

  /** Every mail since the inbox was opened and every one that comes, each once, over broken connections too. */
  async *stream(options: { signal?: AbortSignal } = {}): AsyncGenerator<Mail, void> {
    const since = this.#since ?? FIRST_ID
    const between = (after: string, before: string) =>
      this.#list({}, after, new Deadline(CALL_MS)).then((mails) => mails.filter(({ id }) => id < before))
    for await (const item of readStream(this.#http, this.address, since, options.signal)) {
      if ('email' in item) yield new Mail(item.email, this.#http)
      else yield* await between(item.after, item.missedBefore)
    }
  }

  /** Empties the inbox: `await using inbox = await mayfly.inbox()`. */
  async [Symbol.asyncDispose](): Promise<void> {
    // What cannot be deleted now expires; a failure here would hide that of the test.
    await this.clear().catch(() => {})
  }

  async #wait(options: WaitOptions, count: number, what: string): Promise<Mail[]> {
    const { timeout = 30_000, signal, ...filter } = options
    const deadline = new Deadline(timeout, signal)
    const candidates: Mail[] = []
    let since = this.#since
    const look = async (within: Deadline, looked: MailFilter = filter): Promise<Mail[]> => {
      const mails = await this.#list(looked, since, within)
      since = mails.at(-1)?.id ?? since
      return mails
    }
    const taken = () => {
      const untaken = candidates.filter(({ id }) => !this.#taken.has(id)).slice(0, count)
      if (untaken.length < count) return undefined
      for (const { id } of untaken) this.#taken.add(id)
      return untaken
    }

    let enough: Mail[] | undefined
    try {
      // A held request tells as well what is there; but it would go on telling of mails that are taken.
      if (this.#taken.size > 0 && deadline.left > 0) candidates.push(...(await look(deadline)))
      enough = taken()
      while (enough === undefined && deadline.left > 0) {
        if (await this.#arrival(filter, since, deadline)) candidates.push(...(await look(deadline)))
        enough = taken()
      }
    } catch (error) {
      // A request that our own time-out has cut off is none that failed.
      if (deadline.left > 0 || !isTimeout(error)) throw error
    }
    if (enough !== undefined) return enough

    // What came in the last moment counts, and what did not fit is told.
    const waitedMs = deadline.waited
    since = this.#since
    const arrived = await look(new Deadline(LAST_LOOK_MS, signal), {})
    const ids = new Set(candidates.map(({ id }) => id))
    const late = await this.#list(filter, this.#since, new Deadline(LAST_LOOK_MS, signal))
    candidates.push(...late.filter(({ id }) => !ids.has(id)))
    return taken() ?? this.#tooLate(what, waitedMs, arrived)
  }

  #tooLate(what: string, waitedMs: number, arrived: Mail[]): never {
    throw new MailTimeoutError(
      this.address,
      what,
      waitedMs,
      arrived.filter(({ id }) => !this.#taken.has(id)),
    )
  }

  /** Whether the service says, within one held request, that a mail is there which it takes for fitting. */
  async #arrival(filter: MailFilter, since: string | undefined, deadline: Deadline): Promise<boolean> {
    const timeout = Math.min(HELD_SECONDS, Math.max(1, Math.ceil(deadline.left / 1000)))
    const call = {
      path: `${pathOf(this.address)}/wait`,
      query: { ...queryOf(filter), since, timeout },
      patienceMs: timeout * 1000 + GRACE_MS,
    }
    return (await this.#http.json<{ email: Email | null }>(call, deadline)).email !== null
  }

  /** Everything newer than `since` that fits, oldest first. */
  async #list(filter: MailFilter, since: string | undefined, deadline: Deadline): Promise<Mail[]> {
    const mails: Mail[] = []
    let cursor: string | undefined
    do {
      const call = { path: pathOf(this.address), query: { ...queryOf(filter), since, cursor, limit: PAGE } }
      const page = await this.#http.json<{ emails: Email[]; next_cursor: string | null }>(call, deadline)
      mails.push(...page.emails.map((email) => new Mail(email, this.#http)))
      cursor = page.next_cursor ?? undefined
    } while (cursor !== undefined)
    return mails.reverse().filter((mail) => fits(mail, filter))
  }
}

function isTimeout(error: unknown): boolean {
  return (
    error instanceof MayflyError &&
    error.code === 'unreachable' &&
    (error.cause as Error).name === 'TimeoutError'
  )
}

/** Older than every email. */
const FIRST_ID = '0'.repeat(26)

function linkOf(mail: Mail, match: LinkMatch): string | undefined {
  return mail.links.find((url) => {
    if (typeof match === 'string') return url.includes(match)
    return match instanceof RegExp ? found(url, match) : match(url)
  })
}

function isOptions(match: LinkMatch | object): match is Omit<WaitOptions, 'has'> {
  return typeof match === 'object' && !(match instanceof RegExp)
}
