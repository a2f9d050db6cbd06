/**
 * Hands bytes over to one reader. `push` resolves when the reader has finished with the bytes, or
 * takes no more, so the writer is never more than one chunk ahead.
 */
export class Channel implements AsyncIterable<Uint8Array> {
  #waiting: Uint8Array | undefined
  #taken: (() => void) | undefined
  #wake: (() => void) | undefined
  #state: 'open' | 'ended' | 'closed' | { error: unknown } = 'open'

  push(bytes: Uint8Array): Promise<void> | undefined {
    if (bytes.length === 0 || this.#state !== 'open') return undefined
    this.#waiting = bytes
    const taken = new Promise<void>((resolve) => {
      this.#taken = resolve
    })
    this.#wake?.()
    return taken
  }

  /** Ends the bytes; the reader has received all of them. */
  end(): void {
    this.#finish('ended')
  }

  /** Makes the reader fail with this error instead of reaching an end. */
  fail(error: unknown): void {
    this.#finish({ error })
  }

  /** Releases the writer: the reader takes no more bytes. */
  close(): void {
    this.#finish('closed')
    this.#waiting = undefined
    this.#taken?.()
  }

  #finish(state: 'ended' | 'closed' | { error: unknown }): void {
    if (this.#state === 'open') this.#state = state
    this.#wake?.()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        if (this.#waiting !== undefined) {
          const bytes = this.#waiting
          this.#waiting = undefined
          yield bytes
          // A reader that asks for the next chunk has finished with this one.
          this.#taken?.()
        } else if (typeof this.#state === 'object') {
          throw this.#state.error
        } else if (this.#state !== 'open') {
          return
        } else {
          await new Promise<void>((resolve) => {
            this.#wake = resolve
          })
        }
      }
    } finally {
      this.close()
    }
  }
}
