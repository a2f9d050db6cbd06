import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../clock.ts'
import { Problem } from '../errors.ts'
import { PAGE_SESSION_REQUESTS_PER_MINUTE, PAGE_SESSION_VALID_MS } from '../limits.ts'
import { type Authenticated, authenticated, hashKey } from './api-keys.ts'
import type { Admission, Keys, Limits } from './ports.ts'

const SECRET_BYTES = 32
const NONCE_BYTES = 16
/** Its expiry (Unix ms), a nonce, and their signature. No API key has this form. */
const TOKEN = /^mfs_(\d{13}-[\w-]{22})-([\w-]{43})$/

export interface PageSession {
  /** The secret that the page's cookie holds. */
  token: string
  /** Unix time in ms. */
  expiresAt: number
  validMs: number
}

/**
 * Sessions of the pages that this service serves. A session is signed and not stored, so a new page
 * always gets one. The requests of all sessions of a client are counted together, as those of one
 * key; otherwise a program could multiply its limit by opening sessions.
 */
export class PageSessions {
  readonly #keys: Keys
  readonly #limits: Limits
  readonly #clock: Clock
  readonly #random: (size: number) => Uint8Array
  #secret: Promise<string> | undefined

  constructor(keys: Keys, limits: Limits, clock: Clock, random: (size: number) => Uint8Array) {
    this.#keys = keys
    this.#limits = limits
    this.#clock = clock
    this.#random = random
  }

  /** Returns the page's current session, or a new one. @param token from the page's cookie */
  async open(token = ''): Promise<PageSession> {
    const now = this.#clock()
    const known = await this.#expiryOf(token)
    if (known > now) return { token, expiresAt: known, validMs: known - now }
    const expiresAt = now + PAGE_SESSION_VALID_MS
    const nonce = Buffer.from(this.#random(NONCE_BYTES)).toString('base64url')
    const signed = `${expiresAt}-${nonce}`
    return {
      token: `mfs_${signed}-${(await this.#signatureOf(signed)).toString('base64url')}`,
      expiresAt,
      validMs: PAGE_SESSION_VALID_MS,
    }
  }

  /**
   * Authenticates a request and counts it in the clock minute of its client.
   * @param client the client's network (core/access/client.ts)
   * @throws Problem `api_key_expired` for a session that is over or not of this service
   */
  async authenticate(token: string, client: string): Promise<Authenticated> {
    const now = this.#clock()
    if ((await this.#expiryOf(token)) <= now) {
      throw new Problem(
        'api_key_expired',
        'The session of this page is over: open another with POST /api/session.',
      )
    }
    return authenticated(await this.#count(client, now), PAGE_SESSION_REQUESTS_PER_MINUTE, now)
  }

  /** Counts a request of the client as one of a key, which is stored with the client's first request. */
  async #count(client: string, now: number): Promise<Extract<Admission, { key: object }>> {
    const hash = hashKey(`page sessions of ${client}`)
    const counted = await this.#keys.admit(hash, PAGE_SESSION_REQUESTS_PER_MINUTE, now)
    if ('key' in counted) return counted
    const key = { hash, purpose: 'page session', createdAt: now, expiresAt: now + PAGE_SESSION_VALID_MS }
    await this.#keys.add(key)
    return { outcome: 'admitted', key, remaining: PAGE_SESSION_REQUESTS_PER_MINUTE - 1 }
  }

  /** The expiry of a session of this service (Unix ms); 0 for any other text. */
  async #expiryOf(token: string): Promise<number> {
    const [, signed, signature] = TOKEN.exec(token) ?? []
    if (signed === undefined) return 0
    const own = await this.#signatureOf(signed)
    return timingSafeEqual(own, Buffer.from(signature!, 'base64url')) ? Number.parseInt(signed, 10) : 0
  }

  async #signatureOf(signed: string): Promise<Buffer> {
    this.#secret ??= this.#storedSecret()
    return createHmac('sha256', await this.#secret)
      .update(signed)
      .digest()
  }

  /** The secret of the store, which is the same for all processes. */
  async #storedSecret(): Promise<string> {
    try {
      const secret = Buffer.from(this.#random(SECRET_BYTES)).toString('hex')
      return (await this.#limits.lease('page-sessions', 1, secret)).secret
    } catch (error) {
      this.#secret = undefined
      throw error
    }
  }
}
