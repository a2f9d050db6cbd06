/** The latest requests of an inbox that are kept, and the number of inboxes. */
const REQUESTS_MAX = 50
const INBOXES_MAX = 200
const QUERY_CHARACTERS_MAX = 300

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
}

/**
 * The latest requests of API clients for each inbox, so that the author of a hanging test sees what
 * it waits for. Requests of the pages are not recorded. Memory is bounded by constants: old
 * requests and inboxes are evicted.
 */
export class Activity {
  readonly #now: () => number
  readonly #inboxes = new Map<string, ClientRequest[]>()

  /** @param now the time in Unix ms */
  constructor(now: () => number) {
    this.#now = now
  }

  /** Records a request below /api/emails/:address, and its answer when there is one. */
  track<A extends Response | Promise<Response>>(request: Request, answer: A): A {
    const match = /\/api\/emails\/([^/?#]{1,400})(\/[^?#]*)?(\?[^#]*)?/.exec(request.url)
    if (match === null || request.headers.get('Sec-Fetch-Site') === 'same-origin') return answer
    const [, address = '', path = '', query = ''] = match
    const entry: ClientRequest = {
      method: request.method,
      target: (path + query).slice(0, QUERY_CHARACTERS_MAX),
      startedAt: this.#now(),
    }
    this.#add(addressIn(address), entry)
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

function addressIn(segment: string): string {
  try {
    return decodeURIComponent(segment).toLowerCase()
  } catch {
    return segment
  }
}
