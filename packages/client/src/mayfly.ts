import { Deadline } from './deadline.ts'
import { MayflyError } from './errors.ts'
import { type Call, Http } from './http.ts'
import { Inbox } from './inbox.ts'
import { type KeyKeeper, Keys, PageKeeper } from './keys.ts'
import { CALL_MS, pathOf } from './mail.ts'
import type { Email } from './wire.ts'

export interface MayflyOptions {
  /** The service's base URL; MAYFLY_URL, or else http://127.0.0.1:8080. */
  url?: string
  /** MAYFLY_API_KEY, or else one is taken for free and kept. */
  apiKey?: string
  /** For private domains; MAYFLY_DOMAIN_KEY. */
  domainKey?: string
}

export interface InboxOptions {
  /** One of the service's domains; a public one at random unless given. */
  domain?: string
  /** What the new address begins with. */
  prefix?: string
  /** An address that exists, in place of a new one. */
  address?: string
  /** With `address`: mail that was there before counts as well. */
  history?: boolean
}

const pageKeeper = new PageKeeper()

/** A Mayfly service. Nothing is requested before it is needed. */
export class Mayfly {
  readonly url: string
  readonly #keys: Keys
  readonly #http: Http

  /** @throws MayflyError `invalid_url` */
  constructor(options: MayflyOptions = {}) {
    this.url = baseUrl(options.url ?? variable('MAYFLY_URL') ?? 'http://127.0.0.1:8080')
    this.#keys = new Keys(options.apiKey ?? variable('MAYFLY_API_KEY'), (unfit) =>
      this.keeper.take(this.url, () => this.#newKey(), unfit),
    )
    this.#http = new Http(this.url, this.#keys, options.domainKey ?? variable('MAYFLY_DOMAIN_KEY'))
  }

  /** An address that nobody else has, or the one that is named. @throws MayflyError */
  async inbox({ domain, prefix, address, history = false }: InboxOptions = {}): Promise<Inbox> {
    if (address === undefined) {
      // One after the other: of two at once, the second would go on when the first has failed.
      const at = domain ?? (await this.#domain())
      const name = await this.#username()
      return new Inbox(`${prefix === undefined ? '' : `${prefix}-`}${name}@${at}`, undefined, this.#http)
    }
    return new Inbox(address, history ? undefined : await this.#newest(address), this.#http)
  }

  /**
   * Any other request of the REST API, with the retries and errors of all the rest; resolves with the JSON.
   * @param call such as `{ path: '/api/domains', open: true }`; `open` sends no API key
   */
  request<T>(call: Call, options: { timeout?: number; signal?: AbortSignal } = {}): Promise<T> {
    return this.#http.json<T>(call, new Deadline(options.timeout ?? CALL_MS, options.signal))
  }

  /** The API key that is sent. */
  apiKey(): Promise<string> {
    return this.#keys.current()
  }

  /** Where a key that was taken is kept. */
  protected get keeper(): KeyKeeper {
    return pageKeeper
  }

  async #username(): Promise<string> {
    const call = { path: '/api/random-username', open: true }
    return (await this.#http.json<{ username: string }>(call, new Deadline(CALL_MS))).username
  }

  async #domain(): Promise<string> {
    const call = { path: '/api/domains/random', open: true }
    return (await this.#http.json<{ domain: string }>(call, new Deadline(CALL_MS))).domain
  }

  async #newest(address: string): Promise<string | undefined> {
    const call = { path: `${pathOf(address)}/latest` }
    const { email } = await this.#http.json<{ email: Email | null }>(call, new Deadline(CALL_MS))
    return email?.id
  }

  async #newKey(): Promise<string> {
    const call = {
      method: 'POST',
      path: '/api/keys',
      open: true,
      body: { purpose: 'taken by @mayfly/client' },
    } as const
    return (await this.#http.json<{ key: string }>(call, new Deadline(CALL_MS))).key
  }
}

/** Without the slash at its end. @throws MayflyError `invalid_url` */
function baseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && /^https?:$/.test(url.protocol))
    return (url.origin + url.pathname).replace(/\/+$/, '')
  throw new MayflyError(
    'invalid_url',
    `"${text}" is no URL of a service; one looks like http://127.0.0.1:8080. It comes from \`url\` or MAYFLY_URL.`,
  )
}

/** An environment variable, where there is an environment that may be read; nothing counts as not set. */
function variable(name: string): string | undefined {
  try {
    return globalThis.process?.env?.[name] || undefined
  } catch {
    return undefined // Deno asks for permission, and may be refused it.
  }
}
