/** What access needs of the world. For all of these holds what core/inbox/ports.ts says at its head. */

export interface Domain {
  name: string
  /** `pending`: the MX record is right, but the mail provider still wants proof of ownership. */
  status: 'verified' | 'pending'
  /** Hex SHA-256 of the domain key; null for a public domain. */
  keyHash: string | null
  /** Somebody has shown the key for this domain, which a copied record does not: only then the key covers it. */
  keyPresented: boolean
  /** Named in the configuration, so that no verification can unregister it. */
  configured: boolean
  /** The key too is from the configuration, so that DNS does not change it. */
  keyConfigured: boolean
  /** Unix time in ms. A private domain that becomes public counts as registered anew. */
  registeredAt: number
  /** Given by the store: mail with ids up to this one is from before `registeredAt` and is never shown. */
  visibleAfter: string
  /** When the newest of the DNS answers that this rests on was asked for, in Unix ms; 0 for none. */
  checkedAt: number
  /** Since when (Unix ms) DNS says that a private domain has no key record; null when it does not say so. */
  keyMissingSince: number | null
  /** Since when (Unix ms) DNS gives no definite answer; null when it did the last time. */
  unansweredSince: number | null
  /** Given by the store, different after every change. */
  revision: string
}

/** What a change of a domain says; the store gives the rest. */
export type DomainState = Omit<Domain, 'visibleAfter' | 'revision'>

export interface Domains {
  find(name: string): Promise<Domain | undefined>
  /** All registered domains, sorted by name. */
  list(): Promise<Domain[]>
  /** All domains with this key, sorted by name. */
  withKey(keyHash: string): Promise<Domain[]>
  /**
   * Puts `after` in the place of `before`, as it was read, and announces it; undefined stands for "not
   * registered". False, and nothing is changed, when something else is there by now.
   *
   * With another `registeredAt` than before the domain begins anew: `visibleAfter` becomes greater than the
   * ids of all its emails so far, and less than those of all that are stored from then on.
   */
  change(name: string, before: Domain | undefined, after: DomainState | undefined): Promise<boolean>
}

export interface ApiKey {
  /** Hex SHA-256 of the key; the key itself is kept nowhere. */
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
  add(key: ApiKey): Promise<void>
  /**
   * Counts one request of this key in the clock minute of `now`, unless `limit` are counted already: of any
   * number of concurrent calls exactly `limit` are admitted. The count need not survive a restart.
   * A key is `expired` from its expiresAt on, and may be `unknown` some time after that.
   */
  admit(hash: string, limit: number, now: number): Promise<Admission>
  /** Without counting a request. One that has expired may still be there. */
  find(hash: string): Promise<ApiKey | undefined>
  /** False when there was no such key. */
  revoke(hash: string): Promise<boolean>
}

export interface Quota {
  allowed: boolean
  remaining: number
  /** Unix time in ms at which the oldest counted use stops counting; `now` when none is counted. */
  resetsAt: number
}

export interface Limits {
  /**
   * Counts one use by `subject`, unless `limit` are counted in the `windowMs` before `now` already: of any
   * number of concurrent calls no more than `limit` are allowed in any window of that length.
   */
  take(name: string, subject: string, limit: number, windowMs: number, now: number): Promise<Quota>
  /** As `take`, without counting. */
  peek(name: string, subject: string, limit: number, windowMs: number, now: number): Promise<Quota>
  /**
   * Takes the next `count` numbers of a sequence for its caller alone. `secret` is the one that the sequence was
   * first asked for with, the same for all from then on.
   */
  lease(name: string, count: number, secret: string): Promise<{ first: number; secret: string }>
}

export interface MxRecord {
  preference: number
  exchange: string
}

/** All give [] for a definite "no such record" and reject with Problem `dns_unavailable` for no answer. */
export interface Dns {
  mx(name: string): Promise<MxRecord[]>
  /** Each TXT record with its strings joined. */
  txt(name: string): Promise<string[]>
  /** The name that a CNAME record points at, in lower case without the final dot. */
  cname(name: string): Promise<string[]>
}

export interface WantedRecord {
  type: 'MX' | 'TXT' | 'CNAME'
  name: string
  value: string
  purpose: string
}

/** Whoever takes mail from the internet for us, and may want proof that a domain is its owner's. */
export interface MailProvider {
  /**
   * Asks the provider to take mail for the domain. Idempotent. `confirmed`: it does already; otherwise
   * `records` are the DNS records by which the owner proves the domain (also given when confirmed, if known).
   * `foreign`: it takes the domain's mail already, for somebody else: it is not to be registered here.
   */
  claim(domain: string): Promise<{ confirmed: boolean; records: WantedRecord[]; foreign?: boolean }>
  /** The provider need not take mail for the domain any more. Idempotent. */
  release(domain: string): Promise<void>
}
