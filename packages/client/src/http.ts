import type { Deadline } from './deadline.ts'
import { MayflyError, problemError } from './errors.ts'
import type { Keys } from './keys.ts'
import { isLoopback, type ServiceUrl } from './service-url.ts'
import type { Problem } from './wire.ts'

/** A request of the REST API. */
export interface ApiRequest {
  method?: 'GET' | 'POST' | 'DELETE'
  /** Starts with a slash; its parameters are percent-encoded. */
  path: string
  query?: Record<string, string | number | undefined>
  /** Sent as JSON. */
  body?: unknown
  /** Sends no API key. */
  open?: boolean
}

export interface Call extends ApiRequest {
  headers?: Record<string, string>
  /** How long one response may take; the deadline applies too. */
  patienceMs?: number
  /** Fails at the first refusal instead of waiting and trying again. */
  once?: boolean
  /** Ends the request, in place of `patienceMs` and the deadline: for a body that does not end. */
  signal?: AbortSignal
}

/**
 * Statuses that a later attempt can change: too many requests, or a service or proxy that restarts.
 */
const TEMPORARY = [429, 502, 503, 504]
const PATIENCE_MS = 30_000
const PAUSE_MS = 200
const PAUSE_MAX_MS = 5_000

/**
 * Sends requests to one service and repeats them until their deadline when a later attempt can
 * succeed.
 */
export class Http {
  readonly url: string
  readonly #keys: Keys
  readonly #domainKey: string | undefined
  /** The user and password of the URL, for a proxy before the service. */
  readonly #credentials: string | undefined
  #answered = false

  constructor({ url, credentials }: ServiceUrl, keys: Keys, domainKey: string | undefined) {
    this.url = url
    this.#credentials = credentials
    this.#keys = keys
    this.#domainKey = domainKey
  }

  async json<T>(call: Call, deadline: Deadline): Promise<T> {
    return this.#send(call, deadline, async (response) => {
      const type = response.headers.get('Content-Type') ?? ''
      if (!type.startsWith('application/json')) throw await this.#notMayfly(call, response)
      return (await response.json()) as T
    })
  }

  bytes(call: Call, deadline: Deadline): Promise<Bytes> {
    return this.#send(call, deadline, async (response) => new Uint8Array(await response.arrayBuffer()))
  }

  /**
   * A response whose body does not end. Streams of addresses read the domain key from the query
   * only; the stream of all mail needs the API key.
   */
  stream({ open = true, ...call }: Omit<Call, 'query'>, deadline: Deadline): Promise<Response> {
    const query = open ? { key: this.#domainKey } : {}
    return this.#send({ ...call, query, open }, deadline, async (response) => response)
  }

  async #send<T>(call: Call, deadline: Deadline, read: (response: Response) => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      const key = call.open ? undefined : await this.#keys.current()
      let pauseMs = Math.min(PAUSE_MS * 2 ** attempt, PAUSE_MAX_MS)
      try {
        const response = await this.#fetch(call, key, deadline)
        this.#answered = true
        if (response.ok) return await read(response)
        const error = await this.#problem(call, response)
        if (attempt < 2 && key !== undefined && isRejectedKey(error) && (await this.#keys.renew(key)))
          continue
        pauseMs = retryAfterMs(response) ?? pauseMs
        if (!TEMPORARY.includes(response.status) || pauseMs >= deadline.leftMs || call.once) throw error
      } catch (error) {
        deadline.check()
        if (error instanceof MayflyError) throw error
        // A service that has never answered does not run; one that has answered may be restarting.
        if (!this.#answered || deadline.leftMs === 0 || call.once)
          throw this.#unreachable(error, deadline.waitedMs)
      }
      await deadline.sleep(pauseMs)
    }
  }

  async #fetch(call: Call, key: string | undefined, deadline: Deadline): Promise<Response> {
    const { method = 'GET', path, query = {}, body } = call
    const headers: Record<string, string> = { ...call.headers }
    if (this.#credentials !== undefined) headers.Authorization = `Basic ${this.#credentials}`
    if (key !== undefined) headers['X-API-Key'] = key
    if (this.#domainKey !== undefined) headers['X-Domain-Key'] = this.#domainKey
    if (body !== undefined) headers['Content-Type'] = 'application/json'
    const url = new URL(this.url + path)
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value))
    }
    const signal = call.signal ?? deadline.signal(call.patienceMs ?? PATIENCE_MS)
    const init = { method, headers, signal, body: body === undefined ? null : JSON.stringify(body) }
    // On AWS, raw messages and attachments redirect to a bucket. The keys must not be sent there,
    // so this follows the redirect itself; a browser hides the target and drops our headers on the
    // way.
    const redirect = path.startsWith('/api/emails') ? 'manual' : 'follow'
    const response = await fetch(url, { ...init, redirect })
    if (response.type === 'opaqueredirect') return fetch(url, init)
    const location = response.headers.get('Location')
    return response.status === 302 && location !== null ? fetch(new URL(location, url), { signal }) : response
  }

  async #problem(call: Call, response: Response): Promise<MayflyError> {
    const type = response.headers.get('Content-Type') ?? ''
    if (type.startsWith('application/problem+json')) {
      const problem = (await response.json()) as Problem
      if (problem.code !== 'not_found' || !this.url.endsWith('/api')) return problemError(problem)
      const base = this.url.replace(/\/api$/, '')
      const message = `The URL of the service ends before "/api": use ${base} in place of ${this.url}.`
      return new MayflyError('invalid_url', message, { status: response.status })
    }
    return this.#notMayfly(call, response)
  }

  async #notMayfly({ method = 'GET', path }: Call, { status, body }: Response): Promise<MayflyError> {
    // A body that is not read would keep its connection busy.
    await body?.cancel()
    return new MayflyError(
      'not_mayfly',
      `${this.url} does not answer as Mayfly does: ${method} ${path} returned ${status}. Is this the base URL of the service, without /api?`,
      { status },
    )
  }

  #unreachable(cause: unknown, waitedMs: number): MayflyError {
    if (!this.#answered && (cause as Error).name === 'TimeoutError') {
      // Elsewhere than on this machine, a firewall may drop what is sent.
      const accepts = isLoopback(this.url) ? 'accepts connections but ' : ''
      const seconds = Math.round(waitedMs / 100) / 10
      const reason = `${this.url} ${accepts}does not answer within ${seconds} s.`
      return new MayflyError('unreachable', reason, { cause, advice: OTHER_PROGRAM })
    }
    const { cause: inner, message } = cause as Error & { cause?: { code?: string; message?: string } }
    const why = inner?.code ?? (inner?.message || message)
    return new MayflyError(
      'unreachable',
      this.#answered
        ? `${this.url} answered before and does not answer now (${why}). Has the service stopped?`
        : `No service answers at ${this.url} (${why}).`,
      { cause, advice: this.#answered ? undefined : START },
    )
  }
}

const START = 'Start one with `mayfly`, or set MAYFLY_URL (or `url`) to the URL of yours.'
const OTHER_PROGRAM = 'Is it another program? Set MAYFLY_URL (or `url`) to the URL of your service.'

/** `Uint8Array<ArrayBuffer>`, which TypeScript before 5.7 calls `Uint8Array`. */
export type Bytes = ReturnType<Uint8ArrayConstructor['of']>

function isRejectedKey({ code }: MayflyError): boolean {
  return code === 'api_key_invalid' || code === 'api_key_expired'
}

function retryAfterMs(response: Response): number | undefined {
  const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN)
  return seconds >= 0 ? seconds * 1000 : undefined
}
