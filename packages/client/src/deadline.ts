/** The time-out of a call with all its requests, combined with the caller's own signal. */
export class Deadline {
  readonly #caller: AbortSignal | undefined
  readonly #startedAt = performance.now()
  readonly #ms: number

  constructor(ms: number, caller?: AbortSignal) {
    this.#ms = ms
    this.#caller = caller
    this.check()
  }

  get waitedMs(): number {
    return performance.now() - this.#startedAt
  }

  get leftMs(): number {
    return Math.max(0, this.#ms - this.waitedMs)
  }

  /** @throws the caller's reason, if the caller has aborted */
  check(): void {
    this.#caller?.throwIfAborted()
  }

  /** Fires when the caller aborts, after `ms`, and at the deadline. */
  signal(ms = Number.POSITIVE_INFINITY): AbortSignal {
    // Timers may fire a little early. When this one has fired, `leftMs` must be 0.
    const timeout = AbortSignal.timeout(Math.ceil(Math.min(ms, this.leftMs, TIMER_MAX_MS)) + 2)
    return this.#caller === undefined ? timeout : AbortSignal.any([this.#caller, timeout])
  }

  /** Sleeps for `ms`, but at most until the deadline. @throws the caller's reason */
  async sleep(ms: number): Promise<void> {
    this.check()
    const { promise, wake } = sleeper()
    const timer = setTimeout(wake, Math.min(ms, this.leftMs, TIMER_MAX_MS))
    this.#caller?.addEventListener('abort', wake)
    await promise
    clearTimeout(timer)
    this.#caller?.removeEventListener('abort', wake)
    this.check()
  }
}

/** Node 20 has no Promise.withResolvers. */
function sleeper(): { promise: Promise<void>; wake: () => void } {
  let wake = () => {}
  const promise = new Promise<void>((resolve) => {
    wake = resolve
  })
  return { promise, wake }
}

/** The longest delay of a timer. */
const TIMER_MAX_MS = 2 ** 31 - 10
