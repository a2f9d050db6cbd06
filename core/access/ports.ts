/** The ports of access. The general rules of core/inbox/ports.ts apply to them too. */

export interface Domain {
  name: string
  /** `pending`: the MX record is right, but the mail provider still requires proof of ownership. */
  status: 'verified' | 'pending'
  /** Hex SHA-256 of the domain key; null for a public domain. */
  keyHash: string | null
  /**
   * Whether a client has presented the key for this domain. Only then the key covers the domain,
   * because anyone can copy a TXT record.
   */
  keyPresented: boolean
  /** Whether the configuration names the domain, so that no verification unregisters it. */
  configured: boolean
  /** Whether the key is from the configuration, so that DNS does not change it. */
  keyConfigured: boolean
  /**
   * When the domain was registered (Unix ms). A private domain that becomes public counts as
   * registered again.
   */
  registeredAt: number
  /**
   * Set by the store. Mail with ids up to this one is older than `registeredAt` and is never shown.
   */
  visibleAfter: string
  /** When the newest DNS answer behind this state was queried (Unix ms); 0 for none. */
  checkedAt: number
  /** Since when (Unix ms) DNS says that a private domain has no key record; null if it has one. */
  keyMissingSince: number | null
  /** Since when (Unix ms) DNS gives no definite answer; null if the last answer was definite. */
  unansweredSince: number | null
  /**
   * How many partitions of the store list the emails of the domain; undefined for the default. It
   * never becomes smaller. Only DynamoDB has partitions.
   */
  logParts?: number
  /** Set by the store, and different after every change. */
  revision: string
}

/** The fields that a change sets; the store sets the others. */
export type DomainState = Omit<Domain, 'visibleAfter' | 'revision'>

export interface Domains {
  find(name: string): Promise<Domain | undefined>
  /** All registered domains, sorted by name. */
  list(): Promise<Domain[]>
  /** All domains with this key, sorted by name. */
  withKey(keyHash: string): Promise<Domain[]>
  /**
   * Replaces `before`, as it was read, by `after`, and publishes the change; undefined means "not
   * registered". Returns false and changes nothing if the domain was changed since it was read.
   *
   * A different `registeredAt` registers the domain again: `visibleAfter` becomes greater than the
   * ids of all its emails so far, and less than those of later ones. A store that needs time for
   * this may raise `registeredAt`; meanwhile mail for the domain is rejected as `unavailable`.
   */
  change(name: string, before: Domain | undefined, after: DomainState | undefined): Promise<boolean>
}

export interface ApiKey {
  /** Hex SHA-256 of the key. The key itself is not stored. */
  hash: string
  purpose: string
  /** Unix times in ms. */
  createdAt: number
  expiresAt: number
}

export type Admission =
  | { outcome: 'admitted'; key: ApiKey; remaining: number }
  | { outcome: 'limited'; key: ApiKey }
  | { outcome: 'expired' }
  | { outcome: 'unknown' }

export interface Keys {
  /** Adds a key, or replaces the one with its hash. */
  add(key: ApiKey): Promise<void>
  /**
   * Counts one request of the key in the clock minute of `now`, unless `limit` are counted already.
   * Of any number of concurrent calls exactly `limit` are admitted. The count may be lost in a
   * restart. A key is `expired` from its `expiresAt` on, and may be `unknown` some time later.
   */
  admit(hash: string, limit: number, now: number): Promise<Admission>
  /** Finds a key without counting a request. It may have expired. */
  find(hash: string): Promise<ApiKey | undefined>
  /** Returns false if there was no such key. */
  revoke(hash: string): Promise<boolean>
}

export interface Quota {
  allowed: boolean
  remaining: number
  /** When the oldest counted use stops counting (Unix ms); `now` if none is counted. */
  resetsAt: number
}

export interface Limits {
  /**
   * Counts one use by `subject`, unless `limit` are counted in the `windowMs` before `now`. Of any
   * number of concurrent calls at most `limit` are allowed in a window of that length.
   */
  take(name: string, subject: string, limit: number, windowMs: number, now: number): Promise<Quota>
  /** Returns what `take` would, without counting. */
  peek(name: string, subject: string, limit: number, windowMs: number, now: number): Promise<Quota>
  /**
   * Leases the next `count` numbers of a sequence to its caller only. `secret` was created with the
   * sequence and is the same for all callers.
   */
  lease(name: string, count: number, secret: string): Promise<{ first: number; secret: string }>
}

export interface MxRecord {
  preference: number
  exchange: string
}

/**
 * Every method returns [] if there is no such record, and rejects with Problem `dns_unavailable` if
 * there is no answer.
 */
export interface Dns {
  mx(name: string): Promise<MxRecord[]>
  /** Each TXT record with its strings joined. */
  txt(name: string): Promise<string[]>
  /** The target of a CNAME record, in lower case without the final dot. */
  cname(name: string): Promise<string[]>
}

export interface WantedRecord {
  type: 'MX' | 'TXT' | 'CNAME'
  name: string
  value: string
  purpose: string
}

/** The mail provider's answer about a domain for which it was asked to receive mail. */
export interface Claim {
  confirmed: boolean
  /** Records that the owner must publish. */
  records: WantedRecord[]
  /** It receives the mail for another account. */
  foreign?: boolean
}

/**
 * The provider that receives mail from the internet. It may require proof that a domain belongs to
 * its owner.
 */
export interface MailProvider {
  /**
   * Asks the provider to accept mail for the domain. Idempotent. `confirmed`: the provider accepts
   * it already. `records`: the DNS records that prove ownership, if they are known or the domain is
   * not confirmed yet. `foreign`: it accepts the mail for another account, so the domain must not
   * be registered here.
   */
  claim(domain: string): Promise<Claim>
  /** Informs the provider that mail for the domain is not needed any more. Idempotent. */
  release(domain: string): Promise<void>
}
