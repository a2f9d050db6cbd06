import {
  ask,
  type CheckedLink,
  domainOf,
  type Email,
  type Info,
  inboxPath,
  type RequestOptions,
  send,
  type WholeEmail,
} from '../lib/api.ts'
import { credentials } from '../lib/credentials.ts'
import { ApiProblem } from '../lib/problem.ts'
import { withAccess } from '../lib/session.ts'

export interface Page {
  emails: Email[]
  next_cursor: string | null
}

export interface ListRequest {
  cursor?: string
  /** Parameters of a search. */
  filter?: Record<string, string>
  limit?: number
  /** Bytes of the text of each email. */
  text?: number
}

export const PAGE_SIZE = 100
/** A row shows one line of the text. */
const ROW_TEXT_BYTES = 200

/** The emails of an inbox, or of a whole domain. Each method throws ApiProblem. */
export interface MailSource {
  /** A page of the list, newest first. */
  list(request: ListRequest, signal?: AbortSignal): Promise<Page>
  /** The fields of a list for one email, for a page without access to the whole email. */
  summary(id: string): Promise<Email | undefined>
  /** One email with all fields. The service marks it as read. */
  whole(id: string): Promise<WholeEmail>
  /** The bytes of an attachment or of the raw message. A plain link would not send the domain key. */
  part(path: string): Promise<Blob>
  /** Deletes an email, which may be gone already. */
  remove(id: string): Promise<void>
  /** Deletes every email. Returns how many there were. Undefined if one request cannot do that. */
  clear?(): Promise<number>
  /** Marks every email as read. Returns how many were unread. Undefined if one request cannot do that. */
  markAllRead?(): Promise<number>
  /** Lets the service request every link of an email. */
  checkLinks(id: string): Promise<CheckedLink[]>
}

/** The requests of the inbox page for one address. */
export class MailApi implements MailSource {
  readonly #address: string
  readonly #domain: string

  constructor(address: string) {
    this.#address = address
    this.#domain = domainOf(address)
  }

  /** By the endpoint that needs no session. */
  list(request: ListRequest, signal?: AbortSignal): Promise<Page> {
    const path = `/api/public/emails/${encodeURIComponent(this.#address)}?${listQuery(request)}`
    return ask<Page>(path, { domainKey: this.#domainKey, signal })
  }

  async summary(id: string): Promise<Email | undefined> {
    const { emails } = await this.list({ cursor: idAfter(id), limit: 1, text: 16_384 })
    return emails.find((email) => email.id === id)
  }

  async whole(id: string): Promise<WholeEmail> {
    const answer = await this.#send(inboxPath(this.#address, `/${id}`))
    return ((await answer.json()) as { email: WholeEmail }).email
  }

  async part(path: string): Promise<Blob> {
    return (await this.#send(path)).blob()
  }

  async remove(id: string): Promise<void> {
    try {
      await this.#send(inboxPath(this.#address, `/${id}`), { method: 'DELETE', keepalive: true })
    } catch (error) {
      if (!(error instanceof ApiProblem && error.code === 'email_not_found')) throw error
    }
  }

  async clear(): Promise<number> {
    const answer = await this.#send(inboxPath(this.#address), { method: 'DELETE', keepalive: true })
    return ((await answer.json()) as { deleted: number }).deleted
  }

  async markAllRead(): Promise<number> {
    const answer = await this.#send(inboxPath(this.#address, '/read'), { method: 'POST' })
    return ((await answer.json()) as { marked: number }).marked
  }

  async checkLinks(id: string): Promise<CheckedLink[]> {
    const { apiKey } = credentials
    const path = inboxPath(this.#address, `/${id}/link-check`)
    const isForEveryone = await mayCheckLinks(undefined)
    const options: RequestOptions = { method: 'POST' }
    const answer =
      isForEveryone || apiKey === undefined
        ? await this.#send(path, options)
        : await send(path, { ...options, apiKey, domainKey: this.#domainKey })
    return ((await answer.json()) as { links: CheckedLink[] }).links
  }

  get #domainKey(): string | undefined {
    return credentials.domainKey(this.#domain)
  }

  #send(path: string, options: RequestOptions = {}): Promise<Response> {
    return withAccess((access) => send(path, { ...options, ...access, domainKey: this.#domainKey }))
  }
}

/** Whether the service checks links for a caller with this key, or with none. @throws ApiProblem */
export async function mayCheckLinks(apiKey: string | undefined): Promise<boolean> {
  return (await ask<Info>('/api/info', { apiKey })).link_check
}

/** The parameters of a list. */
export function listQuery({
  cursor,
  filter,
  limit = PAGE_SIZE,
  text = ROW_TEXT_BYTES,
}: ListRequest): URLSearchParams {
  const query = new URLSearchParams({ ...filter, limit: String(limit), text_limit: String(text) })
  if (cursor !== undefined) query.set('cursor', cursor)
  return query
}

const BASE32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** The next possible id: a list with this cursor begins with the email of the given id. */
export function idAfter(id: string): string {
  let i = id.length - 1
  while (id[i] === 'Z') i--
  return id.slice(0, i) + BASE32[BASE32.indexOf(id.charAt(i)) + 1] + '0'.repeat(id.length - 1 - i)
}
