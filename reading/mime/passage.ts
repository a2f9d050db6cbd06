/**
 * Bytes on their way to one reader, which is waited for: `push` resolves when the reader has taken them, or will
 * take no more.
 */
export class Passage implements AsyncIterable<Uint8Array> {
  #waiting: Uint8Array | undefined
  #taken: (() => void) | undefined
  #wake: (() => void) | undefined
  #state: 'open' | 'ended' | 'left' | { failed: unknown } = 'open'

  push(bytes: Uint8Array): Promise<void> | undefined {
    if (bytes.length === 0 || this.#state !== 'open') return undefined
    this.#waiting = bytes
    const taken = new Promise<void>((resolve) => {
      this.#taken = resolve
    })
    this.#rouse()
    return taken
  }

  end(): void {
    this.#finish('ended')
  }

  /** The reader is told that there will be no end. */
  fail(error: unknown): void {
    this.#finish({ failed: error })
  }

  /** The reader has gone; nobody is to wait for it. */
  leave(): void {
    this.#finish('left')
    this.#waiting = undefined
    this.#taken?.()
  }

  #finish(state: 'ended' | 'left' | { failed: unknown }): void {
    if (this.#state === 'open') this.#state = state
    this.#rouse()
  }

  #rouse(): void {
    this.#wake?.()
    this.#wake = undefined
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        if (this.#waiting !== undefined) {
          const bytes = this.#waiting
          this.#waiting = undefined
          yield bytes
          // Only who comes for more has done with what it got.
          this.#taken?.()
        } else if (typeof this.#state === 'object') {
          throw this.#state.failed
        } else if (this.#state !== 'open') {
          return
        } else {
          await new Promise<void>((resolve) => {
            this.#wake = resolve
          })
        }
      }
    } finally {
      this.leave()
    }
  }
}
