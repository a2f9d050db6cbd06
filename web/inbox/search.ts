import type { Email } from '../lib/api.ts'
import { type ApiProblem, asProblem } from '../lib/problem.ts'
import type { MailSource, Page } from './mail-api.ts'
import { newestFirst } from './merge.ts'
import { comparesText, containsWords, parseQuery, queryParameters } from './query.ts'

/** The service is not asked for each letter that is typed. */
const PAUSE_MS = 180
/** A search goes through at most this many pages until it shows what it has and waits to be continued. */
const PAGES_AT_ONCE = 10
/** With several words the page itself compares the text, as far as lists contain it. */
const COMPARED_TEXT_BYTES = 16_384

/** A search of the service over the whole inbox. */
export class Search {
  text = ''
  /** The emails found; undefined while the field is empty. */
  emails: Email[] | undefined
  problem: ApiProblem | undefined
  isBusy = false
  readonly #list: MailSource['list']
  readonly #changed: () => void
  #cursor: string | null = null
  /** The text that `emails` was found for. */
  #foundText = ''
  #request: AbortController | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(list: MailSource['list'], changed: () => void) {
    this.#list = list
    this.#changed = changed
  }

  get more(): boolean {
    return this.#cursor !== null
  }

  /** Replaces the text of the search field. */
  type(text: string): void {
    this.text = text
    this.#request?.abort()
    clearTimeout(this.#timer)
    this.problem = undefined
    if (text.trim() === '') {
      this.emails = undefined
      this.isBusy = false
    } else {
      this.emails ??= []
      this.isBusy = true
      this.#timer = setTimeout(() => this.#find({}), PAUSE_MS)
    }
    this.#changed()
  }

  /** Searches again: an email has arrived that may match. */
  renew(): void {
    if (this.emails !== undefined) void this.#find({})
  }

  /** Sends the request again that failed. */
  async retry(): Promise<void> {
    await this.#find({})
  }

  async older(): Promise<void> {
    if (this.#cursor !== null && !this.isBusy) await this.#find({ cursor: this.#cursor })
  }

  /** Removes emails that no longer exist. Returns whether there were any. */
  drop(isGone: (email: Email) => boolean): boolean {
    const kept = this.emails?.filter((email) => !isGone(email))
    if (kept?.length === this.emails?.length) return false
    this.emails = kept
    return true
  }

  async #find(from: { cursor?: string }): Promise<void> {
    this.#request?.abort()
    const request = new AbortController()
    this.#request = request
    this.isBusy = true
    try {
      const found = await this.#pages(from, request.signal)
      if (request.signal.aborted) return
      const earlier = from.cursor === undefined ? [] : (this.emails ?? [])
      this.emails = newestFirst([...earlier, ...found.emails])
      this.#cursor = found.next_cursor
      this.#foundText = this.text
      this.problem = undefined
    } catch (error) {
      if (request.signal.aborted) return
      this.problem = asProblem(error)
      // Emails that were found for another text do not answer this one.
      if (this.text !== this.#foundText) this.emails = []
    }
    this.isBusy = false
    this.#changed()
  }

  /** In a large inbox a page may contain nothing that matches and yet say where to continue. */
  async #pages(from: { cursor?: string }, signal: AbortSignal): Promise<Page> {
    const query = parseQuery(this.text)
    const filter = queryParameters(query)
    const text = comparesText(query) ? { text: COMPARED_TEXT_BYTES } : {}
    let cursor: string | null | undefined = from.cursor
    let found: Email[] = []
    for (let i = 0; i < PAGES_AT_ONCE && cursor !== null && found.length === 0; i++) {
      const page: Page = await this.#list({ filter, ...text, ...(cursor && { cursor }) }, signal)
      found = page.emails.filter((email) => containsWords(query, email))
      cursor = page.next_cursor
    }
    return { emails: found, next_cursor: cursor ?? null }
  }
}
