import { randomBytes } from 'node:crypto'
import { domainPart } from '../../core/address.ts'
import type { Clock } from '../../core/clock.ts'
import type { NewMessage } from '../../core/inbox/ports.ts'
import { inParallel } from '../../core/parallel.ts'
import { ulidSource, ulidTime } from '../../core/ulid.ts'
import type { Copy, MessageState, OfDomain } from './copy.ts'
import { domainForMail } from './domains.ts'
import type { Heads } from './heads.ts'
import type { Table } from './table.ts'

/** Domains that are looked up concurrently. */
const DOMAIN_WINDOW = 10

export interface MintingParts {
  mail: Table
  heads: Pick<Heads, 'of'>
  clock: Clock
}

/** Creates the ids of copies, and looks up their domains afterwards. */
export class Minting {
  readonly #mail: Table
  readonly #heads: Pick<Heads, 'of'>
  readonly #clock: Clock
  readonly #nextId: () => string

  constructor({ mail, heads, clock }: MintingParts) {
    this.#mail = mail
    this.#heads = heads
    this.#clock = clock
    this.#nextId = ulidSource(clock, randomBytes)
  }

  /** Returns a message with a copy for each recipient whose domain is open. */
  async copiesOf(mail: NewMessage): Promise<{ state: MessageState; copies: Copy[] }> {
    const ids = new Map(mail.recipients.map((address) => [address, this.#mintAfter(floorOf(mail, address))]))
    const open = await this.#open(mail, mail.recipients)
    const recipients = [...open.keys()]
    const state: MessageState = { mail, recipients, known: undefined }
    const copies = recipients.map((address) => {
      const minted = { id: ids.get(address) ?? '', ...open.get(address)! }
      return { state, address, minted }
    })
    return { state, copies }
  }

  /**
   * Creates the missing ids, and then looks up the domains of their copies. Returns the copies
   * whose domain is not open.
   * @param above the greatest known id of each head
   */
  async mint(copies: Copy[], above: Map<string, string>): Promise<Copy[]> {
    const missing = copies.filter(({ minted }) => minted === undefined)
    const ids = missing.map(({ state: { mail }, address }) =>
      this.#mintAfter(floorOf(mail, address), above.get(this.#heads.of(address))),
    )
    await Promise.all(
      missing.map(async (copy, i) => {
        const open = await this.#open(copy.state.mail, [copy.address])
        const ofDomain = open.get(copy.address)
        if (ofDomain !== undefined) copy.minted = { id: ids[i] ?? '', ...ofDomain }
      }),
    )
    return missing.filter(({ minted }) => minted === undefined)
  }

  /**
   * Returns those of these recipients whose domain is still registered as it was when the mail was
   * accepted, with what their emails record of the domain. Must be called after their ids are created: a domain that is
   * registered again after this call gets a `visible_after` above them (domains.ts).
   */
  async #open({ visibleAfter = {} }: NewMessage, recipients: string[]): Promise<Map<string, OfDomain>> {
    const names = [...new Set(recipients.map(domainPart))]
    const found = new Map<string, OfDomain>()
    await inParallel(names, DOMAIN_WINDOW, async (name) => {
      const seen = visibleAfter[name]
      const domain = seen === undefined ? undefined : await domainForMail(this.#mail, name, this.#clock())
      if (domain?.visibleAfter === seen)
        found.set(name, { keyHash: domain?.keyHash, logParts: domain?.logParts })
    })
    return new Map(
      recipients.flatMap((address) => {
        const ofDomain = found.get(domainPart(address))
        return ofDomain === undefined ? [] : [[address, ofDomain]]
      }),
    )
  }

  /**
   * Returns a new id that is greater than these, because the clocks of two processes may differ. It
   * is from the next ms and not the next id: the heads of many addresses are raised to one id, and
   * no two emails may have the same.
   */
  #mintAfter(...ids: (string | undefined)[]): string {
    const id = this.#nextId()
    const least = ids.reduce<string>((a, b = '') => (a > b ? a : b), '')
    return least < id ? id : ulidSource(() => ulidTime(least) + 1, randomBytes)()
  }
}

function floorOf({ visibleAfter }: NewMessage, address: string): string | undefined {
  return visibleAfter?.[domainPart(address)]
}
