import type { Clock } from '../../core/clock.ts'
import { type Email, emailOf } from '../../core/inbox/email.ts'
import type { BlobStore, NewMail } from '../../core/inbox/ports.ts'
import { HOUR_MS, SECOND_MS } from '../../core/limits.ts'
import { domainPart } from '../../core/mail/address.ts'
import { inParallel, KeyedMutex } from '../../core/parallel.ts'
import { ulidSource, ulidTime } from '../../core/ulid.ts'
import { s, text } from './attributes.ts'
import type { Deliveries } from './deliveries.ts'
import { visibleAfter } from './domains.ts'
import { emailItem, emailKey, fenceItem, isEmail, partitionOf, storedEmail } from './email-item.ts'
import type { Table } from './table.ts'

/** An id that is older than this when its email is about to be written is replaced by a new one. */
const FRESH_MS = SECOND_MS
/** No attempt to write an email goes on for longer: a Lambda function ends after 15 minutes. */
const FENCE_MS = HOUR_MS
/** Requests at a time for the recipients of a mail. */
const STORE_WINDOW = 10

export interface StoringParts {
  mail: Table
  deliveries: Deliveries
  blobs: Pick<BlobStore, 'remove'>
  clock: Clock
  /** Gives n random bytes. */
  random: (size: number) => Uint8Array
}

/**
 * Stores emails: (1) the delivery item takes the ids, (2) the emails are written under them. Timeline of two
 * processes that handle one delivery (Lambda and SQS may do that at any time):
 *
 *   A: delivery = {x: id 1} if there is none     done
 *   B: delivery = {x: id 2} if there is none     refused, the item says id 1
 *   B: email x/1 if there is none                done
 *   A: email x/1 if there is none                refused, the item is the email: same result
 *
 * An attempt that dies after (1) leaves an id whose email may be written much later, when readers have seen
 * greater ids and never look back. So an id is good for FRESH_MS. After that its place in the mail table is
 * taken by a fence, which the email's own condition cannot pass, and the delivery gets a new id:
 *
 *   A: delivery = {x: id 1}                      done; then A hangs
 *   B, later: fence x/1 if there is none         done (refused if A had written the email: then that is it)
 *   B: delivery x = id 7 if it is id 1           done
 *   B: email x/7 if there is none                done
 *   A wakes up: email x/1 if there is none       refused, the item is a fence; the delivery says id 7
 *   A: email x/7 if there is none                refused, the item is the email: same result
 *
 * Ids of one address grow in the order in which its emails become visible, as long as no two processes write to
 * it within the same few milliseconds; within one process they take turns.
 */
export class Storing {
  readonly #mail: Table
  readonly #deliveries: Deliveries
  readonly #blobs: Pick<BlobStore, 'remove'>
  readonly #clock: Clock
  readonly #random: (size: number) => Uint8Array
  readonly #nextId: () => string
  readonly #mutex = new KeyedMutex()

  constructor({ mail, deliveries, blobs, clock, random }: StoringParts) {
    this.#mail = mail
    this.#deliveries = deliveries
    this.#blobs = blobs
    this.#clock = clock
    this.#random = random
    this.#nextId = ulidSource(clock, random)
  }

  async store(mail: NewMail): Promise<Email[]> {
    const emails = await this.#mutex.run(mail.recipients, () => this.#store(mail))
    // Handled again after all of it was removed: its parts were written again too, for nobody.
    if (emails.length === 0) await this.#blobs.remove(mail.delivery)
    return emails
  }

  async #store(mail: NewMail): Promise<Email[]> {
    const newest = await inParallel(mail.recipients, STORE_WINDOW, (address) => this.#newestId(address))
    const minted = mail.recipients.map((address, i) => this.#mintAfter(newest[i], floorOf(mail, address)))
    const open = await this.#open(mail)
    const ids = new Map(
      mail.recipients.flatMap((address, i) => (open.has(domainPart(address)) ? [[address, minted[i]!]] : [])),
    )
    if (ids.size === 0) return []
    const known = await this.#deliveries.begin(mail.delivery, ids, mail.retention_ms, this.#clock())
    const addresses = new Set([...ids.keys(), ...(known?.keys() ?? [])])
    const emails = await inParallel([...addresses], STORE_WINDOW, async (address) => {
      const id =
        known === undefined
          ? ids.get(address)!
          : known.has(address)
            ? known.get(address)!
            : await this.#deliveries.join(mail.delivery, address, ids.get(address)!)
      return this.#storeCopy(mail, address, id, known !== undefined)
    })
    return emails.filter((email) => email !== undefined)
  }

  /** The email of one recipient; undefined when it was removed or has expired. */
  async #storeCopy(
    mail: NewMail,
    address: string,
    id: string | null,
    resumed: boolean,
  ): Promise<Email | undefined> {
    for (let current = id; current !== null; ) {
      const fresh = this.#isFresh(current)
      const email = emailOf(mail.content, address, current, mail.retention_ms)
      const written = await this.#mail.put(
        fresh
          ? emailItem(mail.content, email, mail.delivery)
          : fenceItem(address, current, this.#clock() + FENCE_MS),
        { condition: 'attribute_not_exists(#pk)' },
      )
      if (!written.done && written.item !== undefined && isEmail(written.item)) {
        return storedEmail(written.item, this.#clock())?.email
      }
      if (fresh && written.done) {
        if (await this.#counts(mail.delivery, address, current, resumed)) return email
        await this.#mail.delete(emailKey(address, current))
      }
      const minted = this.#mintAfter(await this.#newestId(address), floorOf(mail, address))
      if (!(await this.#open(mail)).has(domainPart(address))) return undefined
      current = await this.#deliveries.replace(mail.delivery, address, current, minted)
    }
    return undefined
  }

  /**
   * Whether an email that was just written is the one that counts. It may not be when another process worked on
   * the same delivery: that one may have written this email too, and a client may have removed it since.
   */
  async #counts(delivery: string, address: string, id: string, resumed: boolean): Promise<boolean> {
    return (!resumed && this.#isFresh(id)) || (await this.#deliveries.copy(delivery, address)) === id
  }

  #isFresh(id: string): boolean {
    return this.#clock() - ulidTime(id) <= FRESH_MS
  }

  async #newestId(address: string): Promise<string | undefined> {
    const { items } = await this.#mail.query({
      key: '#pk = :pk',
      values: { ':pk': s(partitionOf(address)) },
      projection: '#sk',
      limit: 1,
      newestFirst: true,
    })
    return items[0] && text(items[0], 'sk')
  }

  /**
   * The recipients' domains that are still registered as they were when the mail was let in. To be asked after
   * the ids are made: a domain that begins anew later than this answer gets a `visible_after` above them.
   */
  async #open({ recipients, registrations = {} }: NewMail): Promise<Set<string>> {
    const names = [...new Set(recipients.map(domainPart))]
    const open = await inParallel(names, STORE_WINDOW, async (name) => {
      const seen = registrations[name]
      return seen === undefined || seen === (await visibleAfter(this.#mail, name))
    })
    return new Set(names.filter((_, i) => open[i]))
  }

  /** A new id, greater than the newest one of the address and than the floor: clocks of two processes may differ. */
  #mintAfter(newest = '', floor = ''): string {
    const id = this.#nextId()
    const least = newest > floor ? newest : floor
    return least < id ? id : ulidSource(this.#clock, this.#random, least)()
  }
}

function floorOf({ registrations }: NewMail, address: string): string | undefined {
  return registrations?.[domainPart(address)]
}
