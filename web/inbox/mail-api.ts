import { ask, type Email, inboxPath, send, type WholeEmail } from '../lib/api.ts'
import { credentials } from '../lib/credentials.ts'
import { withKey } from '../lib/own-key.ts'
import { ApiProblem } from '../lib/problem.ts'

export interface Page {
  emails: Email[]
  next_cursor: string | null
}

export const PAGE_SIZE = 100
/** Of a mail's text, for a row of the list. */
const ROW_TEXT_BYTES = 200

/** What the inbox asks of the service for one address; each throws ApiProblem. */
export class MailApi {
  readonly #address: string
  readonly #domain: string

  constructor(address: string) {
    this.#address = address
    this.#domain = address.slice(address.lastIndexOf('@') + 1)
  }

  get #domainKey(): string | undefined {
    return credentials.domainKey(this.#domain)
  }

  /**
   * A page of the list, by the public endpoint also with a key: it shows the same, and leaves the key's requests
   * to what only a key can do.
   */
  list(
    query: { cursor?: string; q?: string; limit?: number; text?: number },
    signal?: AbortSignal,
  ): Promise<Page> {
    const { cursor, q, limit = PAGE_SIZE, text = ROW_TEXT_BYTES } = query
    const search = new URLSearchParams({ limit: String(limit), text_limit: String(text) })
    if (cursor !== undefined) search.set('cursor', cursor)
    if (q !== undefined) search.set('q', q)
    const path = `/api/public/emails/${encodeURIComponent(this.#address)}?${search}`
    return ask<Page>(path, { domainKey: this.#domainKey, signal })
  }

  /** One mail as lists know it, with as much of its text as they can give: for who has no key. */
  async summary(id: string): Promise<Email | undefined> {
    const { emails } = await this.list({ cursor: after(id), limit: 1, text: 16_384 })
    return emails.find((email) => email.id === id)
  }

  /** A mail with all that is known of it; it is read from now on. */
  async whole(id: string): Promise<WholeEmail> {
    const { email } = await withKey((apiKey) =>
      ask<{ email: WholeEmail }>(this.#path(`/${id}`), { apiKey, domainKey: this.#domainKey }),
    )
    return email
  }

  /** A part of a mail, by its URL. A plain link would not do: it sends no keys. */
  async part(url: string): Promise<Blob> {
    const response = await withKey((apiKey) => send(url, { apiKey, domainKey: this.#domainKey }))
    return response.blob()
  }

  async remove(id: string): Promise<void> {
    try {
      await this.#delete(`/${id}`)
    } catch (error) {
      // Somebody else was faster.
      if (!(error instanceof ApiProblem && error.code === 'email_not_found')) throw error
    }
  }

  async clear(): Promise<void> {
    await this.#delete('')
  }

  async #delete(rest: string): Promise<void> {
    await withKey((apiKey) =>
      ask(this.#path(rest), { method: 'DELETE', apiKey, domainKey: this.#domainKey, keepalive: true }),
    )
  }

  #path(rest: string): string {
    return inboxPath(this.#address, rest)
  }
}

const BASE32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** The next id after this one: a list `before` it begins with the email of this id. */
export function after(id: string): string {
  let i = id.length - 1
  while (i > 0 && id[i] === 'Z') i--
  return id.slice(0, i) + BASE32[BASE32.indexOf(id[i]!) + 1] + '0'.repeat(id.length - 1 - i)
}
