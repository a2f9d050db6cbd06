/** Where an API key that the client took by itself is kept: a client address is given five in 24 hours. */
export interface KeyKeeper {
  /**
   * The kept key of this service, or else what `issue` gives. One call at a time may issue, also among processes.
   * @param unfit a key that the service has just refused
   */
  take(url: string, issue: () => Promise<string>, unfit: string | undefined): Promise<string>
}

/** For browsers and Workers: in localStorage where there is one, else as long as the module is loaded. */
export class PageKeeper implements KeyKeeper {
  readonly #keys = new Map<string, string>()
  readonly #taking = new Map<string, Promise<string>>()

  take(url: string, issue: () => Promise<string>, unfit: string | undefined): Promise<string> {
    const known = this.#read(url)
    if (known !== undefined && known !== unfit) return Promise.resolve(known)
    let taking = this.#taking.get(url)
    if (taking === undefined) {
      taking = issue()
        .then((key) => this.#write(url, key))
        .finally(() => this.#taking.delete(url))
      this.#taking.set(url, taking)
    }
    return taking
  }

  #read(url: string): string | undefined {
    return this.#keys.get(url) ?? storage()?.getItem(NAME + url) ?? undefined
  }

  #write(url: string, key: string): string {
    this.#keys.set(url, key)
    storage()?.setItem(NAME + url, key)
    return key
  }
}

const NAME = 'mayfly.client-key '

function storage(): Storage | undefined {
  try {
    return (globalThis as { window?: { localStorage?: Storage } }).window?.localStorage
  } catch {
    return undefined // A page may be forbidden to have one.
  }
}

/** The key of one client: the one that was given, or one of its own. */
export class Keys {
  readonly given: string | undefined
  readonly #take: (unfit: string | undefined) => Promise<string>
  #current: Promise<string> | undefined

  constructor(given: string | undefined, take: (unfit: string | undefined) => Promise<string>) {
    this.given = given
    this.#take = take
  }

  current(): Promise<string> {
    if (this.given !== undefined) return Promise.resolve(this.given)
    this.#current ??= this.#taken(undefined)
    return this.#current
  }

  /** Another key in place of one that is not valid any more; false when it was given, so that no other is known. */
  async renew(unfit: string): Promise<boolean> {
    if (this.given !== undefined) return false
    if ((await this.current()) === unfit) this.#current = this.#taken(unfit)
    await this.#current
    return true
  }

  /** A failure is not kept: the next call tries again. */
  #taken(unfit: string | undefined): Promise<string> {
    const taken = this.#take(unfit)
    taken.catch(() => {
      this.#current = undefined
    })
    return taken
  }
}
