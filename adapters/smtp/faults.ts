import { type Fault, faultOf, UnknownFaultError } from '../../core/inbox/faults.ts'
import { Refusal } from './refusal.ts'

/**
 * The fault that a recipient requests, undefined if it requests none.
 * @throws Refusal 553 for an unknown fault
 */
export function recipientFault(address: string): Fault | undefined {
  try {
    return faultOf(address)
  } catch (error) {
    if (error instanceof UnknownFaultError) throw new Refusal(553, `5.1.3 ${error.message}`)
    throw error
  }
}

/** The refusal for a reply code that an address requests. */
export function refusalOnDemand(code: number): Refusal {
  return new Refusal(code, `${Math.floor(code / 100)}.0.0 A fault, as this address requests`)
}
