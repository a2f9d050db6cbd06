import { SEND_REQUESTS_WAITING } from '../../core/limits.ts'
import { SendError } from './send-error.ts'

/**
 * Bounds the bytes that all requests of the send APIs hold at once. Requests wait in the order of
 * arrival.
 */
export class ByteBudget {
  #free: number
  readonly #waiting: { bytes: number; start: () => void }[] = []

  constructor(bytes: number) {
    this.#free = bytes
  }

  /**
   * Waits until `bytes` are free and returns the function that frees them again.
   * @throws SendError `throttled` if too many requests wait already
   */
  async take(bytes: number): Promise<() => void> {
    if (this.#waiting.length > 0 || this.#free < bytes) {
      if (this.#waiting.length >= SEND_REQUESTS_WAITING) {
        throw new SendError('throttled', 'Too many requests at once. Try again later.')
      }
      await new Promise<void>((start) => this.#waiting.push({ bytes, start }))
    } else this.#free -= bytes
    let isHeld = true
    return () => {
      if (isHeld) this.#free += bytes
      isHeld = false
      this.#startWaiting()
    }
  }

  #startWaiting(): void {
    for (
      let next = this.#waiting[0];
      next !== undefined && next.bytes <= this.#free;
      next = this.#waiting[0]
    ) {
      this.#waiting.shift()
      this.#free -= next.bytes
      next.start()
    }
  }
}
