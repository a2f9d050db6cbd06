/** The one time-out of a whole call, whatever number of requests it makes, and the caller's own signal. */
export class Deadline {
  readonly #caller: AbortSignal | undefined
  readonly #began = performance.now()
  readonly #ms: number

  constructor(ms: number, caller?: AbortSignal) {
    if (!(ms >= 0)) throw new TypeError(`A time-out is a number of milliseconds from 0, not ${ms}.`)
    this.#ms = ms
    this.#caller = caller
    this.check()
  }

  get waited(): number {
    return performance.now() - this.#began
  }

  get left(): number {
    return Math.max(0, this.#ms - this.waited)
  }

  /** Throws the reason that the caller gave, when the caller has given up. */
  check(): void {
    this.#caller?.throwIfAborted()
  }

  /** Fires when the caller gives up, after `ms`, and when the time is over. */
  signal(ms = Number.POSITIVE_INFINITY): AbortSignal {
    // A timer may fire a little early; when this one has, no time is left.
    const timeout = AbortSignal.timeout(Math.ceil(Math.min(ms, this.left, MOST_MS)) + 2)
    return this.#caller === undefined ? timeout : AbortSignal.any([this.#caller, timeout])
  }

  /** Sleeps so long, or as long as there is time. @throws the caller's reason */
  async sleep(ms: number): Promise<void> {
    this.check()
    let wake: (() => void) | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    await new Promise<void>((resolve) => {
      wake = () => resolve()
      timer = setTimeout(wake, Math.min(ms, this.left))
      this.#caller?.addEventListener('abort', wake)
    })
    clearTimeout(timer)
    this.#caller?.removeEventListener('abort', wake!)
    this.check()
  }
}

/** The most that a timer takes. */
const MOST_MS = 2 ** 31 - 10
