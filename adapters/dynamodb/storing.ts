import { domainPart } from '../../core/address.ts'
import type { Clock } from '../../core/clock.ts'
import { type Email, emailOf } from '../../core/inbox/email.ts'
import type { BlobStore, NewMessage } from '../../core/inbox/ports.ts'
import { inParallel, KeyedMutex } from '../../core/parallel.ts'
import { ulidSource, ulidTime } from '../../core/ulid.ts'
import { type Copies, copiesOf, type Deliveries } from './deliveries.ts'
import type { DomainLog } from './domain-log.ts'
import { domainNow } from './domains.ts'
import { emailItem, emailKey, storedEmail } from './email-item.ts'
import { type Heads, headOf, lastIdOf } from './heads.ts'
import type { Table } from './table.ts'

/** Domains that are looked up at a time. */
const DOMAIN_WINDOW = 10

export interface StoringParts {
  mail: Table
  deliveries: Deliveries
  heads: Heads
  log: DomainLog
  blobs: Pick<BlobStore, 'remove'>
  clock: Clock
  /** Gives n random bytes. */
  random: (size: number) => Uint8Array
}

/** Of the domain, null where it has none; undefined where nobody asked. */
type KeyHash = string | null | undefined

/** Places in the transaction of what may be refused. */
const DELIVERY = 0
const HEAD = 1

/**
 * Stores emails, each by one transaction of four writes: the delivery takes the id (deliveries.ts), the head of
 * the address moves on to it (heads.ts), the email is put, and its domain's log has it (domain-log.ts).
 *
 * Without the head, ids do not grow in the order in which emails become visible: an id is made some time before
 * its email is there, and meanwhile another process may make and store a greater one. A client that has seen that
 * one asks for what is after it, and never sees the first:
 *
 *   A: makes id 1 for x, and its write is slow
 *   B: makes id 2 for x, writes x/2
 *   client: sees x/2, asks from now on for ids greater than 2
 *   A: writes x/1
 *
 * Now A's transaction wants the head of x to be less than id 1. B has moved it to id 2, so that A is refused,
 * makes id 3 and is seen. That is so however long A takes, and whatever the clocks of A and B say.
 *
 * Two processes that handle one delivery, as Lambda and SQS may do at any time:
 *
 *   A: delivery = {x: id 1, y: pending} if there is none, head, email x/1     done; then A dies
 *   B: delivery = {x: id 2, y: pending} if there is none, …                   refused, the item says x: id 1
 *   B: delivery y = id 3 if it is pending, head, email y/3                    done
 *   A client removes x/1: delivery x = "was the last but 1"
 *   C: delivery = {x: id 4, …} if there is none, …                            refused: x was removed, y has id 3
 */
export class Storing {
  readonly #parts: StoringParts
  readonly #nextId: () => string
  readonly #mutex = new KeyedMutex()

  constructor(parts: StoringParts) {
    this.#parts = parts
    this.#nextId = ulidSource(parts.clock, parts.random)
  }

  async store(mail: NewMessage): Promise<Email[]> {
    // Within a process one head's mails wait for each other, rather than to be refused and tried again.
    const emails = await this.#mutex.run(mail.recipients.map(headOf), () => this.#store(mail))
    // Handled again after all of it was removed: its parts were written again too, for nobody.
    if (emails.length === 0) await this.#parts.blobs.remove(mail.messageId)
    return emails
  }

  async #store(mail: NewMessage): Promise<Email[]> {
    const ids = new Map(mail.recipients.map((address) => [address, this.#mintAfter(floorOf(mail, address))]))
    const open = await this.#open(mail, mail.recipients)
    const recipients = [...open.keys()]
    const emails: Email[] = []
    let known: Copies | undefined
    // One after the other, for all of them write to the item of the delivery.
    for (const address of recipients) {
      const first = { id: ids.get(address)!, keyHash: open.get(address) }
      const stored = await this.#storeCopy({ ...mail, recipients }, address, first, known)
      known = stored.known
      if (stored.email !== undefined) emails.push(stored.email)
    }
    const others = [...(known ?? [])].filter(([address]) => !recipients.includes(address))
    return [...emails, ...(await this.emailsOf(new Map(others)))]
  }

  /** The emails of these copies that are still there. */
  async emailsOf(copies: Copies): Promise<Email[]> {
    const emails = [...copies].map(async ([address, copy]) =>
      copy.state === 'stored' ? [await this.#find(address, copy.id)] : [],
    )
    return (await Promise.all(emails)).flat().filter((email) => email !== undefined)
  }

  /**
   * Stores the email of one recipient, or finds the one that was stored before.
   * @param first the id to try first, and what `#open` said of the address after it was made
   * @param known what is known of the delivery; what is known of it then is returned
   */
  async #storeCopy(
    mail: NewMessage,
    address: string,
    first: { id: string; keyHash: KeyHash },
    known: Copies | undefined,
  ): Promise<{ email: Email | undefined; known: Copies | undefined }> {
    for (let { id, keyHash } = first; ; ) {
      const copy = known?.get(address)
      if (copy?.state === 'removed') return { email: undefined, known }
      if (copy?.state === 'stored') return { email: await this.#find(address, copy.id), known }
      const email = emailOf(mail.summary, address, id, mail.retentionMs)
      const written = await this.#transact(mail, email, keyHash, known)
      if (written.done) {
        return { email, known: new Map([...(known ?? pending(mail)), [address, { state: 'stored', id }]]) }
      }
      const head = written.refused.get(HEAD)
      if (written.refused.has(DELIVERY)) {
        const item = written.refused.get(DELIVERY)
        known = item && copiesOf(item)
      }
      id = this.#mintAfter(floorOf(mail, address), head && lastIdOf(head))
      const open = await this.#open(mail, [address])
      if (open.size === 0) return { email: undefined, known }
      keyHash = open.get(address)
    }
  }

  #transact(
    { messageId, summary: content, recipients, retentionMs }: NewMessage,
    email: Email,
    keyHash: KeyHash,
    known: Copies | undefined,
  ) {
    const { mail, deliveries, heads, log, clock } = this.#parts
    const { address, id } = email
    const now = clock()
    const copy = { address, id, recipients, retentionMs, now }
    const writes = []
    writes[DELIVERY] = deliveries.storing(messageId, copy, known)
    writes[HEAD] = heads.advance(address, id, now)
    writes.push(mail.putting(emailItem(content, email, messageId, keyHash)), log.adding(email))
    return mail.transact(writes)
  }

  async #find(address: string, id: string): Promise<Email | undefined> {
    const { mail, clock } = this.#parts
    return storedEmail(await mail.get(emailKey(address, id)), clock())?.email
  }

  /**
   * Those of these recipients whose domain is still registered as it was when the mail was let in, with its key. To be
   * asked after their ids are made: a domain that begins anew later than this answer gets a `visible_after` above them.
   */
  async #open({ visibleAfter = {} }: NewMessage, recipients: string[]): Promise<Map<string, KeyHash>> {
    const names = [...new Set(recipients.map(domainPart))]
    const keys = new Map<string, KeyHash>()
    await inParallel(names, DOMAIN_WINDOW, async (name) => {
      const seen = visibleAfter[name]
      const domain = seen === undefined ? undefined : await domainNow(this.#parts.mail, name)
      if (domain?.visibleAfter === seen) keys.set(name, domain?.keyHash)
    })
    const open = recipients.filter((address) => keys.has(domainPart(address)))
    return new Map(open.map((address) => [address, keys.get(domainPart(address))]))
  }

  /**
   * A new id, greater than these: clocks of two processes may differ. Of the next ms, and not the next id: the heads
   * of many addresses are raised to one id, and no two emails may have the same.
   */
  #mintAfter(...ids: (string | undefined)[]): string {
    const id = this.#nextId()
    const least = ids.reduce<string>((a, b = '') => (a > b ? a : b), '')
    return least < id ? id : ulidSource(() => ulidTime(least) + 1, this.#parts.random)()
  }
}

function floorOf({ visibleAfter }: NewMessage, address: string): string | undefined {
  return visibleAfter?.[domainPart(address)]
}

function pending({ recipients }: NewMessage): Copies {
  return new Map(recipients.map((address) => [address, { state: 'pending' }]))
}
