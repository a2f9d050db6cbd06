import { setTimeout as sleep } from 'node:timers/promises'
import { SECOND_MS } from '../core/limits.ts'

const RECONNECT_MS = SECOND_MS
/** The stream sends every mail of the address, also one that is stored before the stream is open. */
const BEFORE_ALL = '0'.repeat(26)

/** A stream of one address. It reconnects with the last id, as an EventSource does. */
export class CanaryStream {
  readonly #url: string
  readonly #subject: string
  readonly #ending = new AbortController()
  readonly #arrived = Promise.withResolvers<true>()
  #lastId = BEFORE_ALL
  /** The last answer or error. */
  #seen = 'has not answered yet'

  /** @param subject of the mail that the stream must send */
  constructor(url: string, subject: string) {
    this.#url = url
    this.#subject = subject
    void this.#read()
  }

  /**
   * Resolves when the stream has sent the mail.
   * @throws Error with what the stream did instead, after this time
   */
  async arrivedWithin(ms: number): Promise<void> {
    const signal = this.#ending.signal
    const late = sleep(ms, false, { signal }).catch(() => false)
    if (!(await Promise.race([this.#arrived.promise, late])))
      throw new Error(
        `the API lists the mail, but no stream sent it within ${ms / SECOND_MS} s; it ${this.#seen}`,
      )
  }

  close(): void {
    this.#ending.abort()
  }

  async #read(): Promise<void> {
    const { signal } = this.#ending
    while (!signal.aborted) {
      try {
        await this.#connect(signal)
      } catch (error) {
        this.#seen = `does not answer: ${error}`
      }
      await sleep(RECONNECT_MS, undefined, { signal, ref: false }).catch(() => {})
    }
  }

  async #connect(signal: AbortSignal): Promise<void> {
    const headers = { 'Last-Event-ID': this.#lastId }
    const { ok, status, body } = await fetch(this.#url, { headers, signal })
    this.#seen = ok ? 'sends other events only' : `answers ${status}`
    if (!ok || body === null) return
    let rest = ''
    for await (const text of body.pipeThrough(new TextDecoderStream())) {
      const blocks = (rest + text).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) this.#handle(block)
    }
  }

  #handle(block: string): void {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
    this.#lastId = field('id') ?? this.#lastId
    const data = field('data')
    if (data !== undefined && JSON.parse(data).email?.subject === this.#subject) this.#arrived.resolve(true)
  }
}
