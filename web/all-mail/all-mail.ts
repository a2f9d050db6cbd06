import type { Feed } from '../inbox/inbox-store.ts'
import {
  idAfter,
  type ListRequest,
  listQuery,
  MailApi,
  type MailSource,
  type Page,
} from '../inbox/mail-api.ts'
import { ask, type CheckedLink, type Email, send, type WholeEmail } from '../lib/api.ts'
import { ApiProblem } from '../lib/problem.ts'
import { withAccess } from '../lib/session.ts'
import { pageStream, type Subscription } from '../stream/connect.ts'

/** Addresses that are remembered by the ids of their emails. */
const KNOWN_MAX = 5000

/** The mail of all addresses, which the session of the page may read on the operator's own machine. */
export class AllMail implements MailSource, Feed {
  /** The address of each email that was listed. */
  readonly #addresses = new Map<string, string>()
  #subscription: Subscription | undefined

  async list(request: ListRequest, signal?: AbortSignal): Promise<Page> {
    const path = `/api/emails?${listQuery(request)}`
    const page = await withAccess((access) => ask<Page>(path, { ...access, signal }))
    for (const email of page.emails) this.#learn(email)
    return page
  }

  async summary(id: string): Promise<Email | undefined> {
    const { emails } = await this.list({ cursor: idAfter(id), limit: 1, text: 16_384 })
    return emails.find((email) => email.id === id)
  }

  async whole(id: string): Promise<WholeEmail> {
    return (await this.#inboxOf(id)).whole(id)
  }

  part(path: string): Promise<Blob> {
    const segment = /\/api\/emails\/([^/]+)\//.exec(path)?.[1] ?? ''
    return new MailApi(decodeURIComponent(segment)).part(path)
  }

  async remove(id: string): Promise<void> {
    await (await this.#inboxOf(id)).remove(id)
  }

  async clear(): Promise<number> {
    const answer = await withAccess((access) =>
      send('/api/emails', { ...access, method: 'DELETE', keepalive: true }),
    )
    return ((await answer.json()) as { deleted: number }).deleted
  }

  async checkLinks(id: string): Promise<CheckedLink[]> {
    return (await this.#inboxOf(id)).checkLinks(id)
  }

  follow(subscription: Subscription): void {
    this.#subscription = subscription
    pageStream().follow({ ...subscription, receive: this.#receive })
  }

  leave(): void {
    this.#subscription = undefined
    pageStream().leave(this.#receive)
  }

  #receive: Subscription['receive'] = (message) => {
    if (message.type === 'event' && message.event.email !== undefined)
      this.#learn(message.event.email as Email)
    this.#subscription?.receive(message)
  }

  #learn({ id, address }: Email): void {
    this.#addresses.set(id, address)
    const [oldest] = this.#addresses.keys()
    if (this.#addresses.size > KNOWN_MAX && oldest !== undefined) this.#addresses.delete(oldest)
  }

  /** The inbox of an email, which a link may name before it was listed. */
  async #inboxOf(id: string): Promise<MailApi> {
    const address = this.#addresses.get(id) ?? (await this.summary(id))?.address
    if (address !== undefined) return new MailApi(address)
    throw new ApiProblem('email_not_found', 'There is no such email', 'It was deleted or has expired.', {
      status: 404,
    })
  }
}
