import { Answers } from '../lib/answers.ts'
import { domainOf, type Email, type WholeEmail } from '../lib/api.ts'
import { credentials } from '../lib/credentials.ts'
import { type ApiProblem, asProblem } from '../lib/problem.ts'
import { Store } from '../lib/store.ts'
import { pageStream, type Subscription } from '../stream/connect.ts'
import type { LinkState, StreamEvent, ToPage } from '../stream/messages.ts'
import { Deletions } from './deletions.ts'
import { MailApi, type MailSource, PAGE_SIZE } from './mail-api.ts'
import { mergePage, newestFirst, withArrival } from './merge.ts'
import { Search } from './search.ts'

/** Whole emails kept in memory, so that going back and forth sends no requests. */
const WHOLE_MAX = 20

/** The fields that the page has of the open email. */
export interface OpenedEmail {
  whole?: WholeEmail
  /** The fields of a list, where the page may not read the whole email. */
  summary?: Email | undefined
  problem?: ApiProblem
}

/** Where the changes of an inbox come from. */
export interface Feed {
  follow(subscription: Subscription): void
  leave(receive: Subscription['receive']): void
}

/** The stream of this page, which is opened by the first inbox that follows it. */
const ADDRESS_FEED: Feed = {
  follow: (subscription) => pageStream().follow(subscription),
  leave: (receive) => pageStream().leave(receive),
}

/** The emails of one address, or of a whole domain (`@example.com`), kept up to date by the stream. */
export class InboxStore extends Store {
  readonly address: string
  readonly domain: string
  readonly api: MailSource
  readonly search: Search
  readonly deletions: Deletions
  emails: Email[] = []
  isLoaded = false
  /** Why the list could not be read, or not be updated. */
  problem: ApiProblem | undefined
  /** Why older emails could not be read. */
  olderProblem: ApiProblem | undefined
  link: LinkState = 'connecting'
  nextCursor: string | null = null
  readonly #whole = new Map<string, WholeEmail>()
  /** Known to be read. A list that was on its way meanwhile cannot change that. */
  readonly #read = new Set<string>()
  /** Being read: they look read at once, and unread again if that fails. */
  readonly #opening = new Set<string>()
  /** Deleted or expired while this page was open, whatever a list says that was on its way meanwhile. */
  readonly #gone = new Set<string>()
  readonly #onArrival: (email: Email) => void
  readonly #feed: Feed
  readonly #refreshes = new Answers()
  #isReadingOlder = false
  #isClosed = false

  /** @param source the emails and their changes; by default those of the address */
  constructor(
    address: string,
    onArrival: (email: Email) => void,
    source: { api: MailSource; feed: Feed } = { api: new MailApi(address), feed: ADDRESS_FEED },
  ) {
    super()
    this.address = address
    this.domain = domainOf(address)
    this.api = source.api
    this.#feed = source.feed
    this.search = new Search(this.#list, () => this.changed())
    this.deletions = new Deletions(this.api, {
      changed: () => this.changed(),
      deleted: (ids) => this.#drop(({ id }) => ids.has(id)),
    })
    this.#onArrival = onArrival
  }

  /** Reads the list, then follows the stream; also after a domain key was entered. */
  async open(): Promise<void> {
    this.#isClosed = false
    await this.refresh()
    if (this.isRefused || this.#isClosed) return
    const key = credentials.domainKey(this.domain)
    this.#feed.follow({ address: this.address, key, receive: this.#receive })
  }

  close(): void {
    this.#isClosed = true
    this.deletions.flush()
    this.#feed.leave(this.#receive)
  }

  /** The emails of the list: all, or those that the search found, without those that are being deleted. */
  get shown(): Email[] {
    const emails = this.search.emails ?? this.emails
    return this.deletions.isEmpty ? emails : emails.filter(({ id }) => !this.deletions.has(id))
  }

  /** Whether the service has more emails than `shown`. */
  get more(): boolean {
    return this.search.emails === undefined ? this.nextCursor !== null : this.search.more
  }

  find(id: string): Email | undefined {
    if (this.deletions.has(id)) return undefined
    return [...this.emails, ...(this.search.emails ?? [])].find((email) => email.id === id)
  }

  isGone(id: string): boolean {
    return this.deletions.has(id) || this.#gone.has(id)
  }

  isUnread(email: Email): boolean {
    return !email.read && !this.#read.has(email.id) && !this.#opening.has(email.id)
  }

  /** Unread emails among those that are loaded. */
  get unread(): number {
    return this.emails.filter((email) => this.isUnread(email) && !this.deletions.has(email.id)).length
  }

  /** Whether a retry is pointless: the address, its domain or a key is wrong. */
  get isRefused(): boolean {
    return this.problem !== undefined && !this.problem.isTransient
  }

  /** Removes expired emails without asking the service: an email is never shown after its time. */
  dropExpired(nowMs: number): void {
    const isExpired = ({ expires_at }: Email) => Date.parse(expires_at) <= nowMs
    for (const email of this.#whole.values()) if (isExpired(email)) this.#forget(email.id)
    this.#drop(isExpired)
  }

  /** Reads the newest page of the list. */
  async refresh(): Promise<void> {
    const before = new Set(this.emails.map((email) => email.id))
    const isOvertaken = this.#refreshes.next()
    try {
      const page = await this.#list({})
      if (isOvertaken()) return
      this.#set(() => {
        if (!this.isLoaded || this.emails.length <= PAGE_SIZE) this.nextCursor = page.next_cursor
        this.emails = mergePage(this.emails, before, page)
        const listed = new Set(this.emails.map(({ id }) => id))
        for (const id of before) if (!listed.has(id)) this.#forget(id)
        this.isLoaded = true
        this.problem = undefined
      })
    } catch (error) {
      if (isOvertaken()) return
      this.#set(() => (this.problem = asProblem(error)))
      if (this.isRefused) this.#feed.leave(this.#receive)
    }
  }

  /** Reads the next page of what is shown, if there is one. */
  async older(): Promise<void> {
    if (this.search.emails !== undefined) return this.search.older()
    if (this.nextCursor === null || this.#isReadingOlder) return
    this.#isReadingOlder = true
    this.#set(() => (this.olderProblem = undefined))
    try {
      const page = await this.#list({ cursor: this.nextCursor })
      this.#set(() => {
        this.emails = newestFirst([...this.emails, ...page.emails])
        this.nextCursor = page.next_cursor
      })
    } catch (error) {
      this.#set(() => (this.olderProblem = asProblem(error)))
    }
    this.#isReadingOlder = false
  }

  /** Reads an email, which marks it as read. Without access to the whole one, returns the fields of the list. */
  async read(id: string): Promise<OpenedEmail> {
    const known = this.#whole.get(id)
    if (known !== undefined) return { whole: known }
    this.#set(() => this.#opening.add(id))
    try {
      const whole = await this.api.whole(id)
      this.#remember(whole)
      this.#markRead([id])
      return { whole }
    } catch (error) {
      const problem = asProblem(error)
      this.#set(() => this.#opening.delete(id))
      if (problem.code === 'email_not_found') this.#set(() => this.#forget(id))
      if (problem.code !== 'rate_limited' && !problem.code.startsWith('api_key_')) return { problem }
      return { problem, summary: await this.api.summary(id).catch(() => undefined) }
    }
  }

  /** Marks these as read. */
  async markRead(ids: string[]): Promise<void> {
    for (const id of ids) {
      await this.api.whole(id)
      this.#markRead([id])
    }
  }

  /** Marks every email of the inbox as read. Returns how many were unread. */
  async markAllRead(): Promise<number> {
    // Not those that arrive until the answer does.
    const ids = [...this.emails, ...(this.search.emails ?? [])].map(({ id }) => id)
    const count = (await this.api.markAllRead?.()) ?? 0
    this.#markRead(ids)
    return count
  }

  #list: MailSource['list'] = async (request, signal) => {
    const page = await this.api.list(request, signal)
    return { ...page, emails: page.emails.filter(({ id }) => !this.#gone.has(id)) }
  }

  #receive = (message: ToPage): void => {
    if (message.type === 'state') this.#set(() => (this.link = message.state))
    else if (message.type === 'event') this.#apply(message.event)
    else void this.refresh()
  }

  #apply({ type, email, id }: StreamEvent): void {
    if (type === 'new-email' && email !== undefined) this.#arrive(email as Email)
    else if (type === 'email-read') this.#markRead([id ?? ''])
    else if (type === 'email-deleted') {
      this.#forget(id ?? '')
      this.#drop((known) => known.id === id)
    } else {
      // A gap, or a cleared inbox: the list says what is there now.
      if (type === 'inbox-cleared') for (const known of this.#whole.keys()) this.#forget(known)
      void this.refresh()
    }
  }

  #arrive(email: Email): void {
    const emails = withArrival(this.emails, email)
    if (emails === this.emails) return
    this.#set(() => (this.emails = emails))
    this.search.renew()
    this.#onArrival(email)
  }

  #remember(whole: WholeEmail): void {
    this.#whole.set(whole.id, whole)
    const [oldest] = this.#whole.keys()
    if (this.#whole.size > WHOLE_MAX && oldest !== undefined) this.#whole.delete(oldest)
  }

  #forget(id: string): void {
    this.#whole.delete(id)
    this.#gone.add(id)
    this.changed()
  }

  #markRead(ids: string[]): void {
    this.#set(() => {
      for (const id of ids) this.#read.add(id)
    })
  }

  #drop(isGone: (email: Email) => boolean): void {
    for (const email of this.emails) if (isGone(email)) this.#forget(email.id)
    const kept = this.emails.filter((email) => !isGone(email))
    const changedSearch = this.search.drop(isGone)
    if (kept.length === this.emails.length && !changedSearch) return
    this.#set(() => (this.emails = kept))
  }

  #set(change: () => void): void {
    if (this.#isClosed) return
    change()
    this.changed()
  }
}
