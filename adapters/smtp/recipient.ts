import { acceptedRecipient } from '../../core/access/accepted-address.ts'
import type { Domain } from '../../core/access/ports.ts'
import {
  canonicalDomain,
  domainFault,
  domainPart,
  localPartFault,
  needsSmtpUtf8,
} from '../../core/address.ts'
import { type Fault, faultOf, UnknownFaultError } from '../../core/inbox/faults.ts'
import type { SmtpOptions } from './options.ts'
import { Refusal } from './refusal.ts'

type RecipientOptions = Pick<SmtpOptions, 'domains' | 'postmasterDomain' | 'unknownDomainHint'>

/** An address that accepts mail, in its canonical form, with its domain. */
export interface Recipient {
  address: string
  domain: Domain
}

/**
 * Returns the recipient that an address of RCPT names.
 * @param isUtf8 whether MAIL announced SMTPUTF8
 * @throws Refusal for an address that does not accept mail
 */
export async function acceptRecipient(
  { domains, postmasterDomain, unknownDomainHint }: RecipientOptions,
  text: string,
  isUtf8: boolean,
): Promise<Recipient> {
  checkSmtpUtf8(text, isUtf8)
  const isPostmaster = text.toLowerCase() === 'postmaster'
  const own = isPostmaster ? await lookUp(async () => postmasterDomain?.()) : undefined
  const whole = own === undefined ? text : `${text}@${own}`
  const found = await lookUp(() => acceptedRecipient(domains, whole))
  const name = found?.domain ?? canonicalDomain(domainPart(whole))
  if (name === undefined) {
    throw new Refusal(553, `5.1.3 The domain of the address ${domainFault(whole)}`)
  }
  const domain = await lookUp(() => domains.find(name))
  if (domain === undefined) {
    const refusal = '5.1.2 This service does not accept mail for that domain'
    throw new Refusal(550, unknownDomainHint === undefined ? refusal : `${refusal}. ${unknownDomainHint}`)
  }
  if (found === undefined) {
    throw new Refusal(553, `5.1.3 The local part of the address ${localPartFault(whole)}`)
  }
  return { address: found.address, domain }
}

/** @throws Refusal for an address of MAIL or RCPT that needs SMTPUTF8, if MAIL has not announced it (RFC 6531) */
export function checkSmtpUtf8(address: string, isUtf8: boolean): void {
  if (isUtf8 || !needsSmtpUtf8(address)) return
  throw new Refusal(553, '5.6.7 The address is not ASCII, so MAIL FROM needs the parameter SMTPUTF8')
}

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

async function lookUp<T>(find: () => Promise<T>): Promise<T> {
  try {
    return await find()
  } catch {
    throw new Refusal(451, '4.3.0 The domain could not be looked up, try again')
  }
}
