/**
 * What the core needs of the world. Each port has a suite in test/contract that every adapter passes; what a
 * docstring promises here is what that suite checks.
 *
 * For all of them: a promise that resolves has done its work durably (it survives a crash of the process that
 * follows at once), unless the method says otherwise. A store that cannot answer (locked, full, throttled,
 * unreachable) rejects with Problem `unavailable`. What a method returns is the caller's own: changing it
 * changes nothing in the store. Addresses and domains come in canonical form (core/address.ts).
 */
import type { EmailSummary } from '../../reading/message.ts'
import type { Email, EmailFilter } from './email.ts'

/** Who a message came from, for the share of the store that one of them may fill. */
export interface Origin {
  /** The client's network: an IPv4 address or an IPv6 /64. */
  client: string
  /** The envelope sender; empty for a bounce. */
  sender: string
}

/** A message that is to be stored for each of its recipients. */
export interface NewMessage {
  /** Identifies the message: the same each time that it is handled. `[A-Za-z0-9_-]{1,128}`. */
  messageId: string
  /** Canonical addresses, without duplicates, at least one. */
  recipients: string[]
  summary: EmailSummary
  retentionMs: number
  /**
   * The `visibleAfter` of the recipients' domains as they were registered when the mail was let in. A recipient
   * on one of these that is registered otherwise by the time of the commit gets no copy.
   */
  visibleAfter?: Readonly<Record<string, string>>
  /** Undefined if the message does not count against a share of the store. */
  origin?: Origin | undefined
}

/** Parts of a message in memory, by name. */
export type MessageParts = ReadonlyMap<Part, Uint8Array>

export interface StoredEmail {
  email: Email
  /** Under which `BlobStore` keeps the parts of the message. */
  messageId: string
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
  /**
   * Newest first. May hold fewer than `limit` although there is a `next`: when a filter passed over many emails, or
   * when PAGE_READ_BYTES were read.
   */
  emails: Email[]
  /** The id to go on `before`, or undefined when nothing older is left. */
  next: string | undefined
  /** Stored bytes that were read for the page. */
  bytes: number
}

/** A part of a replay, at most REPLAY_BATCH emails and, but for a single larger one, REPLAY_BATCH_BYTES of text. */
export interface ReplayBatch {
  /** In the first batch only: emails with lower ids than this one were left out for the limit. */
  missedBefore?: string
  /** Oldest first, at least one. */
  emails: Email[]
}

/** Emails of these addresses, or of these domains. */
export type Scope = { addresses: string[] } | { domains: string[] }

/**
 * The emails. Ids are ULIDs made when an email is stored, so that for one address they grow in the order in
 * which emails become visible: whoever has seen id X and asks for what is greater misses nothing.
 *
 * An email whose `expiresAt` has passed is not there for any method, whether or not it was removed yet.
 */
export interface MessageStore {
  /**
   * Stores the parts and one email for each recipient, each with its own id, and announces the emails. An email
   * is visible only when all parts are stored.
   * Idempotent: a delivery that was stored before, even if only in part, ends up stored once; those emails of
   * the first time that are still there are returned, with their ids. A copy that was removed stays removed.
   */
  store(message: NewMessage, parts?: MessageParts): Promise<Email[]>

  find(address: string, id: string): Promise<StoredEmail | undefined>

  page(address: string, request: PageRequest): Promise<Page>

  /**
   * Of the emails that are there when the first batch is asked for, the newest `limit` with ids greater than
   * `after`, oldest first. A batch is read from the store when it is asked for, so that a slow consumer holds one
   * batch and no more; what was removed or has expired by then is left out. The consumer may stop at any time
   * (`return`). Without such emails there is no batch. With several addresses or domains, a batch may repeat emails of
   * the minute before `after`, so that none is missed that became visible later with a lesser id.
   */
  replay(scope: Scope, after: string, limit: number): AsyncIterable<ReplayBatch>

  /**
   * Somebody follows the scope from now on, and will come back with this id unless he gets an email before. When it
   * resolves, no email with this id or a lesser one can become visible in the scope any more.
   */
  settle(scope: Scope, id: string): Promise<void>

  /** Marks as read and returns the email as it is then; undefined when there is none. Idempotent. */
  markRead(address: string, id: string): Promise<StoredEmail | undefined>

  /**
   * Removes one email; undefined when there is none. `last` is true for exactly one removal of a delivery's
   * emails: the one after which no other recipient has a copy, so that its bytes can go.
   */
  remove(address: string, id: string): Promise<{ messageId: string; last: boolean } | undefined>

  /**
   * Removes every email of the address, with `after` those with greater ids only. `orphans`: deliveries that no recipient
   * has a copy of any more.
   */
  removeAll(address: string, after?: string): Promise<{ removed: number; orphans: string[] }>

  /**
   * Removes emails of a domain with ids up to `upTo`, the oldest first and `limit` at most, without announcing
   * it: nobody could see them. Fewer than `limit` are removed only when no more are left.
   */
  purge(domain: string, upTo: string, limit: number): Promise<{ removed: number; orphans: string[] }>

  /** Rejects with Problem `unavailable` when the store does not answer. */
  check(): Promise<void>
}

/** `raw`: as received. `content`: see core/inbox/message-body.ts. `attachments/<n>`: decoded. */
export type Part = 'raw' | 'content' | `attachments/${string}`

/** How a browser is to take what it downloads. */
export interface Download {
  contentType: string
  /** For Content-Disposition: attachment. */
  filename: string
}

/** `size` in bytes. The stream must be read to its end or returned from. */
export interface Opened {
  size: number
  stream: AsyncIterable<Uint8Array>
}

/** The parts of messages, by delivery. */
export interface BlobStore {
  /**
   * Stores one part. Writing a part again replaces it. Parts become durable at the latest when the email of
   * the delivery is stored; those of a delivery that never is are removed some time later.
   */
  put(messageId: string, part: Part, content: AsyncIterable<Uint8Array> | Uint8Array): Promise<void>

  /** Undefined when there is no such part. */
  open(messageId: string, part: Part): Promise<Opened | undefined>

  /**
   * A URL from which anyone can fetch the part for some minutes, or undefined where the host has no such
   * thing: then the caller streams what `open` gives. Does not check that the part is there.
   */
  link(messageId: string, part: Part, download: Download): Promise<string | undefined>

  /** Removes all parts of a delivery. Idempotent. */
  remove(messageId: string): Promise<void>
}
