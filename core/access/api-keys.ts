import { createHash, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Clock } from '../clock.ts'
import { Problem } from '../errors.ts'
import {
  API_KEY_REQUESTS_PER_MINUTE,
  API_KEY_VALID_MS,
  API_KEYS_PER_CLIENT_PER_DAY,
  DAY_MS,
  MINUTE_MS,
  SECOND_MS,
} from '../limits.ts'
import type { Admission, ApiKey, Keys, Limits, Quota } from './ports.ts'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const PREFIX = 'mf_'
const SECRET_LENGTH = 32
const CHECKSUM_LENGTH = 6
const API_KEY = new RegExp(`^${PREFIX}[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`)

/** The last moment that RFC 3339 can express: an operator's key does not expire. */
const NEVER = Date.UTC(9999, 11, 31, 23, 59, 59, 999)
/** A longer text is not hashed, because no key is longer (docs/contract.md, "The operator"). */
const KEY_MAX_CHARACTERS = 200

/**
 * Returns the hex SHA-256 under which a key is stored. Keys have 190 random bits, so salt and
 * stretching are not needed.
 */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

/** Compares two hex SHA-256 in constant time. */
export function sameHash(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}

/** Creates an API key: the prefix, 32 random base62 characters, and a checksum. */
export function mintApiKey(random: (size: number) => Uint8Array): string {
  let secret = ''
  while (secret.length < SECRET_LENGTH) {
    for (const byte of random(SECRET_LENGTH)) {
      // 248 is the largest multiple of 62 that fits into a byte; larger bytes would make the first
      // characters likelier.
      if (byte < 248 && secret.length < SECRET_LENGTH) secret += BASE62[byte % 62]
    }
  }
  return PREFIX + secret + checksum(secret)
}

/** Whether the text has the form of an API key, so that a mistyped key needs no look-up. */
export function isApiKey(text: string): boolean {
  return API_KEY.test(text) && text.endsWith(checksum(text.slice(PREFIX.length, -CHECKSUM_LENGTH)))
}

function checksum(secret: string): string {
  let text = ''
  for (let rest = crc32(secret), i = 0; i < CHECKSUM_LENGTH; i++) {
    text = BASE62[rest % 62] + text
    rest = Math.floor(rest / 62)
  }
  return text
}

/**
 * The keys of the service's operator, kept as SHA-256 only. They come from the configuration and
 * are in no store: a key that leaves the configuration is unknown after the next start.
 */
export class OperatorKeys {
  readonly #keys: readonly ApiKey[]

  /** @param since Unix time in ms at which the service learned these keys */
  constructor(keys: readonly string[], since: number) {
    this.#keys = keys.map((key) => ({
      hash: hashKey(key),
      purpose: 'operator',
      createdAt: since,
      expiresAt: NEVER,
    }))
  }

  /** The operator's key with this text; undefined for any other text. */
  match(key: string): ApiKey | undefined {
    if (key.length > KEY_MAX_CHARACTERS) return undefined
    return this.find(hashKey(key))
  }

  /** The operator's key with this hash. Every key is compared, each in constant time. */
  find(hash: string): ApiKey | undefined {
    return this.#keys.filter((key) => sameHash(key.hash, hash))[0]
  }
}

/** The remaining requests of a key in this clock minute. */
export interface RateWindow {
  limit: number
  remaining: number
  /** Seconds until the next minute begins. */
  reset: number
}

export interface Authenticated {
  key: ApiKey
  /** Undefined for an operator's key, which has no rate limit. */
  rate: RateWindow | undefined
  /** False when the minute's requests are used up; the caller then answers `rate_limited`. */
  admitted: boolean
}

/** Issues API keys to anyone, within a quota for each client, and authenticates their requests. */
export class ApiKeyService {
  readonly #keys: Keys
  readonly #limits: Limits
  readonly #clock: Clock
  readonly #random: (size: number) => Uint8Array
  readonly #operatorKeys: OperatorKeys | undefined

  constructor(
    keys: Keys,
    limits: Limits,
    clock: Clock,
    random: (size: number) => Uint8Array,
    operatorKeys?: OperatorKeys,
  ) {
    this.#keys = keys
    this.#limits = limits
    this.#clock = clock
    this.#random = random
    this.#operatorKeys = operatorKeys
  }

  /** The key with this hash, self-issued or the operator's, without counting a request. */
  async find(hash: string): Promise<ApiKey | undefined> {
    return this.#operatorKeys?.find(hash) ?? this.#keys.find(hash)
  }

  /** Whether this text is an operator's key. */
  isOperatorKey(text: string): boolean {
    return this.#operatorKeys?.match(text) !== undefined
  }

  /** Whether this key is the operator's. */
  isOperator(key: ApiKey): boolean {
    return this.#operatorKeys?.find(key.hash) !== undefined
  }

  /** @param client the client's network (core/access/client.ts) */
  quota(client: string): Promise<Quota> {
    return this.#limits.peek('api-keys', client, API_KEYS_PER_CLIENT_PER_DAY, DAY_MS, this.#clock())
  }

  /** @throws Problem `key_quota_exceeded` */
  async issue(client: string, purpose: string): Promise<{ key: string; record: ApiKey; remaining: number }> {
    const now = this.#clock()
    const quota = await this.#limits.take('api-keys', client, API_KEYS_PER_CLIENT_PER_DAY, DAY_MS, now)
    if (!quota.allowed) {
      throw new Problem(
        'key_quota_exceeded',
        `A client address gets ${API_KEYS_PER_CLIENT_PER_DAY} keys in 24 hours. Use one of those, or come back later.`,
        { retryAfter: Math.ceil((quota.resetsAt - now) / SECOND_MS) },
      )
    }
    const key = mintApiKey(this.#random)
    const record = { hash: hashKey(key), purpose, createdAt: now, expiresAt: now + API_KEY_VALID_MS }
    await this.#keys.add(record)
    return { key, record, remaining: quota.remaining }
  }

  /**
   * Authenticates a request, and counts it unless the key is the operator's.
   * @throws Problem `api_key_missing`, `api_key_invalid`, `api_key_expired`
   */
  async authenticate(key: string | undefined): Promise<Authenticated> {
    if (!key) {
      throw new Problem('api_key_missing', 'This needs an API key.')
    }
    const operator = this.#operatorKeys?.match(key)
    if (operator !== undefined) return { key: operator, rate: undefined, admitted: true }
    const now = this.#clock()
    const admission = isApiKey(key)
      ? await this.#keys.admit(hashKey(key), API_KEY_REQUESTS_PER_MINUTE, now)
      : ({ outcome: 'unknown' } as const)
    if (admission.outcome === 'unknown') {
      throw new Problem('api_key_invalid', 'This is not a key of this service.')
    }
    if (admission.outcome === 'expired') {
      throw new Problem('api_key_expired', 'A key is valid for 30 days.')
    }
    return authenticated(admission, API_KEY_REQUESTS_PER_MINUTE, now)
  }

  /**
   * Makes a self-issued key invalid. An operator's key stays valid: only the configuration changes
   * it.
   * @returns whether the key was revoked
   */
  async revoke(key: ApiKey): Promise<boolean> {
    if (this.isOperator(key)) return false
    await this.#keys.revoke(key.hash)
    return true
  }
}

/**
 * The result of `authenticate` for a key that the store knows. @param limit requests in a clock
 * minute
 */
export function authenticated(
  admission: Extract<Admission, { key: ApiKey }>,
  limit: number,
  now: number,
): Authenticated {
  const admitted = admission.outcome === 'admitted'
  return {
    key: admission.key,
    admitted,
    rate: {
      limit,
      remaining: admitted ? admission.remaining : 0,
      reset: Math.ceil((MINUTE_MS - (now % MINUTE_MS)) / SECOND_MS),
    },
  }
}
