import type { Feed } from '../inbox/inbox-store.ts'
import { type ListRequest, MailApi, type MailSource, type Page } from '../inbox/mail-api.ts'
import { newestFirst } from '../inbox/merge.ts'
import { ask, type CheckedLink, type Email, type ListedDomain, send, type WholeEmail } from '../lib/api.ts'
import { credentials } from '../lib/credentials.ts'
import { ApiProblem } from '../lib/problem.ts'
import type { Subscription } from '../stream/connect.ts'
import type { StreamEvent, ToPage } from '../stream/messages.ts'
import { matches } from './matches.ts'

/** The oldest of more emails are not listed. */
const EMAILS_MAX = 2000
/** A replay draws the list this often. */
const REDRAW_MS = 100
/** An email that a link names does not exist if an open stream has sent nothing for this long. */
const ARRIVAL_MS = 5000

/**
 * All mail of a private domain. The API has no list of a domain: the stream of the domain key begins with the emails
 * that exist and continues with the changes, so this keeps what the stream has sent.
 */
export class DomainMail implements MailSource, Feed {
  /** Whether the domain has older emails than those of the list. */
  hasOlder = false
  readonly #domain: string
  readonly #stream: Feed
  readonly #emails = new Map<string, Email>()
  readonly #expected = new Map<string, PromiseWithResolvers<void>>()
  #subscription: Subscription | undefined
  #redraw: ReturnType<typeof setTimeout> | undefined
  /** Whether emails arrive, or never will because this browser has no stream left. */
  #isOpen = false
  #silence: ReturnType<typeof setTimeout> | undefined
  /** The service's time when the key was checked last; undefined while it must be checked. */
  #openedAt: number | undefined

  constructor(domain: string, stream: Feed) {
    this.#domain = domain
    this.#stream = stream
  }

  /** The whole list, because it is in memory already. */
  async list({ filter = {} }: ListRequest): Promise<Page> {
    this.#openedAt ??= await this.#checkKey()
    const now = Date.now()
    const emails = [...this.#emails.values()].filter(
      (email) => Date.parse(email.expires_at) > now && matches(email, filter),
    )
    return { emails: newestFirst(emails), next_cursor: null }
  }

  async summary(id: string): Promise<Email | undefined> {
    return this.#emails.get(id)
  }

  async whole(id: string): Promise<WholeEmail> {
    return (await this.#inboxOf(id)).whole(id)
  }

  part(path: string): Promise<Blob> {
    return new MailApi(`@${this.#domain}`).part(path)
  }

  async remove(id: string): Promise<void> {
    await (await this.#inboxOf(id)).remove(id)
    this.#emails.delete(id)
  }

  async checkLinks(id: string): Promise<CheckedLink[]> {
    return (await this.#inboxOf(id)).checkLinks(id)
  }

  follow(subscription: Subscription): void {
    this.#subscription = subscription
    this.#stream.follow({ ...subscription, receive: this.#receive })
  }

  leave(): void {
    this.#isOpen = false
    this.#awaitSilence()
    this.#subscription = undefined
    this.#stream.leave(this.#receive)
  }

  #receive = (message: ToPage): void => {
    if (message.type === 'broken') this.#openedAt = undefined
    if (message.type === 'state') this.#isOpen = message.state === 'live' || message.state === 'polling'
    this.#awaitSilence()
    if (message.type !== 'event' || this.#take(message.event)) this.#subscription?.receive(message)
  }

  /** Keeps the change. Returns whether the page must hear of it now: emails of a replay are drawn together. */
  #take({ type, email, id, address }: StreamEvent): boolean {
    if (type === 'new-email' && email !== undefined) return this.#add(email as Email)
    if (type === 'gap') this.hasOlder = true
    else if (type === 'email-deleted') this.#emails.delete(id ?? '')
    else if (type === 'email-read') this.#update(id ?? '', { read: true })
    else
      for (const known of this.#emails.values()) if (known.address === address) this.#emails.delete(known.id)
    return true
  }

  #add(email: Email): boolean {
    const isKnown = this.#emails.has(email.id)
    this.#emails.set(email.id, email)
    this.#expected.get(email.id)?.resolve()
    if (this.#emails.size > EMAILS_MAX) this.#dropOldest()
    if (!isKnown && Date.parse(email.received_at) >= (this.#openedAt ?? 0)) return true
    this.#redraw ??= setTimeout(() => {
      this.#redraw = undefined
      this.#subscription?.receive({ type: 'opened' })
    }, REDRAW_MS)
    return false
  }

  #update(id: string, change: Partial<Email>): void {
    const known = this.#emails.get(id)
    if (known !== undefined) this.#emails.set(id, { ...known, ...change })
  }

  #dropOldest(): void {
    this.hasOlder = true
    const [oldest] = [...this.#emails.keys()].sort()
    if (oldest !== undefined) this.#emails.delete(oldest)
  }

  /** The inbox that has this email, which a link may name before the stream has sent it. */
  async #inboxOf(id: string): Promise<MailApi> {
    if (!this.#emails.has(id)) {
      const arrival = this.#expected.get(id) ?? Promise.withResolvers<void>()
      this.#expected.set(id, arrival)
      this.#awaitSilence()
      await arrival.promise
      this.#expected.delete(id)
    }
    const email = this.#emails.get(id)
    if (email !== undefined) return new MailApi(email.address)
    throw new ApiProblem('email_not_found', 'There is no such email', 'It was deleted or has expired.', {
      status: 404,
    })
  }

  /** Ends the wait for expected emails later: a stream that opens slowly, or begins with many emails, has them still. */
  #awaitSilence(): void {
    clearTimeout(this.#silence)
    if (!this.#isOpen) return
    this.#silence = setTimeout(() => {
      for (const { resolve } of this.#expected.values()) resolve()
    }, ARRIVAL_MS)
  }

  /**
   * Presents the key at an inbox of the domain, whose mail then joins the stream of the key. Returns the service's
   * time in Unix ms.
   */
  async #checkKey(): Promise<number> {
    const { domains } = await ask<{ domains: ListedDomain[] }>('/api/domains')
    const listed = domains.find(({ domain }) => domain === this.#domain)
    if (listed?.private === false) {
      throw new ApiProblem('domain_public', 'Mail of this domain is public', '', { status: 403 })
    }
    const path = `/api/public/emails/${encodeURIComponent(`postmaster@${this.#domain}`)}?limit=1&text_limit=0`
    const answer = await send(path, { domainKey: credentials.domainKey(this.#domain) })
    await answer.body?.cancel()
    const time = Date.parse(answer.headers.get('Date') ?? '')
    return Number.isNaN(time) ? Date.now() : time
  }
}
