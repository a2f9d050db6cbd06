import { ask, type Email, inboxPath, type WholeEmail } from '../lib/api.ts'
import { credentials } from '../lib/credentials.ts'
import { type LinkState, LiveInbox } from '../lib/live.ts'
import { ApiProblem } from '../lib/problem.ts'
import { Store } from '../lib/store.ts'
import { mergeArrival, mergeOlder, mergePage } from './merge.ts'

interface Page {
  emails: Email[]
  next_cursor: string | null
}

const PAGE_SIZE = 100

/**
 * The emails of one address, kept current. They are listed by the public endpoint with a key as well: it shows
 * the same, and leaves the key's requests to what only a key can do.
 */
export class InboxStore extends Store {
  readonly address: string
  readonly domain: string
  emails: Email[] = []
  loaded = false
  /** Why the list is not there, or not current. */
  problem: ApiProblem | undefined
  link: LinkState = 'connecting'
  nextCursor: string | null = null
  /** Opened here without an API key, which the service then knows nothing of. */
  readonly #opened = new Set<string>()
  readonly #arrived: (email: Email) => void
  #live: LiveInbox | undefined
  #closed = false

  constructor(address: string, arrived: (email: Email) => void) {
    super()
    this.address = address
    this.domain = address.slice(address.lastIndexOf('@') + 1)
    this.#arrived = arrived
  }

  /** Loads the list and follows the stream; also with a domain key that was just given. */
  open(): void {
    this.#live?.stop()
    this.problem = undefined
    this.loaded = false
    this.#live = new LiveInbox(this.address, this.#domainKey, {
      state: (link) => this.#set(() => (this.link = link)),
      opened: () => this.refresh(),
      email: (email) => this.#arrive(email),
      broken: async () => {
        await this.refresh()
        return !this.refused
      },
    })
    this.refresh()
  }

  close(): void {
    this.#closed = true
    this.#live?.stop()
  }

  /** What needs no answer to be known for sure: a mail is never shown longer than the service keeps it. */
  dropExpired(now: number): void {
    const kept = this.emails.filter((email) => Date.parse(email.expires_at) > now)
    if (kept.length < this.emails.length) this.#set(() => (this.emails = kept))
  }

  isUnread(email: Email): boolean {
    return !email.read && !this.#opened.has(email.id)
  }

  /** Coming back would not help: the address, its domain or a key is not right. */
  get refused(): boolean {
    return this.problem !== undefined && !this.problem.passing
  }

  get unread(): number {
    return this.emails.filter((email) => this.isUnread(email)).length
  }

  async refresh(): Promise<void> {
    const before = new Set(this.emails.map((email) => email.id))
    const live = this.#live
    try {
      const page = await this.#list('')
      if (live !== this.#live) return
      this.#set(() => {
        if (!this.loaded || this.emails.length <= PAGE_SIZE) this.nextCursor = page.next_cursor
        this.emails = mergePage(this.emails, before, page)
        this.loaded = true
        this.problem = undefined
      })
    } catch (error) {
      // With another key it may have been opened again meanwhile, and this answer is to the old one.
      if (live === this.#live) this.#fail(error)
    }
  }

  async older(): Promise<void> {
    try {
      const page = await this.#list(`&cursor=${this.nextCursor}`)
      this.#set(() => {
        this.emails = mergeOlder(this.emails, page.emails)
        this.nextCursor = page.next_cursor
      })
    } catch (error) {
      this.#fail(error)
    }
  }

  /** An email with all that is known of it; marks it as read. @throws ApiProblem */
  async whole(id: string, apiKey: string): Promise<WholeEmail> {
    const { email } = await ask<{ email: WholeEmail }>(inboxPath(this.address, `/${id}`), {
      apiKey,
      domainKey: this.#domainKey,
    })
    return email
  }

  markOpened(id: string): void {
    this.#set(() => this.#opened.add(id))
  }

  /** @throws ApiProblem */
  async remove(id: string, apiKey: string): Promise<void> {
    try {
      await ask(inboxPath(this.address, `/${id}`), { method: 'DELETE', apiKey, domainKey: this.#domainKey })
    } catch (error) {
      // Somebody else was faster.
      if (!(error instanceof ApiProblem && error.code === 'email_not_found')) throw error
    }
    this.#set(() => (this.emails = this.emails.filter((email) => email.id !== id)))
  }

  /** @throws ApiProblem */
  async clear(apiKey: string): Promise<void> {
    await ask(inboxPath(this.address), { method: 'DELETE', apiKey, domainKey: this.#domainKey })
    this.#set(() => {
      this.emails = []
      this.nextCursor = null
    })
    // What arrived while they were being deleted is still there.
    await this.refresh()
  }

  get #domainKey(): string | undefined {
    return credentials.domainKey(this.domain)
  }

  #list(rest: string): Promise<Page> {
    const path = `/api/public/emails/${encodeURIComponent(this.address)}?limit=${PAGE_SIZE}${rest}`
    return ask<Page>(path, { domainKey: this.#domainKey })
  }

  #arrive(email: Email): void {
    if (this.emails.some(({ id }) => id === email.id)) return
    this.#set(() => (this.emails = mergeArrival(this.emails, email)))
    this.#arrived(email)
  }

  #fail(error: unknown): void {
    if (!(error instanceof ApiProblem)) throw error
    this.#set(() => (this.problem = error))
    if (this.refused) this.#live?.stop()
  }

  #set(change: () => void): void {
    if (this.#closed) return
    change()
    this.changed()
  }
}
