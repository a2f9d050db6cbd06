import type { Clock } from '../../core/clock.ts'
import type { Email } from '../../core/inbox/email.ts'
import { conflictPause } from './conflicts.ts'
import { type Copy, emailOfCopy, idOf, knownAfter, type MessageState } from './copy.ts'
import type { DomainLog } from './domain-log.ts'
import { emailItem, emailKey, storedEmail } from './email-item.ts'
import { type Heads, lastIdOf } from './heads.ts'
import { copiesOf, type MessageRecords } from './message-records.ts'
import type { Minting } from './minting.ts'
import { SharedCopies } from './shared-copies.ts'
import type { Table, Transacted } from './table.ts'
import type { WaitingCopies } from './waiting-copies.ts'

export interface CopyWriterParts {
  mail: Table
  records: MessageRecords
  heads: Heads
  log: DomainLog
  waiting: WaitingCopies
  minting: Minting
  clock: Clock
}

/** Conflicts of one copy after which it is shared with other processes (waiting-copies.ts). */
const SHARED_AFTER = 2

/** The copies of this process that wait for a head. */
export interface CopyQueue {
  head: string
  /** Returns more copies, after a conflict. */
  join: () => Copy[]
}

/** Writes the copies of one transaction, which have a head or a message in common. */
export class CopyWriter {
  readonly #parts: CopyWriterParts

  constructor(parts: CopyWriterParts) {
    this.#parts = parts
  }

  /**
   * Stores these copies, or finds those that were stored before. The result is undefined for a copy
   * that was removed or whose domain is no longer open.
   * @param queue of the head of these copies, if they have only one
   */
  async store(copies: Copy[], queue?: CopyQueue): Promise<Map<Copy, Email | undefined>> {
    const emails = new Map<Copy, Email | undefined>()
    const above = new Map<string, string>()
    const own = [...copies]
    const shared = queue && new SharedCopies(this.#parts, queue.head)
    for (let tries = 1; ; ) {
      const left = await this.#unresolved([...own, ...(shared?.others ?? [])], above, emails)
      await shared?.forget((copy) => emails.has(copy))
      if (own.every((copy) => emails.has(copy))) {
        await shared?.leave()
        return emails
      }
      const written = await this.#transact(left, above, emails, shared)
      if (written.done) {
        shared?.stored(left)
        continue
      }
      for (const copy of left) copy.minted = undefined
      if (written.conflict === undefined) continue
      await conflictPause(tries++, written.conflict)
      if (queue !== undefined) own.push(...queue.join())
      if (tries > SHARED_AFTER) await shared?.exchange(own.filter((copy) => !emails.has(copy)))
    }
  }

  /** Returns the copies that are to be stored, with ids, and sets the results of the others. */
  async #unresolved(
    copies: Copy[],
    above: Map<string, string>,
    emails: Map<Copy, Email | undefined>,
  ): Promise<Copy[]> {
    for (const copy of copies) if (!emails.has(copy)) await this.#resolveKnown(copy, emails)
    const open = copies.filter((copy) => !emails.has(copy))
    for (const copy of await this.#parts.minting.mint(open, above)) emails.set(copy, undefined)
    return open.filter((copy) => !emails.has(copy))
  }

  /** Sets the result of a copy that was stored or removed before. */
  async #resolveKnown(copy: Copy, emails: Map<Copy, Email | undefined>): Promise<void> {
    const state = copy.state.known?.get(copy.address)
    if (state?.state === 'removed') emails.set(copy, undefined)
    if (state?.state === 'stored') emails.set(copy, await this.find(copy.address, state.id))
  }

  /**
   * Tries to store copies by one transaction. If DynamoDB rejects it, `known` of the messages and
   * `above` are updated.
   */
  async #transact(
    copies: Copy[],
    above: Map<string, string>,
    emails: Map<Copy, Email | undefined>,
    shared: SharedCopies | undefined,
  ): Promise<Transacted> {
    const { mail, clock } = this.#parts
    const now = clock()
    const states = [...Map.groupBy(copies, ({ state }) => state)]
    const heads = [...this.#byHead(copies)]
    const stored = copies.map((copy) => ({ copy, email: emailOfCopy(copy) }))
    const transaction = [
      ...states.map(([state, own]) => this.#recording(state, own, now)),
      ...heads.map(([head, own]) => this.#advancing(head, own)),
      ...stored.flatMap(({ copy, email }) => [
        ...this.#putting(copy, email),
        ...(shared?.removing(copy) ?? []),
      ]),
    ]
    const written = await mail.transact(transaction).catch((error) => {
      // A copy that can never be stored must not make those of other processes fail.
      if (!shared?.separate()) throw error
      return { done: false as const, refused: new Map<number, undefined>() }
    })
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

  #byHead(copies: Copy[]): Map<string, Copy[]> {
    return Map.groupBy(copies, ({ address }) => this.#parts.heads.of(address))
  }

  #advancing(head: string, copies: Copy[]) {
    const ids = copies.map(idOf).sort()
    return this.#parts.heads.advance(head, ids[0] ?? '', ids.at(-1) ?? '')
  }

  #putting({ state: { mail: message }, minted }: Copy, email: Email) {
    const { mail, log } = this.#parts
    const item = emailItem(message.summary, email, message.messageId, minted)
    return [mail.putting(item), log.adding(email, minted?.logParts)]
  }

  /** Returns the email if it still exists. */
  async find(address: string, id: string): Promise<Email | undefined> {
    const { mail, clock } = this.#parts
    return storedEmail(await mail.get(emailKey(address, id)), clock())?.email
  }
}
