import { decoded } from '../../core/decoded.ts'
import type { Email } from '../../core/inbox/email.ts'
import type { EmailFilter } from '../../core/inbox/filter.ts'
import { type Mismatch, mismatches } from '../../core/inbox/mismatch.ts'

/** The latest requests of an inbox that are kept, and the number of inboxes. */
const REQUESTS_MAX = 50
const INBOXES_MAX = 200
const QUERY_CHARACTERS_MAX = 300
/** Of a subject or a sender; and emails that one wait did not match. */
const TEXT_CHARACTERS_MAX = 200
const MISSED_MAX = 20

/** A request of an API client for one inbox. */
export interface ClientRequest {
  method: string
  /**
   * The part of the path after the address, and the query; neither contains a key at these
   * endpoints.
   */
  target: string
  startedAt: number
  /** Undefined while the client waits for the answer. */
  answer?: { status: number; ms: number }
  /** For a request that waits for an email. */
  wait?: WaitRecord
}

export interface WaitRecord {
  filter: EmailFilter
  /** Only emails with greater ids. */
  after: string | undefined
  timeoutMs: number
  /** Null if nothing was found; undefined while it waits. */
  found?: ArrivedEmail | null
  /** Emails that arrived meanwhile and did not match; undefined while it waits. */
  missed?: MissedEmail[]
}

export type ArrivedEmail = Pick<Email, 'id' | 'from' | 'subject' | 'receivedAt'>

export interface MissedEmail extends ArrivedEmail {
  reasons: Mismatch[]
}

/**
 * The latest requests of API clients for each inbox, so that the author of a failing test sees what
 * it waited for, and why an email did not match. Requests of the pages are not recorded. Memory is
 * bounded by constants: old requests and inboxes are evicted.
 */
export class Activity {
  readonly #now: () => number
  readonly #inboxes = new Map<string, ClientRequest[]>()

  /** @param now the time in Unix ms */
  constructor(now: () => number) {
    this.#now = now
  }

  /** Records a request below /api/emails/:address, and its answer when there is one. */
  track<A extends Response | Promise<Response>>(request: Request, answerOf: () => A): A {
    const match = /\/api\/emails\/([^/?#]{1,800})(\/[^?#]*)?(\?[^#]*)?/.exec(request.url)
    if (match === null || request.headers.get('Sec-Fetch-Site') === 'same-origin') return answerOf()
    const [, segment = '', path = '', query = ''] = match
    const address = decoded(segment).toLowerCase()
    // Requests for the mail of all addresses belong to no inbox.
    if (!address.includes('@')) return answerOf()
    const entry: ClientRequest = {
      method: request.method,
      target: (path + query).slice(0, QUERY_CHARACTERS_MAX),
      startedAt: this.#now(),
    }
    this.#add(address, entry)
    const answer = answerOf()
    Promise.resolve(answer).then(
      ({ status }) => {
        entry.answer = { status, ms: this.#now() - entry.startedAt }
      },
      () => {
        entry.answer = { status: 500, ms: this.#now() - entry.startedAt }
      },
    )
    return answer
  }

  /**
   * Records what the latest request for this address waits for, which has passed its checks.
   * @returns a function that records its end: the email that it found, and those that exist by then
   */
  waits(
    address: string,
    wait: Pick<WaitRecord, 'filter' | 'after' | 'timeoutMs'>,
  ): (found: Email | null, emails: Email[]) => void {
    const entry = this.of(address).find(
      ({ target, answer, wait: known }) => target.startsWith('/wait') && !answer && !known,
    )
    if (entry === undefined) return () => undefined
    const record: WaitRecord = { ...wait }
    entry.wait = record
    return (found, emails) => {
      record.found = found === null ? null : arrived(found)
      record.missed = missedBy(record, entry.startedAt, emails)
    }
  }

  /** The requests of an address, the latest first. */
  of(address: string): ClientRequest[] {
    return this.#inboxes.get(address) ?? []
  }

  #add(address: string, entry: ClientRequest): void {
    const requests = [entry, ...this.of(address)].slice(0, REQUESTS_MAX)
    // A map keeps the order of insertion: the inbox without requests for the longest time is the
    // first.
    this.#inboxes.delete(address)
    this.#inboxes.set(address, requests)
    const [oldest] = this.#inboxes.keys()
    if (this.#inboxes.size > INBOXES_MAX && oldest !== undefined) this.#inboxes.delete(oldest)
  }
}

/** Of these emails, those that arrived since a time in Unix ms and that the wait did not match. */
export function missedBy({ filter, after }: WaitRecord, startedAt: number, emails: Email[]): MissedEmail[] {
  return emails
    .filter(({ receivedAt }) => receivedAt >= startedAt)
    .map((email) => ({ ...arrived(email), reasons: mismatches(email, filter, after) }))
    .filter(({ reasons }) => reasons.length > 0)
    .slice(0, MISSED_MAX)
}

/** The fields of an email that are kept, with bounded texts. */
export function arrived({ id, from, subject, receivedAt }: Email): ArrivedEmail {
  const { name, address } = from
  const cut = (text: string | null) => text?.slice(0, TEXT_CHARACTERS_MAX) ?? null
  return {
    id,
    from: { name: cut(name), address: cut(address) },
    subject: subject.slice(0, TEXT_CHARACTERS_MAX),
    receivedAt,
  }
}
