import { AllMail } from './all-mail.ts'
import { Deadline } from './deadline.ts'
import { MayflyError } from './errors.ts'
import { FILTER_SHAPE, type MailFilter, PLAIN_SHAPE } from './filter.ts'
import { type ApiRequest, Http } from './http.ts'
import { Inbox } from './inbox.ts'
import { type KeyStore, Keys, PageKeyStore } from './keys.ts'
import { CALL_MS, type Mail, pathOf } from './mail.ts'
import { checkedKey, checkOptions, type Shape } from './options.ts'
import { parseServiceUrl } from './service-url.ts'
import type { WaitOptions } from './wait-options.ts'
import type { Email } from './wire.ts'

export interface MayflyOptions {
  /** The service's base URL: MAYFLY_URL, or http://127.0.0.1:8025. */
  url?: string
  /**
   * MAYFLY_API_KEY, or else the key of the key file, or else a free key that is created and kept.
   */
  apiKey?: string
  /** For private domains: MAYFLY_DOMAIN_KEY. */
  domainKey?: string
  /**
   * Milliseconds that each wait takes at most: MAYFLY_TIMEOUT, or 10,000; 4,000 in Vitest and Jest.
   */
  timeout?: number
}

export interface InboxOptions {
  /** One of the service's domains; a random public one unless given. */
  domain?: string
  /** The beginning of the new address. */
  prefix?: string
  /** An existing address, in place of a new one. */
  address?: string
  /** With `address`: mail that arrived earlier counts too. */
  history?: boolean
}

const MAYFLY_SHAPE: Shape = { url: 'string', apiKey: 'string', domainKey: 'string', timeout: 'number' }
const INBOX_SHAPE: Shape = { domain: 'string', prefix: 'string', address: 'string', history: 'boolean' }
const REQUEST_SHAPE: Shape = {
  method: 'method',
  path: 'path',
  query: 'query',
  body: 'json',
  open: 'boolean',
}
const KEY_VARIABLES = { apiKey: 'MAYFLY_API_KEY', domainKey: 'MAYFLY_DOMAIN_KEY' } as const
const PREFIX = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i

const WAIT_MS = 10_000
/** A host that accepts connections and does not answer must not take the time of the whole test. */
const OPENING_MS = 10_000
/** Vitest and Jest end a test after 5 s, and then hide why the mail did not arrive. */
const WAIT_IN_UNIT_TEST_MS = 4_000

const ALL_MAIL_EXAMPLE = "{ to: 'jo@example.com' }"

const pageKeys = new PageKeyStore()

/**
 * A Mayfly service. Creating the object sends no request.
 *
 * @example
 * const mayfly = new Mayfly({ url: 'http://127.0.0.1:8025' })
 * await using inbox = await mayfly.inbox()
 * await signUp(inbox.address)
 * const code = await inbox.waitForCode()
 */
export class Mayfly {
  readonly url: string
  readonly #keys: Keys
  readonly #http: Http
  readonly #timeoutMs: number | undefined
  readonly #allMail: AllMail

  /** @throws MayflyError `invalid_url`, TypeError for wrong options */
  constructor(options: MayflyOptions = {}) {
    checkOptions('new Mayfly()', options, MAYFLY_SHAPE, "{ url: 'http://127.0.0.1:8025' }")
    const service = parseServiceUrl(options.url ?? variable('MAYFLY_URL') ?? 'http://127.0.0.1:8025')
    this.url = service.url
    this.#timeoutMs = options.timeout ?? timeoutVariable()
    const [apiKey, domainKey] = [keyOf('apiKey', options), keyOf('domainKey', options)]
    this.#keys = new Keys(apiKey, (rejected) =>
      this.keyStore.get(this.url, () => this.#createKey(), rejected),
    )
    this.#http = new Http(service, this.#keys, domainKey)
    this.#allMail = new AllMail(this.#http)
  }

  /**
   * A new address, or the existing one that `address` names. Takes at most the `timeout` of the
   * client, 10 s by default.
   *
   * @throws MayflyError, TypeError for wrong options
   * @example
   * const inbox = await mayfly.inbox({ prefix: 'signup' })
   * const earlier = await mayfly.inbox({ address: 'bot@mayfly.test', history: true })
   */
  async inbox(options: InboxOptions = {}): Promise<Inbox> {
    checkOptions('inbox()', options, INBOX_SHAPE, "{ address: 'bot@mayfly.test' }")
    const { domain, prefix, address, history = false } = options
    const waitMs = () => this.#timeoutMs ?? this.defaultWaitMs
    const deadline = this.#opening()
    if (address !== undefined) {
      return new Inbox(
        address,
        history ? undefined : await this.#newest(address, deadline),
        this.#http,
        waitMs,
      )
    }
    const beginning = prefix === undefined ? '' : `${checkedPrefix(prefix)}-`
    // One after the other: of two requests at the same time, the second would continue after the
    // first has failed.
    const at =
      checkedDomain(domain) ?? (await this.#open<{ domain: string }>('/api/domains/random', deadline)).domain
    const { username } = await this.#open<{ username: string }>('/api/random-username', deadline)
    return new Inbox(`${beginning}${username}@${at}`, undefined, this.#http, waitMs)
  }

  /**
   * The mails of all addresses that match, newest first. For the operator of a service on one
   * machine, as are `waitForMail`, `stream` and `clear`.
   *
   * @throws MayflyError `operator_key_required`, TypeError for wrong options
   * @example
   * const mails = await mayfly.mails({ to: 'jo@example.com' })
   */
  mails(filter: MailFilter = {}): Promise<Mail[]> {
    checkOptions('mails()', filter, FILTER_SHAPE, ALL_MAIL_EXAMPLE)
    return this.#allMail.list(filter)
  }

  /**
   * The newest mail of any address that matches and that this client has not returned yet, or the
   * next one that arrives. Earlier mail counts too, so it may be called after the mail was sent.
   *
   * @throws MailTimeoutError, MayflyError, TypeError for wrong options, or the signal's reason
   * @example
   * const mail = await mayfly.waitForMail({ to: 'jo@example.com', subject: /welcome/i })
   */
  waitForMail(options: WaitOptions & { orNull: true }): Promise<Mail | null>
  waitForMail(options?: WaitOptions & { orNull?: false }): Promise<Mail>
  async waitForMail(options: WaitOptions = {}): Promise<Mail | null> {
    const shape: Shape = { ...FILTER_SHAPE, timeout: 'number', signal: 'signal', orNull: 'boolean' }
    checkOptions('waitForMail()', options, shape, ALL_MAIL_EXAMPLE)
    return this.#allMail.wait(options, this.#timeoutMs ?? this.defaultWaitMs)
  }

  /**
   * Every mail of any address that arrives from now on. Reconnects after a failure and misses
   * nothing.
   *
   * @throws MayflyError when the service refuses or stays unavailable; the signal's reason
   * @example
   * for await (const mail of mayfly.stream()) console.log(mail.address, mail.subject)
   */
  async *stream(options: { signal?: AbortSignal } = {}): AsyncGenerator<Mail, void> {
    checkOptions('stream()', options, { signal: 'signal' }, '{ signal: controller.signal }')
    yield* this.#allMail.stream(options.signal)
  }

  /**
   * Deletes the mails of all addresses for good, with a filter those that match it, and returns how
   * many there were.
   *
   * @throws TypeError for a pattern or `where`, because the service deletes what it selects itself
   * @example
   * await mayfly.clear()
   * await mayfly.clear({ to: 'jo@example.com' })
   */
  async clear(filter: Omit<MailFilter, 'where'> = {}): Promise<number> {
    checkOptions('clear()', filter, PLAIN_SHAPE, ALL_MAIL_EXAMPLE)
    return this.#allMail.clear(filter)
  }

  /**
   * Sends any other request of the REST API, with the same key, retries and errors; resolves with
   * the JSON.
   *
   * @throws MayflyError, TypeError for a wrong request or wrong options
   * @example
   * const { domains } = await mayfly.request({ path: '/api/domains', open: true })
   */
  request<T>(request: ApiRequest, options: { timeout?: number; signal?: AbortSignal } = {}): Promise<T> {
    checkOptions(
      'request()',
      { ...request, path: request?.path ?? '' },
      REQUEST_SHAPE,
      "{ path: '/api/info' }",
    )
    if (request.body !== undefined && (request.method ?? 'GET') === 'GET') {
      throw new TypeError("request(): a `body` needs a `method` such as 'POST'.")
    }
    checkOptions('request()', options, { timeout: 'number', signal: 'signal' }, '{ timeout: 5_000 }')
    return this.#http.json<T>(request, new Deadline(options.timeout ?? CALL_MS, options.signal))
  }

  /**
   * The API key that the client sends.
   *
   * @example
   * const headers = { 'X-API-Key': await mayfly.apiKey() }
   * await fetch(`${mayfly.url}/api/keys/current`, { headers })
   */
  apiKey(): Promise<string> {
    return this.#keys.current()
  }

  /** @internal Keeps the keys that the client creates. */
  protected get keyStore(): KeyStore {
    return pageKeys
  }

  /** @internal The time-out of a wait if neither the call nor the client has one. */
  protected get defaultWaitMs(): number {
    const isUnitTest = variable('VITEST') !== undefined || variable('JEST_WORKER_ID') !== undefined
    return isUnitTest ? WAIT_IN_UNIT_TEST_MS : WAIT_MS
  }

  #opening(): Deadline {
    return new Deadline(this.#timeoutMs ?? Math.min(OPENING_MS, this.defaultWaitMs))
  }

  #open<T>(path: string, deadline: Deadline): Promise<T> {
    return this.#http.json<T>({ path, open: true }, deadline)
  }

  async #newest(address: string, deadline: Deadline): Promise<string | undefined> {
    const call = { path: `${pathOf(address)}/latest` }
    const { email } = await this.#http.json<{ email: Email | null }>(call, deadline)
    return email?.id
  }

  async #createKey(): Promise<string> {
    const body = { purpose: 'created by @mayfly/client' }
    const call = { method: 'POST', path: '/api/keys', open: true, body } as const
    return (await this.#http.json<{ key: string }>(call, this.#opening())).key
  }
}

/** @throws MayflyError `invalid_address` */
function checkedPrefix(prefix: string): string {
  if (PREFIX.test(prefix)) return prefix
  throw new MayflyError('invalid_address', `No address can begin with "${prefix}", which is the prefix.`)
}

/** A domain with an "@" is probably meant as the address of the inbox. */
function checkedDomain(domain: string | undefined): string | undefined {
  if (!domain?.includes('@')) return domain
  const message = `"${domain}" is no domain. Pass the address of an inbox as \`address: '${domain}'\`.`
  throw new MayflyError('invalid_address', message)
}

/** @throws TypeError */
function keyOf(option: keyof typeof KEY_VARIABLES, options: MayflyOptions): string | undefined {
  const name = KEY_VARIABLES[option]
  return checkedKey(option, name, options[option] ?? variable(name))
}

function timeoutVariable(): number | undefined {
  const text = variable('MAYFLY_TIMEOUT')
  if (text === undefined) return undefined
  const ms = Number(text)
  if (ms >= 0) return ms
  throw new TypeError(`MAYFLY_TIMEOUT must be a number of milliseconds from 0, not "${text}".`)
}

/**
 * An environment variable, if there is an environment that may be read; an empty one counts as not
 * set.
 */
function variable(name: string): string | undefined {
  try {
    return globalThis.process.env[name] || undefined
  } catch {
    return undefined // A browser has no `process`, and Deno asks for permission, which may be denied.
  }
}
