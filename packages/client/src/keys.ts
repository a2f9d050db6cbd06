/** Keeps the API keys that the client has created: a client address may create five in 24 hours. */
export interface KeyStore {
  /**
   * The stored key of this service, or else the key that `create` returns. Calls `create` once when
   * several ask at the same time, other processes included where they share the store.
   * @param rejected a key that the service has just rejected
   */
  get(url: string, create: () => Promise<string>, rejected: string | undefined): Promise<string>
}

/** For browsers and Workers: keys are kept in localStorage if there is one, otherwise in memory. */
export class PageKeyStore implements KeyStore {
  readonly #keys = new Map<string, string>()
  readonly #pending = new Map<string, Promise<string>>()

  get(url: string, create: () => Promise<string>, rejected: string | undefined): Promise<string> {
    const known = this.#keys.get(url) ?? stored(url)
    if (known !== undefined && known !== rejected) return Promise.resolve(known)
    let pending = this.#pending.get(url)
    if (pending === undefined) {
      pending = create()
        .then((key) => {
          this.#keys.set(url, key)
          store(url, key)
          return key
        })
        .finally(() => this.#pending.delete(url))
      this.#pending.set(url, pending)
    }
    return pending
  }
}

const PREFIX = 'mayfly.client-key '

/** The storage of a page: a Worker has none, a sandboxed page may not use it, and it may be full. */
const page = globalThis as unknown as { window: { localStorage: Storage } }

function stored(url: string): string | undefined {
  try {
    return page.window.localStorage.getItem(PREFIX + url) ?? undefined
  } catch {
    return undefined
  }
}

function store(url: string, key: string): void {
  try {
    page.window.localStorage.setItem(PREFIX + url, key)
  } catch {
    // The key is then kept in memory only.
  }
}

/** The key of one client: the given one, or one from the key store. */
export class Keys {
  readonly given: string | undefined
  readonly #fromStore: (rejected: string | undefined) => Promise<string>
  #current: Promise<string> | undefined

  constructor(given: string | undefined, fromStore: (rejected: string | undefined) => Promise<string>) {
    this.given = given
    this.#fromStore = fromStore
  }

  current(): Promise<string> {
    if (this.given !== undefined) return Promise.resolve(this.given)
    this.#current ??= this.#load(undefined)
    return this.#current
  }

  /** Replaces a rejected key. False for a given key, because there is no other. */
  async renew(rejected: string): Promise<boolean> {
    if (this.given !== undefined) return false
    const current = this.current()
    // Of several requests whose key was rejected, only the first takes a new one.
    if ((await current) === rejected && this.#current === current) this.#current = this.#load(rejected)
    await this.#current
    return true
  }

  /** A failure is not cached, so the next call tries again. */
  #load(rejected: string | undefined): Promise<string> {
    const loaded = this.#fromStore(rejected)
    loaded.catch(() => {
      this.#current = undefined
    })
    return loaded
  }
}
