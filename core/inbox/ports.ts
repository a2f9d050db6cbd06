/**
 * The ports of the core. Each has a suite in test/contract that every adapter passes; the suites
 * check what the docstrings promise.
 *
 * For all ports: a promise that resolves has done its work durably (it survives a crash of the
 * process directly afterwards), unless the method says otherwise. A store that cannot answer
 * (locked, full, throttled, unreachable) rejects with Problem `unavailable`. A returned value
 * belongs to the caller: changing it changes nothing in the store. Addresses and domains have their
 * canonical form (core/address.ts).
 */
import type { CodeDetail, EmailSummary, Findings, Person } from '../../reading/message.ts'
import type { Email } from './email.ts'
import type { EmailFilter } from './filter.ts'

/** Who a message came from, for the share of the store that one of them may fill. */
export interface Origin {
  /** The client's network: an IPv4 address or an IPv6 /64. */
  client: string
  /** The envelope sender; empty for a bounce. */
  sender: string
}

/** A message that is to be stored for each of its recipients. */
export interface NewMessage {
  /**
   * Identifies the message: the same each time that it is handled. `[A-Za-z0-9_-]{1,128}`; the store of one machine
   * takes only whole numbers, which it gives (Writer.newMessageId in adapters/sqlite).
   */
  messageId: string
  /** Canonical addresses, without duplicates, at least one. */
  recipients: string[]
  summary: EmailSummary
  retentionMs: number
  /**
   * The `visibleAfter` of the recipients' domains when the mail was accepted. A recipient whose
   * domain is registered differently at the time of the commit gets no copy.
   */
  visibleAfter?: Readonly<Record<string, string>>
  /** Undefined if the message does not count against a share of the store. */
  origin?: Origin | undefined
  /** Reply-To and the envelope sender, for searches over all mail. */
  mentioned?: Person[]
  /**
   * Only if codes and links were not looked for yet, so that `summary` has none: a store that
   * accepts this looks for them before it shows the emails.
   */
  unsearched?: Unsearched | undefined
}

/** A message in which codes and links were not looked for yet. */
export interface Unsearched {
  /** Whether its text is made of its HTML. */
  isTextOfHtml: boolean
  /** Looks for them. */
  search(): Findings
}

/** Parts of a message in memory, by name. */
export type MessageParts = ReadonlyMap<Part, Uint8Array>

export interface StoredEmail {
  email: Email
  /** The id under which `BlobStore` keeps the parts. */
  messageId: string
  /** The codes with their kinds and reasons, if the part `body` was stored without them. */
  codeDetails?: CodeDetail[]
}

export interface PageRequest {
  limit: number
  /** The page contains only ids below this one. */
  before?: string
  /** The page contains only ids above this one. */
  after?: string
  filter?: EmailFilter
}

export interface Page {
  /**
   * Newest first. May hold fewer than `limit` although there is a `next`: when a filter passed over
   * many emails, or when PAGE_READ_BYTES were read.
   */
  emails: Email[]
  /** The value of `before` for the next page; undefined if there are no older emails. */
  next: string | undefined
  /** Stored bytes that were read for the page. */
  bytes: number
}

/**
 * A batch of a replay: at most REPLAY_BATCH emails and REPLAY_BATCH_BYTES of text, except that a
 * single email may be larger.
 */
export interface ReplayBatch {
  /** Only in the first batch: emails with ids below this one were omitted because of the limit. */
  missedBefore?: string
  /** Oldest first, at least one. */
  emails: Email[]
}

/** Emails of these addresses, or of these domains. */
export type Scope = { addresses: string[] } | { domains: string[] }

/**
 * The emails. An id is a ULID that is created when the email is stored. The ids of one address grow
 * in the order in which its emails become visible, so a client that asks for ids greater than X
 * misses nothing.
 *
 * An email whose `expiresAt` has passed does not exist for any method, even before it is removed.
 */
export interface MessageStore {
  /**
   * Stores the parts and one email for each recipient, each with its own id, and publishes the
   * emails. An email is visible only when all parts are stored.
   * Idempotent: a message that was stored before, even partly, is stored once. Returns its emails
   * that still exist, with their ids. A copy that was removed stays removed.
   */
  store(message: NewMessage, parts?: MessageParts): Promise<Email[]>

  find(address: string, id: string): Promise<StoredEmail | undefined>

  page(address: string, request: PageRequest): Promise<Page>

  /**
   * Yields the newest `limit` emails with ids greater than `after`, oldest first, of those that
   * exist when the first batch is read. A batch is read when it is requested, so a slow consumer
   * holds only one; emails that were removed or have expired by then are omitted. The consumer may
   * stop at any time (`return`). Without emails there is no batch. With several addresses or
   * domains, a batch may repeat emails of the minute before `after`, so that none is missed that
   * became visible later with a lower id.
   */
  replay(scope: Scope, after: string, limit: number): AsyncIterable<ReplayBatch>

  /**
   * Prepares a stream that follows the scope from now on and reconnects with this id if it receives
   * no email before. When it resolves, no email with this id or a lower one can become visible in
   * the scope any more.
   */
  barrier(scope: Scope, id: string): Promise<void>

  /**
   * Returns an id for a stream of the scope, or of all mail, that begins now: visible emails have it or a lower one,
   * and later ones a greater one. Only a store has it whose emails become visible in the order of their ids; it needs
   * no barrier.
   */
  startId?(scope: Scope | undefined): string

  /**
   * Marks the email as read and returns it as it is then; undefined if it does not exist.
   * Idempotent.
   */
  markRead(address: string, id: string): Promise<StoredEmail | undefined>

  /**
   * Removes one email; undefined if it does not exist. `last` is true for exactly one removal of a
   * message: the one after which no recipient has a copy, so that its bytes can be removed.
   */
  remove(address: string, id: string): Promise<{ messageId: string; last: boolean } | undefined>

  /**
   * Removes every email of the address, with `after` only those with greater ids. `orphans`:
   * messages of which no recipient has a copy any more.
   */
  removeAll(address: string, after?: string): Promise<{ removed: number; orphans: string[] }>

  /**
   * Removes at most `limit` emails of a domain with ids up to `upTo`, oldest first, without
   * publishing a change, because no client could see them. Removes fewer than `limit` only if no
   * more are left.
   */
  purge(domain: string, upTo: string, limit: number): Promise<{ removed: number; orphans: string[] }>

  /** Rejects with Problem `unavailable` if the store does not answer. */
  check(): Promise<void>
}

/** A message as one entry, whatever number of recipients it has. */
export interface ListedMessage {
  messageId: string
  /** Those that exist, by id; at least one. */
  copies: Email[]
  /** Whether a copy was read. */
  read: boolean
}

export interface MessagesRequest {
  limit: number
  /** Messages that are passed over first. */
  skip?: number
  /** `next` of the page before. */
  before?: string
  /** Folded texts that must each be a part of an address or name of the message, or of its subject. */
  addresses?: string[]
  subjects?: string[]
}

/**
 * The mail of all addresses, for the operator. Mail of an earlier registration of a domain does not
 * exist for any method. Stores on one machine have it.
 */
export interface AllMail {
  /** Returns a page of all emails, newest first. */
  page(request: PageRequest): Promise<Page>

  /** As `replay` of MessageStore, over all addresses. */
  replay(after: string, limit: number): AsyncIterable<ReplayBatch>

  /**
   * Returns some messages, newest first, and from where to continue; `next` is undefined if there
   * are no older ones. May return fewer than `limit`: a request examines a bounded number.
   */
  messages(request: MessagesRequest): Promise<{ messages: ListedMessage[]; next: string | undefined }>

  /** Returns the numbers of messages, and of those of which no copy was read. */
  count(): Promise<{ messages: number; unread: number }>

  /** Returns the message that has a copy with this id. */
  find(id: string): Promise<ListedMessage | undefined>

  /** Marks copies as read or unread. */
  setRead(copies: Copy[], read: boolean): Promise<void>

  /** Removes copies, and with the last one the parts of its message. Returns how many there were. */
  remove(copies: Copy[]): Promise<number>

  /**
   * Removes at most `limit` emails with ids up to `upTo`, oldest first, with their parts. Returns how
   * many there were; fewer than `limit` only if no more are left.
   */
  removeOldest(upTo: string, limit: number): Promise<number>
}

/** Identifies one recipient's copy of a message. */
export type Copy = Pick<Email, 'address' | 'id'>

/**
 * `raw`: the message as received. `body`: core/inbox/message-body.ts. `attachments/<n>`:
 * decoded.
 */
export type Part = 'raw' | 'body' | `attachments/${string}`

/** How a browser should store a download. */
export interface Download {
  contentType: string
  /** For Content-Disposition: attachment. */
  filename: string
}

/** `size` is in bytes. The consumer must read the stream to its end or return from it. */
export interface Opened {
  size: number
  stream: AsyncIterable<Uint8Array>
}

/** The parts of messages, by `messageId`. */
export interface BlobStore {
  /**
   * Stores one part, and replaces an earlier one of this name. A part is durable at the latest when
   * the emails of its message are stored. The parts of a message that is never stored are removed
   * later.
   */
  put(messageId: string, part: Part, content: AsyncIterable<Uint8Array> | Uint8Array): Promise<void>

  /** Returns undefined if there is no such part. */
  open(messageId: string, part: Part): Promise<Opened | undefined>

  /**
   * Returns a URL from which anyone can fetch the part for some minutes, or undefined if the host
   * has no such URLs; then the caller streams the part. Does not check that the part exists.
   */
  link(messageId: string, part: Part, download: Download): Promise<string | undefined>

  /** Removes all parts of a message. Idempotent. */
  remove(messageId: string): Promise<void>
}
