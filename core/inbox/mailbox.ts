import type { Attachment, MessageDetails } from '../../reading/message.ts'
import type { Domain } from '../access/ports.ts'
import { Problem } from '../errors.ts'
import { LIST_MAX, LIST_READ_BYTES } from '../limits.ts'
import { inParallel } from '../parallel.ts'
import { isUlid } from '../ulid.ts'
import type { Email } from './email.ts'
import type { EmailFilter } from './filter.ts'
import { Listing } from './listing.ts'
import { decodeMessageBody } from './message-body.ts'
import type { BlobStore, Download, MessageStore, Opened, Page, PageRequest, StoredEmail } from './ports.ts'

/** Emails that one step of a purge removes, and the steps of one call: some seconds on DynamoDB. */
const PURGE_BATCH = 200
const PURGE_BATCHES = 20

/** Simultaneous changes when a request empties or marks an inbox of thousands in a remote store. */
const CHANGES_AT_ONCE = 50

export interface WholeEmail {
  email: Email
  details: MessageDetails
  /** Two lines of JSON, the text and the HTML (core/inbox/message-body.ts). */
  bodies: AsyncIterable<Uint8Array>
}

/** A part for the client: a URL, or its bytes. */
export type Handover = { url: string } | (Opened & { download: Download })

/** An address with the registration of its domain. Earlier mail does not exist for any method. */
export interface Inbox {
  address: string
  registration: Pick<Domain, 'visibleAfter'>
}

/**
 * Reads and deletes the emails of addresses. Ids come from callers; an id that is not a ULID is not
 * found.
 */
export class Mailbox {
  readonly #emails: MessageStore
  readonly #blobs: BlobStore

  constructor(emails: MessageStore, blobs: BlobStore) {
    this.#emails = emails
    this.#blobs = blobs
  }

  /**
   * A page of the inbox, newest first. It may hold fewer than `limit` emails although there is a
   * `next`: the bytes that one request reads are bounded.
   * @param readBytes of a request whose filter needs no emails to be read; a search reads SEARCH_READ_BYTES
   */
  list(inbox: Inbox, request: PageRequest, readBytes = LIST_READ_BYTES): Promise<Page> {
    return this.#listing(inbox).list(request, readBytes)
  }

  /** Returns the newest email that matches the filter and, with `after`, has a greater id. */
  latest(inbox: Inbox, filter: EmailFilter, after?: string): Promise<Email | null> {
    return this.#listing(inbox).latest(filter, after)
  }

  /**
   * Returns the oldest email that matches the filter and, with `after`, has a greater id; otherwise
   * null.
   */
  oldest(inbox: Inbox, filter: EmailFilter, after?: string): Promise<Email | null> {
    return this.#listing(inbox).oldest(filter, after)
  }

  #listing(inbox: Inbox): Listing {
    return new Listing((request) =>
      this.#emails.page(inbox.address, { ...request, after: visibleAfter(inbox, request.after) }),
    )
  }

  /**
   * Returns the email with all of its content and marks it as read.
   * @throws Problem `email_not_found`
   */
  async read(inbox: Inbox, id: string): Promise<WholeEmail> {
    const stored = found(isVisible(inbox, id) ? await this.#emails.markRead(inbox.address, id) : undefined)
    const body = found(await this.#blobs.open(stored.messageId, 'body'))
    const { details, bodies } = await decodeMessageBody(body.stream, stored.email)
    const { email, codeDetails = details.codeDetails } = stored
    return { email, details: { ...details, codeDetails }, bodies }
  }

  /** Returns the email without marking it as read. @throws Problem `email_not_found` */
  async find(inbox: Inbox, id: string): Promise<Email> {
    return found(isVisible(inbox, id) ? await this.#emails.find(inbox.address, id) : undefined).email
  }

  /** Marks every email of the address as read. Returns how many were unread. */
  async markAllRead(inbox: Inbox): Promise<number> {
    let marked = 0
    let before: string | undefined
    do {
      const page = await this.list(inbox, { limit: LIST_MAX, before })
      const unread = page.emails.filter((email) => !email.read)
      await inParallel(unread, CHANGES_AT_ONCE, ({ id }) => this.#emails.markRead(inbox.address, id))
      marked += unread.length
      before = page.next
    } while (before !== undefined)
    return marked
  }

  /** Returns the message as it was received. @throws Problem `email_not_found` */
  async raw(inbox: Inbox, id: string): Promise<Handover> {
    const { messageId } = await this.#stored(inbox, id)
    const download = { contentType: 'message/rfc822', filename: `${id}.eml` }
    const url = await this.#blobs.link(messageId, 'raw', download)
    return url === undefined ? { ...found(await this.#blobs.open(messageId, 'raw')), download } : { url }
  }

  /** @throws Problem `email_not_found`, `attachment_not_found` */
  async attachment(inbox: Inbox, id: string, n: string): Promise<Handover> {
    const stored = await this.#stored(inbox, id)
    const { messageId } = stored
    const part = `attachments/${n}` as const
    const attachment = (await this.#attachments(stored)).find((candidate) => candidate.id === n)
    if (attachment === undefined) {
      throw new Problem(
        'attachment_not_found',
        'This email has no such attachment. They are numbered from 0; the single email lists them.',
      )
    }
    const download = {
      contentType: attachment.contentType,
      filename: attachment.filename ?? `attachment-${n}`,
    }
    const url = await this.#blobs.link(messageId, part, download)
    return url === undefined ? { ...found(await this.#blobs.open(messageId, part)), download } : { url }
  }

  /** @throws Problem `email_not_found` */
  async remove(inbox: Inbox, id: string): Promise<void> {
    const removed = isVisible(inbox, id) ? await this.#emails.remove(inbox.address, id) : undefined
    const { messageId, last } = found(removed)
    if (last) await this.#blobs.remove(messageId)
  }

  /** Removes every email of the address. Returns how many there were. */
  async removeAll(inbox: Inbox): Promise<number> {
    const { removed, orphans } = await this.#emails.removeAll(inbox.address, visibleAfter(inbox))
    await this.#removeBlobs(orphans)
    return removed
  }

  /**
   * Removes the mail of a domain with ids up to this one, which no method shows any more, or as
   * much of it as is quick. The rest is removed the next time, or when it expires.
   */
  async purge(domain: string, upTo: string): Promise<void> {
    for (let batch = 0; batch < PURGE_BATCHES; batch++) {
      const { removed, orphans } = await this.#emails.purge(domain, upTo, PURGE_BATCH)
      await this.#removeBlobs(orphans)
      if (removed < PURGE_BATCH) return
    }
  }

  async #removeBlobs(orphans: string[]): Promise<void> {
    await inParallel(orphans, CHANGES_AT_ONCE, (messageId) => this.#blobs.remove(messageId))
  }

  async #stored(inbox: Inbox, id: string): Promise<StoredEmail> {
    return found(isVisible(inbox, id) ? await this.#emails.find(inbox.address, id) : undefined)
  }

  async #attachments({ messageId, email }: StoredEmail): Promise<Attachment[]> {
    const body = found(await this.#blobs.open(messageId, 'body'))
    const { details, bodies } = await decodeMessageBody(body.stream, email)
    await bodies[Symbol.asyncIterator]().return?.()
    return details.attachments
  }
}

/**
 * Returns the value, or throws if it is undefined. An email that is deleted while it is read counts
 * as not found.
 */
function found<T>(value: T | undefined): T {
  if (value !== undefined) return value
  throw new Problem('email_not_found', 'This address has no such email; it may have expired or been deleted.')
}

function visibleAfter({ registration }: Inbox, after = ''): string {
  return after > registration.visibleAfter ? after : registration.visibleAfter
}

function isVisible({ registration }: Inbox, id: string): boolean {
  return isUlid(id) && id > registration.visibleAfter
}
