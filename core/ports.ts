/**
 * What the core needs of the world. Each port has a suite in test/contract that every adapter passes; what a
 * docstring promises here is what that suite checks.
 *
 * For all of them: a promise that resolves has done its work durably (it survives a crash of the process that
 * follows at once), unless the method says otherwise. A store that cannot answer (locked, full, throttled,
 * unreachable) rejects with Problem `unavailable`. What a method returns is the caller's own: changing it
 * changes nothing in the store. Addresses and domains come in canonical form (core/address.ts).
 */
import type { Content, Email, EmailFilter } from './inbox/email.ts'

/** Unix time in ms. */
export type Clock = () => number

// ── Emails ──────────────────────────────────────────────────────────────────────────────────────────────

/** A message that is to be stored for each of its recipients. */
export interface NewMail {
  /** Names one delivery of one message, the same each time that it is handled. `[A-Za-z0-9_-]{1,128}`. */
  delivery: string
  /** Canonical addresses, without duplicates, at least one. */
  recipients: string[]
  content: Content
  retention_ms: number
}

export interface StoredEmail {
  email: Email
  /** Under which `Bytes` keeps the parts of the message. */
  delivery: string
}

export interface PageRequest {
  limit: number
  /** Only ids less than this one. */
  before?: string
  /** Only ids greater than this one. */
  after?: string
  filter?: EmailFilter
}

export interface Page {
  /** Newest first. May hold fewer than `limit` although there is a `next`, when a filter passed over many. */
  emails: Email[]
  /** The id to go on `before`, or undefined when nothing older is left. */
  next: string | undefined
}

export interface Replay {
  /** Oldest first. */
  emails: Email[]
  /** Whether older ones than these were left out for the limit. */
  cut: boolean
  /** Whether newer ones than these were left out for the batch. */
  more?: boolean
}

export type Scope = { address: string } | { domains: string[] }

/**
 * The emails. Ids are ULIDs made when an email is stored, so that for one address they grow in the order in
 * which emails become visible: whoever has seen id X and asks for what is greater misses nothing.
 *
 * An email whose `expires_at` has passed is not there for any method, whether or not it was removed yet.
 */
export interface Emails {
  /**
   * Stores one email for each recipient, each with an id of its own, and announces them.
   * Idempotent: a delivery that was stored before, even if only in part, ends up stored once; those emails of
   * the first time that are still there are returned, with their ids. A copy that was removed stays removed.
   */
  store(mail: NewMail): Promise<Email[]>

  find(address: string, id: string): Promise<StoredEmail | undefined>

  page(address: string, request: PageRequest): Promise<Page>

  /**
   * The newest `limit` emails with ids greater than `after`; of these the oldest `batch`, where a store can give
   * so many only, and the rest after the last of them.
   */
  replay(scope: Scope, after: string, limit: number, batch?: number): Promise<Replay>

  /** Marks as read and returns the email as it is then; undefined when there is none. Idempotent. */
  markRead(address: string, id: string): Promise<StoredEmail | undefined>

  /**
   * Removes one email; undefined when there is none. `last` is true for exactly one removal of a delivery's
   * emails: the one after which no other recipient has a copy, so that its bytes can go.
   */
  remove(address: string, id: string): Promise<{ delivery: string; last: boolean } | undefined>

  /** Removes every email of the address. `orphans`: deliveries that no recipient has a copy of any more. */
  removeAll(address: string): Promise<{ removed: number; orphans: string[] }>

  /** Rejects with Problem `unavailable` when the store does not answer. */
  check(): Promise<void>
}

// ── Bytes ───────────────────────────────────────────────────────────────────────────────────────────────

/** `raw`: as received. `content`: see core/content.ts. `attachments/<n>`: decoded. */
export type Part = 'raw' | 'content' | `attachments/${string}`

/** How a browser is to take what it downloads. */
export interface Download {
  content_type: string
  /** For Content-Disposition: attachment; null for none. */
  filename: string | null
}

/** `size` in bytes. The stream must be read to its end or returned from. */
export interface Opened {
  size: number
  stream: AsyncIterable<Uint8Array>
}

/** The parts of messages, by delivery. */
export interface Bytes {
  /**
   * Stores one part. Writing a part again replaces it. Parts become durable at the latest when the email of
   * the delivery is stored; those of a delivery that never is are removed some time later.
   */
  put(delivery: string, part: Part, content: AsyncIterable<Uint8Array> | Uint8Array): Promise<void>

  /** Undefined when there is no such part. */
  open(delivery: string, part: Part): Promise<Opened | undefined>

  /**
   * A URL from which anyone can fetch the part for some minutes, or undefined where the host has no such
   * thing: then the caller streams what `open` gives. Does not check that the part is there.
   */
  link(delivery: string, part: Part, download: Download): Promise<string | undefined>

  /** Removes all parts of a delivery. Idempotent. */
  remove(delivery: string): Promise<void>
}

// ── Domains ─────────────────────────────────────────────────────────────────────────────────────────────

export interface Domain {
  name: string
  /** `pending`: the MX record is right, but the mail provider still wants proof of ownership. */
  status: 'verified' | 'pending'
  /** Hex SHA-256 of the domain key; null for a public domain. */
  key_hash: string | null
  /** Named in the configuration, so that no verification can unregister it. */
  configured: boolean
  /** The key too is from the configuration, so that DNS does not change it. */
  key_configured: boolean
  /** Unix time in ms. */
  registered_at: number
}

export interface Domains {
  find(name: string): Promise<Domain | undefined>
  /** All registered domains, sorted by name. */
  list(): Promise<Domain[]>
  /** All domains with this key, sorted by name. */
  withKey(keyHash: string): Promise<Domain[]>
  /** Registers the domain or replaces what is known of it, and announces it. */
  put(domain: Domain): Promise<void>
  /** Unregisters, and announces it if it was registered. Its emails stay until they expire. Idempotent. */
  remove(name: string): Promise<void>
}

// ── Announcements ───────────────────────────────────────────────────────────────────────────────────────

export type Announcement =
  | { type: 'email'; domain: string; email: Email }
  /** The domain as it is now; undefined when it was unregistered. */
  | { type: 'domain'; name: string; domain: Domain | undefined }

/**
 * What the stores announce of themselves, each once, after it is durable and visible to reads; those of one
 * address in the order of their ids.
 */
export interface Announcements {
  /** A listener must not throw. Returns the end of the subscription. */
  subscribe(listener: (announcement: Announcement) => void): () => void
}

// ── Keys and limits ─────────────────────────────────────────────────────────────────────────────────────

export interface ApiKey {
  /** Hex SHA-256 of the key; the key itself is kept nowhere. */
  hash: string
  purpose: string
  /** Unix times in ms. */
  created_at: number
  expires_at: number
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
   * A key is `expired` from its expires_at on, and may be `unknown` some time after that.
   */
  admit(hash: string, limit: number, now: number): Promise<Admission>
  /** False when there was no such key. */
  revoke(hash: string): Promise<boolean>
}

export interface Quota {
  allowed: boolean
  remaining: number
  /** Unix time in ms at which the oldest counted use stops counting; `now` when none is counted. */
  resets_at: number
}

export interface Limits {
  /**
   * Counts one use by `subject`, unless `limit` are counted in the `windowMs` before `now` already: of any
   * number of concurrent calls no more than `limit` are allowed in any window of that length.
   */
  take(name: string, subject: string, limit: number, windowMs: number, now: number): Promise<Quota>
  /** As `take`, without counting. */
  peek(name: string, subject: string, limit: number, windowMs: number, now: number): Promise<Quota>
  /** Takes a name for its caller alone until `until` (Unix ms): true for exactly one of concurrent callers. */
  reserve(name: string, until: number, now: number): Promise<boolean>
}

// ── DNS and the mail provider ───────────────────────────────────────────────────────────────────────────

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
   */
  claim(domain: string): Promise<{ confirmed: boolean; records: WantedRecord[] }>
  /** The provider need not take mail for the domain any more. Idempotent. */
  release(domain: string): Promise<void>
}
