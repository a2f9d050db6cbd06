import type { Deadline } from './deadline.ts'
import { MayflyError, refused } from './errors.ts'
import type { Keys } from './keys.ts'
import type { Problem } from './wire.ts'

export interface Call {
  method?: 'GET' | 'POST' | 'DELETE'
  /** Starts with a slash; its parameters are percent-encoded. */
  path: string
  query?: Record<string, string | number | undefined>
  headers?: Record<string, string>
  body?: unknown
  /** Sent without an API key. */
  open?: boolean
  /** How long one answer may take; the deadline rules besides. */
  patienceMs?: number
  /** Ends the request, in place of `patienceMs` and the deadline: for a body that goes on. */
  signal?: AbortSignal
}

/** Answers that a later try can change: too many requests, and a service or its proxy that restarts. */
const PASSING = [429, 502, 503, 504]
const PATIENCE_MS = 30_000
const PAUSE_MS = 200
const PAUSE_MAX_MS = 5_000

/** Requests to one service, each tried again as long as its deadline lets it. */
export class Http {
  readonly url: string
  readonly #keys: Keys
  readonly #domainKey: string | undefined
  #answered = false

  constructor(url: string, keys: Keys, domainKey: string | undefined) {
    this.url = url
    this.#keys = keys
    this.#domainKey = domainKey
  }

  async json<T>(call: Call, deadline: Deadline): Promise<T> {
    return this.#send(call, deadline, async (response) => {
      const type = response.headers.get('Content-Type') ?? ''
      if (!type.startsWith('application/json')) throw await this.#stranger(call, response)
      return (await response.json()) as T
    })
  }

  bytes(call: Call, deadline: Deadline): Promise<Uint8Array<ArrayBuffer>> {
    return this.#send(call, deadline, async (response) => new Uint8Array(await response.arrayBuffer()))
  }

  /** An answer whose body goes on. Streams take the domain key from the query alone. */
  stream(call: Call, deadline: Deadline): Promise<Response> {
    const query = { ...call.query, key: this.#domainKey }
    return this.#send({ ...call, query, open: true }, deadline, async (response) => response)
  }

  async #send<T>(call: Call, deadline: Deadline, read: (response: Response) => Promise<T>): Promise<T> {
    for (let tries = 0; ; tries++) {
      deadline.check()
      const key = call.open ? undefined : await this.#keys.current()
      let pauseMs = Math.min(PAUSE_MS * 2 ** tries, PAUSE_MAX_MS)
      try {
        const response = await this.#fetch(call, key, deadline)
        this.#answered = true
        if (response.ok) return await read(response)
        const error = await this.#problem(call, response)
        const unfit = error.code === 'api_key_invalid' || error.code === 'api_key_expired'
        if (unfit && tries < 2 && (await this.#keys.renew(key!))) continue
        const after = Number(response.headers.get('Retry-After') ?? Number.NaN)
        if (after >= 0) pauseMs = after * 1000
        if (!PASSING.includes(error.status!) || pauseMs >= deadline.left) throw error
      } catch (error) {
        deadline.check()
        if (error instanceof MayflyError) throw error
        // Whoever was never there is not there; one that was may be restarting.
        if (!this.#answered || deadline.left === 0) throw this.#unreachable(error)
      }
      await deadline.sleep(pauseMs)
    }
  }

  async #fetch(call: Call, key: string | undefined, deadline: Deadline): Promise<Response> {
    const { method = 'GET', path, query = {}, body } = call
    const headers: Record<string, string> = { ...call.headers }
    if (key !== undefined) headers['X-API-Key'] = key
    if (this.#domainKey !== undefined) headers['X-Domain-Key'] = this.#domainKey
    if (body !== undefined) headers['Content-Type'] = 'application/json'
    const url = new URL(this.url + path)
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value))
    }
    const signal = call.signal ?? deadline.signal(call.patienceMs ?? PATIENCE_MS)
    const init = { method, headers, signal, body: body === undefined ? null : JSON.stringify(body) }
    // Keys are for the service alone, not for where it sends us to. A browser does not tell where that is.
    const response = await fetch(url, {
      ...init,
      redirect: path.startsWith('/api/emails') ? 'manual' : 'follow',
    })
    if (response.type === 'opaqueredirect') return fetch(url, init)
    const location = response.headers.get('Location')
    return response.status === 302 && location !== null ? fetch(new URL(location, url), { signal }) : response
  }

  async #problem(call: Call, response: Response): Promise<MayflyError> {
    const type = response.headers.get('Content-Type') ?? ''
    if (type.startsWith('application/problem+json')) return refused((await response.json()) as Problem)
    return this.#stranger(call, response)
  }

  async #stranger({ method = 'GET', path }: Call, { status, body }: Response): Promise<MayflyError> {
    // An answer that nobody reads would hold its connection.
    await body?.cancel()
    return new MayflyError(
      'not_mayfly',
      `${this.url} does not answer as Mayfly does: ${method} ${path} gave ${status}. Is this the base URL of the service, without /api?`,
      { status },
    )
  }

  #unreachable(cause: unknown): MayflyError {
    const { cause: inner, message } = cause as Error & { cause?: { code?: string; message?: string } }
    const why = inner?.code ?? (inner?.message || message)
    return new MayflyError(
      'unreachable',
      this.#answered
        ? `${this.url} answered before and does not any more (${why}). Has the service stopped?`
        : `No service answers at ${this.url} (${why}). Start one with \`npx mayfly\`, or set MAYFLY_URL (or \`url\`) to where it is.`,
      { cause },
    )
  }
}
