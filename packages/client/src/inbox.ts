import { Deadline } from './deadline.ts'
import { described, FILTER_SHAPE, type MailFilter, matches } from './filter.ts'
import type { Http } from './http.ts'
import { CALL_MS, type Mail } from './mail.ts'
import { checkOptions, isPattern, type Shape } from './options.ts'
import { InboxRequests } from './requests.ts'
import { Search } from './search.ts'
import { isLoopback } from './service-url.ts'
import { readStream } from './stream.ts'
import { MailTimeoutError, UnexpectedMailError } from './wait-errors.ts'
import {
  type CodeOptions,
  codeOf,
  type LinkMatch,
  type LinkOptions,
  linkOf,
  type WaitOptions,
} from './wait-options.ts'

type OrNull = { orNull: true }

export interface MailsOptions extends WaitOptions {
  count: number
  /** With true, the call fails if one more matching mail arrives within a second. */
  exactly?: boolean
}

const WAIT_SHAPE: Shape = { ...FILTER_SHAPE, timeout: 'number', signal: 'signal', orNull: 'boolean' }
const { has: _, ...SHAPE_WITHOUT_HAS } = WAIT_SHAPE
const EXAMPLE = "{ subject: 'Welcome' }"

/**
 * An address and its mail since the inbox was opened. Waits return mails in the order in which they
 * arrived, each mail once; a mail that a wait does not match stays for the next wait.
 *
 * @example
 * await using inbox = await mayfly.inbox()
 * await signUp(inbox.address)
 * const code = await inbox.waitForCode()
 */
export class Inbox {
  readonly address: string
  readonly #requests: InboxRequests
  readonly #http: Http
  /** The id of the last email before this inbox begins, as the service reported it. */
  readonly #since: string | undefined
  readonly #waitMs: () => number
  readonly #taken = new Set<string>()

  /** @internal */
  constructor(address: string, since: string | undefined, http: Http, waitMs: () => number) {
    this.address = address
    this.#since = since
    this.#http = http
    this.#waitMs = waitMs
    this.#requests = new InboxRequests(address, http)
  }

  /**
   * The next mail that matches.
   *
   * @throws MailTimeoutError, MayflyError, TypeError for wrong options, or the signal's reason
   * @example
   * const mail = await inbox.waitForMail({ from: 'shop.example', subject: /welcome/i })
   */
  waitForMail(options: WaitOptions & OrNull): Promise<Mail | null>
  waitForMail(options?: WaitOptions & { orNull?: false }): Promise<Mail>
  async waitForMail(options: WaitOptions = {}): Promise<Mail | null> {
    checkOptions('waitForMail()', options, WAIT_SHAPE, EXAMPLE)
    return (await this.#waitForOne(options, described(options))) ?? null
  }

  /**
   * The next `count` mails that match, in the order in which they arrived.
   *
   * @example
   * const [order, invoice] = await inbox.waitForMails({ count: 2, from: 'shop.example' })
   * await inbox.waitForMails({ count: 1, exactly: true, subject: 'Welcome' }) // sent once
   * @throws UnexpectedMailError with `exactly`, if one more arrives within a second
   */
  waitForMails(options: MailsOptions & OrNull): Promise<Mail[] | null>
  waitForMails(options: MailsOptions & { orNull?: false }): Promise<Mail[]>
  async waitForMails(options: MailsOptions): Promise<Mail[] | null> {
    const shape: Shape = { ...WAIT_SHAPE, count: 'count', exactly: 'boolean' }
    checkOptions('waitForMails()', options, shape, '{ count: 2 }')
    const { count, exactly = false, ...more } = options
    if (count === undefined) throw new TypeError('waitForMails(): `count` must be a whole number from 1.')
    const mails = await this.#wait(
      more,
      count,
      count === 1 ? described(more) : `${count} × ${described(more)}`,
    )
    if (mails !== undefined && exactly) {
      const extra = await this.#waitForOne({ ...more, timeout: ONE_MORE_MS, orNull: true }, '')
      if (extra !== undefined) throw new UnexpectedMailError(this.address, extra, `exactly ${count}`)
    }
    return mails ?? null
  }

  /**
   * The verification code of the next mail that has one.
   *
   * @example
   * const code = await inbox.waitForCode()
   * const pin = await inbox.waitForCode({ pattern: /PIN: (\w{4})/ })
   */
  waitForCode(options: CodeOptions & OrNull): Promise<string | null>
  waitForCode(options?: CodeOptions & { orNull?: false }): Promise<string>
  async waitForCode(options: CodeOptions = {}): Promise<string | null> {
    checkOptions('waitForCode()', options, { ...SHAPE_WITHOUT_HAS, pattern: 'pattern' }, EXAMPLE)
    const { pattern, ...more } = options
    if (pattern === undefined) {
      const mail = await this.#waitForOne({ ...more, has: 'code' }, described(more, 'code'))
      return mail?.code ?? null
    }
    const where = (mail: Mail) => codeOf(mail, pattern) !== undefined && (!more.where || more.where(mail))
    const mail = await this.#waitForOne({ ...more, where }, described(more, `code that matches ${pattern}`))
    return (mail && codeOf(mail, pattern)) ?? null
  }

  /**
   * The action link of the next mail that has one (to confirm, sign in, reset, accept); with
   * `match`, the first matching link of the next mail that has one.
   *
   * @example
   * await page.goto(await inbox.waitForLink())
   * const terms = await inbox.waitForLink('/terms')
   */
  waitForLink(options: LinkOptions & OrNull): Promise<string | null>
  waitForLink(match: LinkMatch | undefined, options: LinkOptions & OrNull): Promise<string | null>
  waitForLink(match?: LinkMatch | (LinkOptions & { orNull?: false }), options?: LinkOptions): Promise<string>
  async waitForLink(match?: LinkMatch | LinkOptions, more: LinkOptions = {}): Promise<string | null> {
    const isMatch = typeof match === 'string' || typeof match === 'function' || isPattern(match)
    const options = isMatch ? more : (match ?? more)
    checkOptions('waitForLink()', options, SHAPE_WITHOUT_HAS, EXAMPLE)
    if (!isMatch) {
      const what = described(options, 'action link')
      const mail = await this.#waitForOne({ ...options, has: 'action_link' }, what)
      return mail?.actionLink?.url ?? null
    }
    const where = (mail: Mail) => linkOf(mail, match) !== undefined && (!options.where || options.where(mail))
    const what = described(options, `link that matches ${String(match)}`)
    const mail = await this.#waitForOne({ ...options, where, has: 'link' }, what)
    return (mail && linkOf(mail, match)) ?? null
  }

  /**
   * Resolves when no matching mail has arrived within `within` milliseconds (3,000 unless given).
   *
   * @throws UnexpectedMailError
   * @example
   * await inbox.expectNoMail({ within: 2_000, subject: 'Reset your password' })
   */
  async expectNoMail(
    options: Omit<WaitOptions, 'timeout' | 'orNull'> & { within?: number } = {},
  ): Promise<void> {
    const { timeout: _, orNull: __, ...shape } = WAIT_SHAPE
    checkOptions('expectNoMail()', options, { ...shape, within: 'number' }, '{ within: 2_000 }')
    const { within = 3000, ...more } = options
    const mail = await this.#waitForOne({ ...more, timeout: within, orNull: true }, '')
    if (mail === undefined) return
    this.#taken.delete(mail.id)
    throw new UnexpectedMailError(this.address, mail)
  }

  /**
   * The mails since the inbox was opened, newest first.
   *
   * @example
   * const subjects = (await inbox.mails({ from: 'shop.example' })).map((mail) => mail.subject)
   */
  async mails(filter: MailFilter = {}): Promise<Mail[]> {
    checkOptions('mails()', filter, FILTER_SHAPE, EXAMPLE)
    const mails = await this.#requests.list(filter, this.#since, new Deadline(CALL_MS))
    return mails.filter((mail) => matches(mail, filter)).reverse()
  }

  /**
   * The newest mail since the inbox was opened, or null.
   *
   * @example
   * const newest = await inbox.latest()
   */
  async latest(filter: MailFilter = {}): Promise<Mail | null> {
    return (await this.mails(filter))[0] ?? null
  }

  /**
   * The mail with this id. Marks it as read.
   *
   * @throws MayflyError `email_not_found`
   * @example
   * const mail = await inbox.mail('01M7XY78NV3PTPJF56WG3ST56J')
   */
  async mail(id: string): Promise<Mail> {
    if (typeof id !== 'string' || id === '') throw new TypeError(`mail() takes the id of a mail, not ${id}.`)
    return this.#requests.one(id)
  }

  /**
   * Deletes every mail of the address for good and returns how many there were.
   *
   * @example
   * await inbox.clear()
   */
  clear(): Promise<number> {
    return this.#requests.clear()
  }

  /**
   * Every mail since the inbox was opened, then every mail that arrives, each once. Reconnects
   * after a failure and misses nothing.
   *
   * @throws MayflyError when the service refuses or stays unavailable; the signal's reason
   * @example
   * for await (const mail of inbox.stream()) console.log(mail.subject, mail.code)
   */
  async *stream(options: { signal?: AbortSignal } = {}): AsyncGenerator<Mail, void> {
    checkOptions('stream()', options, { signal: 'signal' }, '{ signal: controller.signal }')
    const items = readStream(
      this.#http,
      `/api/sse/${encodeURIComponent(this.address)}`,
      this.#since ?? FIRST_ID,
      options.signal,
    )
    for await (const item of items) {
      if ('email' in item) yield this.#requests.mail(item.email)
      else {
        const missed = await this.#requests.list({}, item.after, new Deadline(CALL_MS))
        yield* missed.filter(({ id }) => id < item.missedBefore)
      }
    }
  }

  /**
   * Deletes the mails in one attempt of at most 5 s and never fails.
   *
   * @example
   * await using inbox = await mayfly.inbox()
   */
  [Symbol.asyncDispose](): Promise<void> {
    return this.#requests.dispose()
  }

  async #waitForOne(options: WaitOptions, what: string): Promise<Mail | undefined> {
    return (await this.#wait(options, 1, what))?.[0]
  }

  /** The wanted mails; undefined for `orNull` when they did not arrive in time. */
  async #wait(options: WaitOptions, count: number, what: string): Promise<Mail[] | undefined> {
    const { timeout = this.#waitMs(), signal, orNull, ...filter } = options
    const deadline = new Deadline(timeout, signal)
    const position = { taken: this.#taken, since: this.#since }
    const search = new Search(this.#requests, { filter, count }, position)
    const mails = await search.run(deadline)
    if (mails !== undefined) return mails
    const { waitedMs } = deadline
    const last = await search.last(this.#since, signal)
    if (last.mails !== undefined || orNull) return last.mails
    const waited = { waitedMs, timeout: options.timeout }
    throw new MailTimeoutError(this.address, what, waited, {
      activityUrl: activityUrl(this.#http.url, this.address),
      arrived: last.arrived,
      returned: this.#taken.size > 0,
      ...(await this.#requests.explanation(this.#since)),
    })
  }
}

/** How long `exactly` waits for one mail too many. */
const ONE_MORE_MS = 1000
/** Older than every email. */
const FIRST_ID = '0'.repeat(26)

/** The page of the requests of an address. Only a service on loopback has it. */
function activityUrl(base: string, address: string): string | null {
  return isLoopback(base) ? `${base}/#${encodeURIComponent(address).replace('%40', '@')}/activity` : null
}
