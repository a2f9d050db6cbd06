import type { Email } from '../lib/api.ts'
import { ApiProblem } from '../lib/problem.ts'
import type { MailApi, Page } from './mail-api.ts'
import { newestFirst } from './merge.ts'

/** While somebody types, the service is not asked for each letter. */
const PAUSE_MS = 180

/** A search of the service over the whole box. */
export class Search {
  /** What is looked for; empty for nothing. */
  text = ''
  /** What was found; undefined while nothing is looked for. */
  emails: Email[] | undefined
  problem: ApiProblem | undefined
  busy = false
  readonly #api: MailApi
  readonly #changed: () => void
  #cursor: string | null = null
  #asking: AbortController | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(api: MailApi, changed: () => void) {
    this.#api = api
    this.#changed = changed
  }

  get more(): boolean {
    return this.#cursor !== null
  }

  /** Looks for this from now on. */
  type(text: string): void {
    this.text = text
    this.#asking?.abort()
    clearTimeout(this.#timer)
    this.problem = undefined
    if (text.trim() === '') {
      this.emails = undefined
      this.busy = false
    } else {
      this.emails ??= []
      this.busy = true
      this.#timer = setTimeout(() => this.#ask({}), PAUSE_MS)
    }
    this.#changed()
  }

  /** A mail has come that may be one of those. */
  renew(): void {
    if (this.emails !== undefined) void this.#ask({})
  }

  async older(): Promise<void> {
    if (this.#cursor !== null && !this.busy) await this.#ask({ cursor: this.#cursor })
  }

  map(change: (email: Email) => Email): void {
    this.emails = this.emails?.map(change)
  }

  drop(gone: (id: string, email: Email) => boolean): boolean {
    const kept = this.emails?.filter((email) => !gone(email.id, email))
    if (kept?.length === this.emails?.length) return false
    this.emails = kept
    return true
  }

  async #ask(from: { cursor?: string }): Promise<void> {
    this.#asking?.abort()
    const asking = new AbortController()
    this.#asking = asking
    this.busy = true
    try {
      const found = await this.#pages(from, asking.signal)
      if (asking.signal.aborted) return
      this.emails = newestFirst([...(from.cursor === undefined ? [] : (this.emails ?? [])), ...found.emails])
      this.#cursor = found.next_cursor
      this.problem = undefined
    } catch (error) {
      if (asking.signal.aborted) return
      if (!(error instanceof ApiProblem)) throw error
      this.problem = error
    }
    this.busy = false
    this.#changed()
  }

  /** A search in a large box may answer with nothing yet and where to go on. */
  async #pages(from: { cursor?: string }, signal: AbortSignal): Promise<Page> {
    let page = await this.#api.list({ ...from, q: this.text.trim() }, signal)
    while (page.emails.length === 0 && page.next_cursor !== null && !signal.aborted) {
      page = await this.#api.list({ cursor: page.next_cursor, q: this.text.trim() }, signal)
    }
    return page
  }
}
