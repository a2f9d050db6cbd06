import type { Clock } from '../clock.ts'
import { Problem } from '../errors.ts'
import {
  DAY_MS,
  PAGE_SESSION_REQUESTS_PER_MINUTE,
  PAGE_SESSION_VALID_MS,
  PAGE_SESSIONS_PER_CLIENT_PER_DAY,
  SECOND_MS,
} from '../limits.ts'
import { type Authenticated, authenticated, hashKey } from './api-keys.ts'
import type { Keys, Limits } from './ports.ts'

const PREFIX = 'mfs_'
const TOKEN_BYTES = 32
/** No API key has this form, so neither can be used in place of the other. */
const TOKEN = new RegExp(`^${PREFIX}[A-Za-z0-9_-]{43}$`)

export interface PageSession {
  /** The secret that the page's cookie holds; the store keeps its SHA-256 only. */
  token: string
  /** Unix time in ms. */
  expiresAt: number
  validMs: number
}

/**
 * Sessions of the pages that this service serves. A session is stored as an API key is, so that
 * both hosts count and expire it in the same way; it has its own quota and never uses up one of the
 * client's five keys.
 */
export class PageSessions {
  readonly #keys: Keys
  readonly #limits: Limits
  readonly #clock: Clock
  readonly #random: (size: number) => Uint8Array

  constructor(keys: Keys, limits: Limits, clock: Clock, random: (size: number) => Uint8Array) {
    this.#keys = keys
    this.#limits = limits
    this.#clock = clock
    this.#random = random
  }

  /**
   * Returns the page's current session, or a new one.
   * @param client the client's network (core/access/client.ts)
   * @param token from the page's cookie
   * @throws Problem `rate_limited` when the client has opened too many today
   */
  async open(client: string, token = ''): Promise<PageSession> {
    const now = this.#clock()
    const known = TOKEN.test(token) ? await this.#keys.find(hashKey(token)) : undefined
    if (known !== undefined && known.expiresAt > now) {
      return { token, expiresAt: known.expiresAt, validMs: known.expiresAt - now }
    }
    const quota = await this.#limits.take(
      'page-sessions',
      client,
      PAGE_SESSIONS_PER_CLIENT_PER_DAY,
      DAY_MS,
      now,
    )
    if (!quota.allowed) {
      throw new Problem(
        'rate_limited',
        `A client address has ${PAGE_SESSIONS_PER_CLIENT_PER_DAY} page sessions in 24 hours. Keep the cookie of one.`,
        { retryAfter: Math.ceil((quota.resetsAt - now) / SECOND_MS) },
      )
    }
    const session = {
      token: PREFIX + Buffer.from(this.#random(TOKEN_BYTES)).toString('base64url'),
      expiresAt: now + PAGE_SESSION_VALID_MS,
      validMs: PAGE_SESSION_VALID_MS,
    }
    await this.#keys.add({
      hash: hashKey(session.token),
      purpose: 'page session',
      createdAt: now,
      expiresAt: session.expiresAt,
    })
    return session
  }

  /**
   * Authenticates a request and counts it in the session's clock minute.
   * @throws Problem `api_key_expired` for a session that is over or unknown
   */
  async authenticate(token: string): Promise<Authenticated> {
    const now = this.#clock()
    const admission = TOKEN.test(token)
      ? await this.#keys.admit(hashKey(token), PAGE_SESSION_REQUESTS_PER_MINUTE, now)
      : ({ outcome: 'unknown' } as const)
    if (admission.outcome === 'unknown' || admission.outcome === 'expired') {
      throw new Problem(
        'api_key_expired',
        'The session of this page is over: open another with POST /api/session.',
      )
    }
    return authenticated(admission, PAGE_SESSION_REQUESTS_PER_MINUTE, now)
  }
}
