import type { Email, WholeEmail } from '../lib/api.ts'
import { credentials } from '../lib/credentials.ts'
import { ApiProblem } from '../lib/problem.ts'
import { Store } from '../lib/store.ts'
import { pageStream } from '../stream/connect.ts'
import type { LinkState, StreamEvent, ToPage } from '../stream/messages.ts'
import { Deletions } from './deletions.ts'
import { MailApi, PAGE_SIZE, type Page } from './mail-api.ts'
import { mergePage, newestFirst } from './merge.ts'
import { Search } from './search.ts'

/** Whole mails that are kept, so that going back and forth asks for none again. */
const WHOLE_MAX = 20

/** The emails of one address, kept current. */
export class InboxStore extends Store {
  readonly address: string
  readonly domain: string
  readonly api: MailApi
  readonly search: Search
  readonly deletions: Deletions
  emails: Email[] = []
  loaded = false
  /** Why the list is not there, or not current. */
  problem: ApiProblem | undefined
  /** Why older mails could not be fetched. */
  olderProblem: ApiProblem | undefined
  link: LinkState = 'connecting'
  nextCursor: string | null = null
  readonly #whole = new Map<string, WholeEmail>()
  /** Opened here without an API key, which the service then knows nothing of. */
  readonly #opened = new Set<string>()
  readonly #arrived: (email: Email) => void
  #fetchingOlder = false
  #closed = false

  constructor(address: string, arrived: (email: Email) => void) {
    super()
    this.address = address
    this.domain = address.slice(address.lastIndexOf('@') + 1)
    this.api = new MailApi(address)
    this.search = new Search(this.api, () => this.changed())
    this.deletions = new Deletions(this.api, {
      changed: () => this.changed(),
      gone: (ids) => this.#drop((id) => ids.has(id)),
    })
    this.#arrived = arrived
  }

  /** Follows the stream and loads the list; also with a domain key that was just given. */
  open(): void {
    this.#closed = false
    this.problem = undefined
    pageStream().follow({ address: this.address, key: credentials.domainKey(this.domain), told: this.#told })
  }

  close(): void {
    this.#closed = true
    this.deletions.flush()
    pageStream().leave(this.#told)
  }

  /** What a list shows: those that are found, or all, less those about to be deleted. */
  get shown(): Email[] {
    const emails = this.search.emails ?? this.emails
    return this.deletions.count === 0 ? emails : emails.filter(({ id }) => !this.deletions.has(id))
  }

  /** Whether there are more than `shown`. */
  get more(): boolean {
    return this.search.emails === undefined ? this.nextCursor !== null : this.search.more
  }

  find(id: string): Email | undefined {
    if (this.deletions.has(id)) return undefined
    return [...this.emails, ...(this.search.emails ?? [])].find((email) => email.id === id)
  }

  isUnread(email: Email): boolean {
    return !email.read && !this.#opened.has(email.id)
  }

  get unread(): number {
    return this.emails.filter((email) => this.isUnread(email) && !this.deletions.has(email.id)).length
  }

  /** Coming back would not help: the address, its domain or a key is not right. */
  get refused(): boolean {
    return this.problem !== undefined && !this.problem.passing
  }

  /** What needs no answer to be known for sure: a mail is never shown longer than the service keeps it. */
  dropExpired(now: number): void {
    this.#drop((_, email) => Date.parse(email.expires_at) <= now)
  }

  async refresh(): Promise<void> {
    const before = new Set(this.emails.map((email) => email.id))
    try {
      const page = await this.api.list({})
      this.#set(() => {
        if (!this.loaded || this.emails.length <= PAGE_SIZE) this.nextCursor = page.next_cursor
        this.emails = mergePage(this.emails, before, page)
        this.loaded = true
        this.problem = undefined
      })
    } catch (error) {
      this.#fail(error)
    }
  }

  /** Fetches the next page of what is shown, if there is one. */
  async older(): Promise<void> {
    if (this.search.emails !== undefined) return this.search.older()
    if (this.nextCursor === null || this.#fetchingOlder) return
    this.#fetchingOlder = true
    this.#set(() => (this.olderProblem = undefined))
    try {
      const page: Page = await this.api.list({ cursor: this.nextCursor })
      this.#set(() => {
        this.emails = newestFirst([...this.emails, ...page.emails])
        this.nextCursor = page.next_cursor
      })
    } catch (error) {
      this.#set(() => (this.olderProblem = asProblem(error)))
    }
    this.#fetchingOlder = false
  }

  /** A mail as a reader wants it: whole, or, where no key can be had, as much as lists give. */
  async read(id: string): Promise<{ whole?: WholeEmail; summary?: Email | undefined; problem?: ApiProblem }> {
    const known = this.#whole.get(id)
    this.#set(() => this.#opened.add(id))
    if (known !== undefined) return { whole: known }
    try {
      const whole = await this.api.whole(id)
      this.#whole.set(id, whole)
      if (this.#whole.size > WHOLE_MAX) this.#whole.delete(this.#whole.keys().next().value!)
      return { whole }
    } catch (error) {
      const problem = asProblem(error)
      if (problem.code !== 'key_quota_exceeded') return { problem }
      return { problem, summary: await this.api.summary(id).catch(() => undefined) }
    }
  }

  /** Marks these as read, as far as the key's requests of this minute go; answers how many there were. */
  async markRead(ids: string[]): Promise<number> {
    let done = 0
    for (const id of ids) {
      await this.api.whole(id)
      this.#update(id, { read: true })
      done++
    }
    return done
  }

  #told = (message: ToPage): void => {
    if (message.type === 'state') this.#set(() => (this.link = message.state))
    else if (message.type === 'opened') void this.refresh()
    else if (message.type === 'event') this.#happened(message.event)
    else void this.refresh().then(() => pageStream().answer(!this.refused && !this.#closed))
  }

  #happened({ type, email, id }: StreamEvent): void {
    if (type === 'new-email') this.#arrive(email as Email)
    else if (type === 'email-read') this.#update(id!, { read: true })
    else if (type === 'email-deleted') this.#drop((known) => known === id)
    // An email that came at the same time may be told before; and after a gap the list is to be read anyway.
    else void this.refresh()
  }

  #arrive(email: Email): void {
    if (this.emails.some(({ id }) => id === email.id)) return
    this.#set(() => (this.emails = newestFirst([email, ...this.emails])))
    this.search.renew()
    this.#arrived(email)
  }

  #update(id: string, change: Partial<Email>): void {
    const update = (email: Email) => (email.id === id ? { ...email, ...change } : email)
    this.#set(() => {
      this.emails = this.emails.map(update)
      this.search.map(update)
    })
  }

  #drop(gone: (id: string, email: Email) => boolean): void {
    const kept = this.emails.filter((email) => !gone(email.id, email))
    const found = this.search.drop(gone)
    if (kept.length === this.emails.length && !found) return
    this.#set(() => (this.emails = kept))
  }

  #fail(error: unknown): void {
    this.#set(() => (this.problem = asProblem(error)))
    if (this.refused) pageStream().leave(this.#told)
  }

  #set(change: () => void): void {
    if (this.#closed) return
    change()
    this.changed()
  }
}

/** Anything else is a fault of the page, which is to be seen as one. */
function asProblem(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error
  throw error
}
