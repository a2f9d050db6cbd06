/**
 * A fault that an address requests by a tag that begins with `smtp.` (docs/contract.md, "Faults on
 * demand"). Tests of senders get their errors in parallel, because no global switch exists.
 */
export interface Fault {
  /** `data`: after the message, otherwise at RCPT. */
  at: 'rcpt' | 'data'
  does: { reply: number } | { delayMs: number } | 'drop'
  /** Number of attempts that fail. Later ones are accepted, as with greylisting. */
  times: number
}

/** A tag that begins with `smtp.` and names no fault. The message lists the faults that exist. */
export class UnknownFaultError extends Error {
  constructor() {
    super(
      'Unknown fault. The faults are smtp.451, smtp.451x2, smtp.data.451, smtp.delay.5 (at most 60) and smtp.drop',
    )
    this.name = 'UnknownFaultError'
  }
}

const FAULT = /^(?:(data\.)?(421|450|451|452|550|552|554)(?:x([1-9]\d{0,2}))?|delay\.(\d{1,2})|(drop))$/
const DELAY_MAX_SECONDS = 60
/**
 * Addresses whose attempts are counted. Above it the address that was tried least recently is
 * dropped.
 */
const COUNTED_MAX = 10_000

/**
 * The fault that a valid address requests, undefined if it requests none.
 * @throws UnknownFaultError
 */
export function faultOf(address: string): Fault | undefined {
  const [, tag] = /^[^+@]*\+smtp\.([^@]*)@/i.exec(address) ?? []
  if (tag === undefined) return undefined
  const [, data, reply, times, delay, drop] = FAULT.exec(tag.toLowerCase()) ?? []
  const at = data === undefined && drop === undefined ? 'rcpt' : 'data'
  if (reply !== undefined) {
    return { at, does: { reply: Number(reply) }, times: times === undefined ? Infinity : Number(times) }
  }
  if (drop !== undefined) return { at, does: 'drop', times: Infinity }
  if (delay !== undefined && Number(delay) <= DELAY_MAX_SECONDS) {
    return { at, does: { delayMs: Number(delay) * 1000 }, times: Infinity }
  }
  throw new UnknownFaultError()
}

/** Counts the attempts for each address, so that a fault with a number ends. */
export class FaultAttempts {
  readonly #counts = new Map<string, number>()

  /** Counts one attempt and returns whether the fault applies to it. */
  isDue(address: string, { times }: Fault): boolean {
    if (times === Infinity) return true
    const key = address.toLowerCase()
    const count = (this.#counts.get(key) ?? 0) + 1
    this.#counts.delete(key)
    this.#counts.set(key, count)
    if (this.#counts.size > COUNTED_MAX) this.#counts.delete(this.#counts.keys().next().value!)
    return count <= times
  }
}
