import { REFUSAL_CHARACTERS, REFUSALS_KEPT } from '../limits.ts'

/** A recipient or a message that was not accepted. */
export interface RefusedMail {
  /** Unix ms. */
  at: number
  /** IP address. */
  client: string
  /** Null for a bounce, and if the refused request names none. */
  mailFrom: string | null
  /** Null if a sender or a whole message was refused. */
  recipient: string | null
  /** The SMTP reply code, or the HTTP status of a send API. */
  code: number
  reply: string
}

/** The latest refusals, in memory: REFUSALS_KEPT of them, each with bounded texts. */
export class Refusals {
  readonly #latest: RefusedMail[] = []
  /** How many there were. */
  count = 0

  add({ mailFrom, recipient, reply, ...same }: RefusedMail): void {
    const shortened = { mailFrom: cut(mailFrom), recipient: cut(recipient), reply: cut(reply) }
    this.count++
    this.#latest.push({ ...same, ...shortened })
    if (this.#latest.length > REFUSALS_KEPT) this.#latest.shift()
  }

  /** Returns them, newest first. */
  list(): RefusedMail[] {
    return this.#latest.toReversed()
  }
}

/** Returns the latest of several lists, newest first. */
export function latestRefusals(...lists: RefusedMail[][]): RefusedMail[] {
  return lists
    .flat()
    .sort((a, b) => b.at - a.at)
    .slice(0, REFUSALS_KEPT)
}

function cut<T extends string | null>(text: T): T {
  return (text === null ? null : text.slice(0, REFUSAL_CHARACTERS)) as T
}
