import type { Clock } from '../../core/clock.ts'
import type { Email } from '../../core/inbox/email.ts'
import type {
  BlobStore,
  MessageParts,
  MessageStore,
  NewMessage,
  Page,
  PageRequest,
  ReplayBatch,
  Scope,
  StoredEmail,
} from '../../core/inbox/ports.ts'
import { unavailable } from '../aws/errors.ts'
import { n, s } from './attributes.ts'
import { DomainLog } from './domain-log.ts'
import { DomainOrder } from './domain-order.ts'
import { emailKey, storedEmail } from './email-item.ts'
import { Heads } from './heads.ts'
import { MessageRecords } from './message-records.ts'
import { readPage } from './page.ts'
import { Removing } from './removing.ts'
import { Replay } from './replay.ts'
import { Storing } from './storing.ts'
import type { Table } from './table.ts'
import { WaitingCopies } from './waiting-copies.ts'

export interface EmailsParts {
  mail: Table
  keys: Table
  blobs: Pick<BlobStore, 'put' | 'remove'>
  clock: Clock
}

/**
 * Emails in the mail table, one item each. The table's stream publishes them; storing.ts stores
 * them, removing.ts removes them.
 */
export class DynamoMessages implements MessageStore {
  /** The order of whole domains, which a reader of the table's stream uses. */
  readonly order: DomainOrder
  readonly #mail: Table
  readonly #keys: Table
  readonly #blobs: Pick<BlobStore, 'put'>
  readonly #clock: Clock
  readonly #records: MessageRecords
  readonly #storing: Storing
  readonly #removing: Removing
  readonly #replay: Replay

  constructor({ mail, keys, blobs, clock }: EmailsParts) {
    this.#mail = mail
    this.#keys = keys
    this.#blobs = blobs
    this.#clock = clock
    const heads = new Heads(keys, clock)
    const log = new DomainLog(mail, clock)
    const records = new MessageRecords(keys)
    this.order = new DomainOrder({ mail, log, heads, clock })
    this.#records = records
    this.#storing = new Storing({
      mail,
      records,
      heads,
      log,
      waiting: new WaitingCopies(mail, clock),
      blobs,
      clock,
    })
    this.#removing = new Removing({ mail, records, log, clock })
    this.#replay = new Replay({ mail, heads, order: this.order, clock })
  }

  async store(message: NewMessage, parts: MessageParts = new Map()): Promise<Email[]> {
    await Promise.all(
      Array.from(parts, ([part, content]) => this.#blobs.put(message.messageId, part, content)),
    )
    return this.#storing.store(message)
  }

  /**
   * Returns the remaining emails of a message that was stored for all its recipients before;
   * undefined if it was not. The bytes of such a message may be gone.
   */
  async delivered(messageId: string): Promise<Email[] | undefined> {
    const copies = await this.#records.find(messageId)
    const isWhole = copies !== undefined && ![...copies.values()].some(({ state }) => state === 'pending')
    return isWhole ? this.#storing.emailsOf(copies) : undefined
  }

  async find(address: string, id: string): Promise<StoredEmail | undefined> {
    return storedEmail(await this.#mail.get(emailKey(address, id)), this.#clock())
  }

  page(address: string, request: PageRequest): Promise<Page> {
    return readPage(this.#mail, this.#clock, address, request)
  }

  barrier(scope: Scope, id: string): Promise<void> {
    return this.#replay.barrier(scope, id)
  }

  replay(scope: Scope, after: string, limit: number): AsyncIterable<ReplayBatch> {
    return this.#replay.batches(scope, after, limit)
  }

  /** One write. DynamoDB rejects it for an email that is already read, and returns the item. */
  async markRead(address: string, id: string): Promise<StoredEmail | undefined> {
    const now = this.#clock()
    const { item } = await this.#mail.update(emailKey(address, id), 'SET #read = :yes', {
      condition: '#expires_at > :now AND #read = :no',
      values: { ':yes': { BOOL: true }, ':no': { BOOL: false }, ':now': n(now) },
    })
    return storedEmail(item, now)
  }

  async remove(address: string, id: string): Promise<{ messageId: string; last: boolean } | undefined> {
    const stored = await this.find(address, id)
    return stored && this.#removing.remove(address, id, stored.messageId)
  }

  removeAll(address: string, after = ''): Promise<{ removed: number; orphans: string[] }> {
    return this.#removing.removeAll(address, after)
  }

  purge(domain: string, upTo: string, limit: number): Promise<{ removed: number; orphans: string[] }> {
    return this.#removing.purge(domain, upTo, limit)
  }

  async check(): Promise<void> {
    try {
      await Promise.all([this.#mail.get(emailKey('', 'check')), this.#keys.get({ pk: s('check') })])
    } catch (error) {
      throw unavailable(error)
    }
  }
}
