import { Refusal } from './refusal.ts'

/**
 * What an address asks for by a tag that begins with `smtp.` (contract: Faults on demand), so that tests of senders
 * see their errors without a switch that others see too.
 */
export interface Fault {
  /** `data`: after the message, otherwise at RCPT. */
  at: 'rcpt' | 'data'
  does: { reply: number } | { delayMs: number } | 'drop'
  /** How many tries it spoils; then mail is accepted, as greylisting does. */
  times: number
}

const FAULT = /^(?:(data\.)?(421|450|451|452|550|552|554)(?:x([1-9]\d{0,2}))?|delay\.(\d{1,2})|(drop))$/
const DELAY_MAX_SECONDS = 60
/** Addresses whose tries are counted; the oldest ones are forgotten. */
const COUNTED_MAX = 10_000

/**
 * The fault that a valid address asks for, undefined when it asks for none.
 * @throws Refusal for a tag that is no fault that there is
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
  throw new Refusal(
    553,
    '5.1.3 No such fault: smtp.451, smtp.451x2, smtp.data.451, smtp.delay.5 (at most 60) and smtp.drop are what there is',
  )
}

/** The refusal for a reply code that was asked for. */
export function refusalOnDemand(code: number): Refusal {
  return new Refusal(code, `${Math.floor(code / 100)}.0.0 A fault, as this address asks for`)
}

/** How often each address was tried. */
export class Tries {
  readonly #counts = new Map<string, number>()

  /** Counts a try. Whether the fault is to happen this time. */
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
