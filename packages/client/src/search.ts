import { Deadline } from './deadline.ts'
import { MayflyError } from './errors.ts'
import { type MailFilter, matches } from './filter.ts'
import type { Mail } from './mail.ts'
import type { InboxRequests } from './requests.ts'

/**
 * After the time-out, one last list finds mail that arrived in the last moment; it may take this
 * long.
 */
const LAST_LIST_MS = 5_000

export interface Wanted {
  filter: MailFilter
  count: number
}

/**
 * One wait for a number of mails: finds them in the order in which they arrived and marks them as
 * taken.
 *
 * Usually it is one held request, whose response is the mail. The mails are listed only when that
 * response is not sufficient: a pattern or predicate rejects the mail, or more than one is wanted.
 */
export class Search {
  readonly #requests: InboxRequests
  readonly #wanted: Wanted
  /** Ids of the mails that a wait of this inbox has returned. */
  readonly #taken: Set<string>
  readonly #candidates: Mail[] = []
  /**
   * Every mail up to this id was examined, so that a rejected mail is not requested again.
   */
  #since: string | undefined

  constructor(
    requests: InboxRequests,
    wanted: Wanted,
    { taken, since }: { taken: Set<string>; since: string | undefined },
  ) {
    this.#requests = requests
    this.#wanted = wanted
    this.#taken = taken
    this.#since = since
  }

  /**
   * The wanted mails; undefined when they did not arrive before the deadline.
   * @throws MayflyError
   */
  async run(deadline: Deadline): Promise<Mail[] | undefined> {
    try {
      // A held request would return the mails that are taken already.
      if (this.#taken.size > 0 && deadline.leftMs > 0) await this.#list(deadline)
      let mails = this.#take()
      while (mails === undefined && deadline.leftMs > 0) {
        await this.#wait(deadline)
        mails = this.#take()
      }
      return mails
    } catch (error) {
      // The deadline has ended a request, which is no failure of the service.
      if (deadline.leftMs === 0 && isTimeout(error)) return undefined
      throw error
    }
  }

  /**
   * Lists once more, after the deadline.
   * @returns the wanted mails, or else every mail of the inbox that no wait has returned
   */
  async last(
    inboxSince: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<{ mails: Mail[] } | { mails?: undefined; arrived: Mail[] }> {
    const deadline = new Deadline(LAST_LIST_MS, signal)
    const arrived = await this.#requests.list({}, inboxSince, deadline)
    const newest = arrived.at(-1)?.id ?? ''
    if (newest > (this.#since ?? '')) await this.#list(deadline)
    const mails = this.#take()
    return mails === undefined ? { arrived: arrived.filter(({ id }) => !this.#taken.has(id)) } : { mails }
  }

  async #wait(deadline: Deadline): Promise<void> {
    const { filter, count } = this.#wanted
    const mail = await this.#requests.wait(filter, this.#since, deadline)
    if (mail === null) return
    if (count === 1 && !this.#taken.has(mail.id) && matches(mail, filter)) this.#candidates.push(mail)
    else await this.#list(deadline)
  }

  async #list(deadline: Deadline): Promise<void> {
    const { filter } = this.#wanted
    const mails = await this.#requests.list(filter, this.#since, deadline)
    this.#candidates.push(...mails.filter((mail) => matches(mail, filter)))
    this.#since = mails.at(-1)?.id ?? this.#since
  }

  #take(): Mail[] | undefined {
    const mails = this.#candidates.filter(({ id }) => !this.#taken.has(id)).slice(0, this.#wanted.count)
    if (mails.length < this.#wanted.count) return undefined
    for (const { id } of mails) this.#taken.add(id)
    return mails
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof MayflyError && (error.cause as Error | undefined)?.name === 'TimeoutError'
}
