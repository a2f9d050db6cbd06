import { domainPart } from '../../core/address.ts'
import type { Clock } from '../../core/clock.ts'
import { Problem } from '../../core/errors.ts'
import { type Email, emailOf } from '../../core/inbox/email.ts'
import type { BlobStore, NewMessage } from '../../core/inbox/ports.ts'
import { inParallel } from '../../core/parallel.ts'
import { ulidSource, ulidTime } from '../../core/ulid.ts'
import type { DomainLog } from './domain-log.ts'
import { domainNow } from './domains.ts'
import { emailItem, emailKey, storedEmail } from './email-item.ts'
import { type Heads, headOf, lastIdOf } from './heads.ts'
import { type Copies, copiesOf, type MessageRecords } from './message-records.ts'
import { conflictPause, type Table, type Transacted } from './table.ts'

/** Domains that are looked up concurrently. */
const DOMAIN_WINDOW = 10

export interface StoringParts {
  mail: Table
  records: MessageRecords
  heads: Heads
  log: DomainLog
  blobs: Pick<BlobStore, 'remove'>
  clock: Clock
  /** Returns n random bytes. */
  random: (size: number) => Uint8Array
}

/** The domain's key; null for a public domain, undefined if the domain was not looked up. */
type KeyHash = string | null | undefined

/** One message and the known state of its copies. */
interface MessageState {
  mail: NewMessage
  /** The recipients whose domains were open when the message was first handled. */
  recipients: string[]
  known: Copies | undefined
}

/** One recipient's copy that has to be stored. */
interface Copy {
  state: MessageState
  address: string
  /** Undefined if a new id must be created. */
  minted: { id: string; keyHash: KeyHash } | undefined
}

/** A copy that waits for its head. */
interface Queued {
  copy: Copy
  resolve: (email: Email | undefined) => void
  reject: (error: unknown) => void
}

/** Copies in one transaction. Each takes at most four of the 100 writes that DynamoDB allows. */
const COPIES_PER_TRANSACTION = 24

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
  readonly #parts: StoringParts
  readonly #nextId: () => string
  /** Copies that wait for the next transaction on their head in this process, by head. */
  readonly #queues = new Map<string, Queued[]>()

  constructor(parts: StoringParts) {
    this.#parts = parts
    this.#nextId = ulidSource(parts.clock, parts.random)
  }

  async store(mail: NewMessage): Promise<Email[]> {
    const emails = await this.#store(mail)
    // All copies were removed since the message was first handled, and this call has stored its
    // parts again.
    if (emails.length === 0) await this.#parts.blobs.remove(mail.messageId)
    return emails
  }

  async #store(mail: NewMessage): Promise<Email[]> {
    const ids = new Map(mail.recipients.map((address) => [address, this.#mintAfter(floorOf(mail, address))]))
    const open = await this.#open(mail, mail.recipients)
    const recipients = [...open.keys()]
    const state: MessageState = { mail, recipients, known: undefined }
    const copies = recipients.map((address) => {
      const minted = { id: ids.get(address) ?? '', keyHash: open.get(address) }
      return { state, address, minted }
    })
    const emails = await this.#storeCopies(copies)
    const others = [...(state.known ?? [])].filter(([address]) => !recipients.includes(address))
    return [...emails, ...(await this.emailsOf(new Map(others)))]
  }

  /** Returns the emails of these copies that still exist. */
  async emailsOf(copies: Copies): Promise<Email[]> {
    const emails = [...copies].map(async ([address, copy]) =>
      copy.state === 'stored' ? [await this.#find(address, copy.id)] : [],
    )
    return (await Promise.all(emails)).flat().filter((email) => email !== undefined)
  }

  async #storeCopies(copies: Copy[]): Promise<Email[]> {
    const [first, ...others] = copies
    const emails: (Email | undefined)[] = []
    if (first !== undefined && others.length === 0) emails.push(await this.#enqueue(first))
    else {
      // One after the other, because each transaction writes to the item of the message.
      for (let i = 0; i < copies.length; i += COPIES_PER_TRANSACTION)
        emails.push(...(await this.#storeTogether(copies.slice(i, i + COPIES_PER_TRANSACTION))).values())
    }
    return emails.filter((email) => email !== undefined)
  }

  /**
   * Stores a copy at once, or together with others when the transaction in flight on its head has
   * ended.
   */
  #enqueue(copy: Copy): Promise<Email | undefined> {
    const { promise, ...queued } = { copy, ...Promise.withResolvers<Email | undefined>() }
    const head = headOf(copy.address)
    const queue = this.#queues.get(head)
    if (queue === undefined) {
      this.#queues.set(head, [])
      void this.#drain(head, [queued])
    } else {
      // Another process may advance the head while the copy waits, which would make its id too low.
      copy.minted = undefined
      queue.push(queued)
    }
    return promise
  }

  async #drain(head: string, first: Queued[]): Promise<void> {
    const queue = this.#queues.get(head) ?? []
    for (let group = first; group.length > 0; group = takeGroup(queue)) await this.#storeGroup(group, queue)
    this.#queues.delete(head)
  }

  /**
   * @param queue after a conflict with another process, more copies from it join the group, so that
   * contention makes groups larger
   */
  async #storeGroup(group: Queued[], queue: Queued[]): Promise<void> {
    const join = () => {
      const joining = takeGroup(queue, group)
      group.push(...joining)
      return joining.map(({ copy }) => copy)
    }
    try {
      const emails = await this.#storeTogether(
        group.map(({ copy }) => copy),
        join,
      )
      for (const { copy, resolve } of group) resolve(emails.get(copy))
    } catch (error) {
      const isStoreAway = error instanceof Problem && error.code === 'unavailable'
      // A copy that can never be stored must not make the others fail.
      if (group.length > 1 && !isStoreAway) for (const queued of group) await this.#storeGroup([queued], [])
      else for (const { reject } of group) reject(error)
    }
  }

  /**
   * Stores these copies, or finds those that were stored before. The result is undefined for a copy
   * that was removed or whose domain is no longer open. The copies of one call have a head or a
   * message in common.
   * @param join returns more copies after a conflict
   */
  async #storeTogether(copies: Copy[], join: () => Copy[] = () => []): Promise<Map<Copy, Email | undefined>> {
    const emails = new Map<Copy, Email | undefined>()
    const above = new Map<string, string>()
    const all = [...copies]
    for (let tries = 1; ; ) {
      for (const copy of all) if (!emails.has(copy)) await this.#resolveKnown(copy, emails)
      const open = all.filter((copy) => !emails.has(copy))
      const left = await this.#mint(open, above, emails)
      const written = left.length === 0 ? { done: true } : await this.#transact(left, above, emails)
      if (written.done) return emails
      for (const copy of left) copy.minted = undefined
      if (!('conflict' in written) || written.conflict === undefined) continue
      await conflictPause(tries++, written.conflict)
      all.push(...join())
    }
  }

  /** Sets the result of a copy that was stored or removed before. */
  async #resolveKnown(copy: Copy, emails: Map<Copy, Email | undefined>): Promise<void> {
    const state = copy.state.known?.get(copy.address)
    if (state?.state === 'removed') emails.set(copy, undefined)
    if (state?.state === 'stored') emails.set(copy, await this.#find(copy.address, state.id))
  }

  /**
   * Creates the missing ids, and then looks up the domains of their copies. Sets the result of
   * copies whose domain is not open.
   * @param above the greatest known id of each head
   */
  async #mint(
    copies: Copy[],
    above: Map<string, string>,
    emails: Map<Copy, Email | undefined>,
  ): Promise<Copy[]> {
    const missing = copies.filter(({ minted }) => minted === undefined)
    const ids = missing.map(({ state: { mail }, address }) =>
      this.#mintAfter(floorOf(mail, address), above.get(headOf(address))),
    )
    await Promise.all(
      missing.map(async (copy, i) => {
        const open = await this.#open(copy.state.mail, [copy.address])
        if (open.has(copy.address)) copy.minted = { id: ids[i] ?? '', keyHash: open.get(copy.address) }
        else emails.set(copy, undefined)
      }),
    )
    return copies.filter(({ minted }) => minted !== undefined)
  }

  /**
   * Tries to store copies by one transaction. If DynamoDB rejects it, `known` of the messages and
   * `above` are updated.
   */
  async #transact(
    copies: Copy[],
    above: Map<string, string>,
    emails: Map<Copy, Email | undefined>,
  ): Promise<Transacted> {
    const { mail, clock } = this.#parts
    const now = clock()
    const states = [...Map.groupBy(copies, ({ state }) => state)]
    const heads = [...Map.groupBy(copies, ({ address }) => headOf(address))]
    const stored = copies.map((copy) => ({ copy, email: emailOfCopy(copy) }))
    const written = await mail.transact([
      ...states.map(([state, own]) => this.#recording(state, own, now)),
      ...heads.map(([head, own]) => this.#advancing(head, own, now)),
      ...stored.flatMap(({ copy, email }) => this.#putting(copy, email)),
    ])
    if (written.done) {
      for (const { copy, email } of stored) emails.set(copy, email)
      for (const [state, own] of states) state.known = knownAfter(state, own)
      return written
    }
    for (const [i, item] of written.refused) {
      const state = states[i]?.[0]
      if (state !== undefined) state.known = item && copiesOf(item)
      const head = heads[i - states.length]?.[0]
      if (head !== undefined && item !== undefined) above.set(head, lastIdOf(item))
    }
    return written
  }

  #recording({ mail, recipients, known }: MessageState, copies: Copy[], now: number) {
    const { messageId, retentionMs } = mail
    const ids = new Map(copies.map((copy) => [copy.address, idOf(copy)]))
    return this.#parts.records.storing(ids, { messageId, recipients, retentionMs, now }, known)
  }

  #advancing(head: string, copies: Copy[], now: number) {
    const ids = copies.map(idOf).sort()
    return this.#parts.heads.advance(head, ids[0] ?? '', ids.at(-1) ?? '', now)
  }

  #putting({ state: { mail: message }, minted }: Copy, email: Email) {
    const { mail, log } = this.#parts
    const item = emailItem(message.summary, email, message.messageId, minted?.keyHash)
    return [mail.putting(item), log.adding(email)]
  }

  async #find(address: string, id: string): Promise<Email | undefined> {
    const { mail, clock } = this.#parts
    return storedEmail(await mail.get(emailKey(address, id)), clock())?.email
  }

  /**
   * Returns those of these recipients whose domain is still registered as it was when the mail was
   * accepted, with the domain's key. Must be called after their ids are created: a domain that is
   * registered again after this call gets a `visible_after` above them.
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
   * Returns a new id that is greater than these, because the clocks of two processes may differ. It
   * is from the next ms and not the next id: the heads of many addresses are raised to one id, and
   * no two emails may have the same.
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

function idOf({ minted }: Copy): string {
  return minted?.id ?? ''
}

function emailOfCopy(copy: Copy): Email {
  const { summary, retentionMs } = copy.state.mail
  return emailOf(summary, copy.address, idOf(copy), retentionMs)
}

/** Returns the known state of a message after these copies were stored. */
function knownAfter({ recipients, known }: MessageState, copies: Copy[]): Copies {
  const before = known ?? new Map(recipients.map((address) => [address, { state: 'pending' as const }]))
  const stored = copies.map((copy) => [copy.address, { state: 'stored' as const, id: idOf(copy) }] as const)
  return new Map([...before, ...stored])
}

/**
 * Takes copies for one transaction from a queue. A transaction can write to the item of a message
 * only once.
 * @param group the copies that the transaction has already
 */
function takeGroup(queue: Queued[], group: Queued[] = []): Queued[] {
  const taken: Queued[] = []
  const messages = new Set(group.map(messageOf))
  for (let i = 0; i < queue.length && group.length + taken.length < COPIES_PER_TRANSACTION; ) {
    const queued = queue[i]
    if (queued === undefined || messages.has(messageOf(queued))) i++
    else {
      messages.add(messageOf(queued))
      taken.push(queued)
      queue.splice(i, 1)
    }
  }
  return taken
}

function messageOf({ copy }: Queued): string {
  return copy.state.mail.messageId
}
