import { BrowserStorage } from './storage.ts'
import { Store } from './store.ts'

const API_KEY = 'mayfly.api-key'
const DOMAIN_KEY = 'mayfly.domain-key.'

/**
 * The keys that the user of this browser entered. They are sent in headers and are never part of a URL that can
 * be copied. Streams are the exception: an EventSource cannot send headers.
 */
export class CredentialStore extends Store {
  readonly #local = new BrowserStorage('localStorage')
  /** A domain key opens every inbox of its domain, so it is forgotten when the tab is closed. */
  readonly #session = new BrowserStorage('sessionStorage')

  get apiKey(): string | undefined {
    return this.#local.get(API_KEY)
  }

  set apiKey(key: string | undefined) {
    if (key === undefined) this.#local.remove(API_KEY)
    else this.#local.set(API_KEY, key)
    this.changed()
  }

  domainKey(domain: string): string | undefined {
    return this.#session.get(DOMAIN_KEY + domain)
  }

  setDomainKey(domain: string, key: string): void {
    this.#session.set(DOMAIN_KEY + domain, key)
  }
}

export const credentials = new CredentialStore()
