import { Kept } from './storage.ts'
import { Store } from './store.ts'

const API_KEY = 'mayfly.api-key'
const DOMAIN_KEY = 'mayfly.domain-key.'

/**
 * The keys of this browser's user. They go to the service in headers and nowhere else; never into a URL that
 * can be copied. (A stream is the exception that the browser forces: EventSource sends no headers.)
 */
class CredentialStore extends Store {
  readonly #lasting = new Kept('localStorage')
  /** A domain key opens every inbox of the domain, so that it goes with the tab. */
  readonly #passing = new Kept('sessionStorage')

  get apiKey(): string | undefined {
    return this.#lasting.get(API_KEY)
  }

  set apiKey(key: string | undefined) {
    if (key === undefined) this.#lasting.remove(API_KEY)
    else this.#lasting.set(API_KEY, key)
    this.changed()
  }

  /** Whether this page took the key by itself, which its user is told. */
  taken = false

  /** Keeps a key that the page took by itself. */
  take(key: string): void {
    this.taken = true
    this.apiKey = key
  }

  domainKey(domain: string): string | undefined {
    return this.#passing.get(DOMAIN_KEY + domain)
  }

  setDomainKey(domain: string, key: string | undefined): void {
    if (key === undefined) this.#passing.remove(DOMAIN_KEY + domain)
    else this.#passing.set(DOMAIN_KEY + domain, key)
    this.changed()
  }
}

export const credentials = new CredentialStore()
