import { setImmediate } from 'node:timers/promises'
import { Problem } from '../errors.ts'
import type { Attachment, Detail } from '../mail/message.ts'
import { inParallel } from '../parallel.ts'
import { isUlid } from '../ulid.ts'
import { decodeContent } from './content.ts'
import type { Email, EmailFilter } from './email.ts'
import type { BlobStore, Download, MessageStore, Opened, Page, PageRequest } from './ports.ts'

/** An inbox of thousands is emptied within one request, also where each removal takes a while. */
const REMOVALS_AT_ONCE = 50

export interface WholeEmail {
  email: Email
  detail: Detail
  /** The JSON text of the Bodies (core/content.ts). */
  bodies: AsyncIterable<Uint8Array>
}

/** A part to hand over: where to fetch it, or its bytes. */
export type Handover = { url: string } | (Opened & { download: Download })

/** Reading and deleting what an address received. Ids come from callers: one that is no ULID is not found. */
export class Mailbox {
  readonly #emails: MessageStore
  readonly #blobs: BlobStore

  constructor(emails: MessageStore, blobs: BlobStore) {
    this.#emails = emails
    this.#blobs = blobs
  }

  list(address: string, request: PageRequest): Promise<Page> {
    return this.#emails.page(address, request)
  }

  /** The newest email that the filter asks for and, with `after`, that is newer than this id. */
  async latest(address: string, filter: EmailFilter, after?: string): Promise<Email | null> {
    let before: string | undefined
    do {
      const page = await this.#emails.page(address, { limit: 1, filter, after, before })
      if (page.emails[0] !== undefined) return page.emails[0]
      before = page.next
      // A store may answer without giving up the thread; a search through a large inbox has to.
      await setImmediate()
    } while (before !== undefined)
    return null
  }

  /** The email with all of its content; it is read from now on. @throws Problem `email_not_found` */
  async read(address: string, id: string): Promise<WholeEmail> {
    const stored = found(isUlid(id) ? await this.#emails.markRead(address, id) : undefined)
    const content = found(await this.#blobs.open(stored.delivery, 'content'))
    return { email: stored.email, ...(await decodeContent(content.stream)) }
  }

  /** The message as it was received. @throws Problem `email_not_found` */
  async raw(address: string, id: string): Promise<Handover> {
    const delivery = await this.#delivery(address, id)
    const download = { content_type: 'message/rfc822', filename: null }
    const url = await this.#blobs.link(delivery, 'raw', download)
    return url === undefined ? { ...found(await this.#blobs.open(delivery, 'raw')), download } : { url }
  }

  /** @throws Problem `email_not_found`, `attachment_not_found` */
  async attachment(address: string, id: string, n: string): Promise<Handover> {
    const delivery = await this.#delivery(address, id)
    const part = `attachments/${n}` as const
    const attachment = (await this.#attachments(delivery)).find((candidate) => candidate.id === n)
    if (attachment === undefined) {
      throw new Problem(
        'attachment_not_found',
        'This email has no such attachment. They are numbered from 0; the single email lists them.',
      )
    }
    const download = {
      content_type: attachment.content_type,
      filename: attachment.filename ?? `attachment-${n}`,
    }
    const url = await this.#blobs.link(delivery, part, download)
    return url === undefined ? { ...found(await this.#blobs.open(delivery, part)), download } : { url }
  }

  /** @throws Problem `email_not_found` */
  async remove(address: string, id: string): Promise<void> {
    const { delivery, last } = found(isUlid(id) ? await this.#emails.remove(address, id) : undefined)
    if (last) await this.#blobs.remove(delivery)
  }

  /** How many emails were there. */
  async removeAll(address: string): Promise<number> {
    const { removed, orphans } = await this.#emails.removeAll(address)
    await inParallel(orphans, REMOVALS_AT_ONCE, (delivery) => this.#blobs.remove(delivery))
    return removed
  }

  async #delivery(address: string, id: string): Promise<string> {
    return found(isUlid(id) ? await this.#emails.find(address, id) : undefined).delivery
  }

  async #attachments(delivery: string): Promise<Attachment[]> {
    const content = found(await this.#blobs.open(delivery, 'content'))
    const { detail, bodies } = await decodeContent(content.stream)
    await bodies[Symbol.asyncIterator]().return?.()
    return detail.attachments
  }
}

/** What is there, or the refusal: an email that is deleted while it is read is as good as never found. */
function found<T>(value: T | undefined): T {
  if (value !== undefined) return value
  throw new Problem('email_not_found', 'This address has no such email; it may have expired or been deleted.')
}
