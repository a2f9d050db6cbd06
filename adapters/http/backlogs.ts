import { STREAM_BACKLOGS_BYTES } from '../../core/limits.ts'

/** A stream for which bytes wait. */
export interface Backlogged {
  /** Bytes that wait now. */
  backlog(): number
  /** Whether it took too little for too long. */
  isTooSlow(now: number): boolean
  cut(): void
}

const SWEEP_MS = 1000

/**
 * The streams whose readers have not taken all that they were sent: looked at every second, since nothing else may
 * come for them. Those that are too slow are cut off, and of the others those for which most waits, where it is too
 * much for all together.
 */
export class Backlogs {
  readonly #streams = new Set<Backlogged>()
  #timer: NodeJS.Timeout | undefined

  add(stream: Backlogged): void {
    this.#streams.add(stream)
    this.#timer ??= setInterval(() => this.sweep(performance.now()), SWEEP_MS).unref()
  }

  delete(stream: Backlogged): void {
    this.#streams.delete(stream)
  }

  sweep(now: number): void {
    const waiting: { stream: Backlogged; bytes: number }[] = []
    let total = 0
    for (const stream of this.#streams) {
      const bytes = stream.backlog()
      if (bytes === 0) this.#streams.delete(stream)
      else if (stream.isTooSlow(now)) stream.cut()
      else {
        total += bytes
        waiting.push({ stream, bytes })
      }
    }
    if (total > STREAM_BACKLOGS_BYTES) waiting.sort((a, b) => b.bytes - a.bytes)
    for (const { stream, bytes } of waiting) {
      if (total <= STREAM_BACKLOGS_BYTES) break
      stream.cut()
      total -= bytes
    }
    if (this.#streams.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
