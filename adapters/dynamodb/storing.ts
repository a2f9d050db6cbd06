import type { Email } from '../../core/inbox/email.ts'
import type { BlobStore, NewMessage } from '../../core/inbox/ports.ts'
import { COPIES_PER_TRANSACTION, type Copy } from './copy.ts'
import { CopyWriter, type CopyWriterParts } from './copy-writer.ts'
import { HeadQueues } from './head-queues.ts'
import type { Copies } from './message-records.ts'
import { Minting } from './minting.ts'

export interface StoringParts extends Omit<CopyWriterParts, 'minting'> {
  blobs: Pick<BlobStore, 'remove'>
}

/**
 * Stores emails by transactions with four writes for each: the message's item records the id
 * (message-records.ts), the head of the address advances to it (heads.ts), the email is put, and
 * the log of its domain lists it (domain-log.ts). Emails with a common head or message share a
 * transaction: copies that arrive while a transaction of their head is in flight are stored
 * together by the next one, and the recipients of one message are stored together.
 *
 * Without the head, ids would not grow in the order in which emails become visible, because an id
 * is created some time before its email is written. Meanwhile another process may create and store
 * a greater id. A client that has seen the greater id asks for later emails, and never sees the
 * lower one:
 *
 *   A: creates id 1 for x, and its write is slow
 *   B: creates id 2 for x, writes x/2
 *   client: sees x/2, asks from now on for ids greater than 2
 *   A: writes x/1
 *
 * The transaction of A requires that the head of x is below id 1. B has advanced the head to id 2,
 * so DynamoDB rejects it; A creates id 3, which the client sees. This does not depend on A's delay
 * or on any clock.
 *
 * Two processes may handle one message, because Lambda and SQS deliver at least once:
 *
 *   A: message = {x: id 1, y: pending} if it is new, head, email x/1    done; A ends
 *   B: message = {x: id 2, y: pending} if it is new, …          rejected, the item has x: id 1
 *   B: message y = id 3 if it is pending, head, email y/3       done
 *   A client removes x/1: message x = "was the last but 1"
 *   C: message = {x: id 4, …} if it is new, …                   rejected: x removed, y has id 3
 */
export class Storing {
  readonly #blobs: Pick<BlobStore, 'remove'>
  readonly #minting: Minting
  readonly #writer: CopyWriter
  readonly #queues: HeadQueues

  constructor({ blobs, ...parts }: StoringParts) {
    this.#blobs = blobs
    this.#minting = new Minting(parts)
    this.#writer = new CopyWriter({ ...parts, minting: this.#minting })
    this.#queues = new HeadQueues(parts.heads, this.#writer)
  }

  async store(mail: NewMessage): Promise<Email[]> {
    const { state, copies } = await this.#minting.copiesOf(mail)
    const stored = await this.#storeCopies(copies)
    const others = [...(state.known ?? [])].filter(([address]) => !state.recipients.includes(address))
    const emails = [...stored, ...(await this.emailsOf(new Map(others)))]
    // All copies were removed since the message was first handled, and this call has stored its
    // parts again.
    if (emails.length === 0) await this.#blobs.remove(mail.messageId)
    return emails
  }

  /** Returns the emails of these copies that still exist. */
  async emailsOf(copies: Copies): Promise<Email[]> {
    const emails = [...copies].map(async ([address, copy]) =>
      copy.state === 'stored' ? [await this.#writer.find(address, copy.id)] : [],
    )
    return (await Promise.all(emails)).flat().filter((email) => email !== undefined)
  }

  async #storeCopies(copies: Copy[]): Promise<Email[]> {
    const [first, ...others] = copies
    const emails: (Email | undefined)[] = []
    if (first !== undefined && others.length === 0) emails.push(await this.#queues.store(first))
    else {
      // One after the other, because each transaction writes to the item of the message.
      for (let i = 0; i < copies.length; i += COPIES_PER_TRANSACTION)
        emails.push(...(await this.#writer.store(copies.slice(i, i + COPIES_PER_TRANSACTION))).values())
    }
    return emails.filter((email) => email !== undefined)
  }
}
