import type { Dns, Domain, DomainState, Domains, Limits, MxRecord } from '../../../core/access/ports.ts'
import { Problem } from '../../../core/errors.ts'
import { lastUlidOf } from '../../../core/ulid.ts'

/** Domains in memory, with the semantics of the port. */
export class FakeDomains implements Domains {
  readonly stored = new Map<string, Domain>()
  readonly changes: string[] = []
  #serial = 0

  async find(name: string): Promise<Domain | undefined> {
    const found = this.stored.get(name)
    return found && { ...found }
  }

  async list(): Promise<Domain[]> {
    return [...this.stored.values()]
  }

  async withKey(hash: string): Promise<Domain[]> {
    return [...this.stored.values()].filter((domain) => domain.keyHash === hash)
  }

  async change(name: string, before: Domain | undefined, after: DomainState | undefined): Promise<boolean> {
    const known = this.stored.get(name)
    if (known?.revision !== before?.revision) return false
    const serial = ++this.#serial
    if (after === undefined) this.stored.delete(name)
    else {
      const anew = after.registeredAt !== known?.registeredAt
      const visibleAfter = anew ? lastUlidOf(serial) : known!.visibleAfter
      this.stored.set(name, { ...after, visibleAfter, revision: String(serial) })
    }
    this.changes.push(`${name} ${after?.status ?? 'removed'}${after?.keyHash == null ? '' : ' private'}`)
    return true
  }
}

/** Allows everything and counts it. */
export class FakeLimits implements Limits {
  readonly taken: string[] = []

  async take(name: string) {
    this.taken.push(name)
    return { allowed: true, remaining: 1, resetsAt: 0 }
  }

  async peek() {
    return { allowed: true, remaining: 1, resetsAt: 0 }
  }

  async lease(_name: string, _count: number, secret: string) {
    return { first: 0, secret }
  }
}

type Answer<T> = T[] | 'fail'

/** DNS whose answers the test sets, and may delay. */
export class FakeDns implements Dns {
  mxRecords: Answer<MxRecord> = []
  texts: Answer<string> = []
  canonicalNames: Answer<string> = []
  questions = 0
  /**
   * While set, an answer has the content of the moment of its question, and arrives when this
   * resolves.
   */
  held: Promise<void> | undefined

  mx(): Promise<MxRecord[]> {
    return this.#answer(this.mxRecords)
  }

  txt(): Promise<string[]> {
    return this.#answer(this.texts)
  }

  cname(): Promise<string[]> {
    return this.#answer(this.canonicalNames)
  }

  async #answer<T>(records: Answer<T>): Promise<T[]> {
    this.questions++
    await this.held
    if (records === 'fail') throw new Problem('dns_unavailable', 'No answer.', { retryAfter: 10 })
    return records
  }
}
