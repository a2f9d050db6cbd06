import {
  type Address,
  canonicalAddress,
  canonicalDomain,
  domainFault,
  domainPart,
  localPartFault,
} from '../address.ts'
import { Problem } from '../errors.ts'
import { CATCH_ALL } from './catch-all.ts'
import type { Domains } from './ports.ts'

/** The domain of a recipient without one, which cron and many defaults of programs send to. */
const LOCAL_DOMAIN = 'localhost'

type Found = Pick<Domains, 'find'>

/**
 * Returns the canonical form of an address that this service can have; undefined for every other
 * text. The domain need not be registered.
 */
export async function acceptedAddress(domains: Found, text: string): Promise<Address | undefined> {
  const address = canonicalAddress(text)
  return address?.isUnusual && !(await acceptsEveryDomain(domains)) ? undefined : address
}

/**
 * Does the same for an envelope recipient. If the service accepts mail for every domain, a
 * recipient without a domain is one at localhost.
 */
export async function acceptedRecipient(domains: Found, text: string): Promise<Address | undefined> {
  const isLocal = !text.includes('@') && (await acceptsEveryDomain(domains))
  return acceptedAddress(domains, isLocal ? `${text}@${LOCAL_DOMAIN}` : text)
}

/**
 * Does the same for the address of a request.
 * @throws Problem `invalid_address`
 */
export async function requestedAddress(domains: Found, text: string): Promise<Address> {
  const address = await acceptedAddress(domains, text)
  if (address !== undefined) return address
  const fault = text.includes('@') ? `${faultOf(text)}. ` : ''
  throw new Problem(
    'invalid_address',
    `${fault}Give a complete address such as bot42@example.com. In a path it is percent-encoded.`,
  )
}

/** Returns the rule that an address breaks which is not accepted. */
function faultOf(text: string): string {
  const domain = canonicalDomain(domainPart(text))
  const isOneLabel = domain?.includes('.') === false && canonicalAddress(text) !== undefined
  return domain === undefined || isOneLabel
    ? `The domain of the address ${domainFault(text)}`
    : `The local part of the address ${localPartFault(text)}`
}

async function acceptsEveryDomain(domains: Found): Promise<boolean> {
  return (await domains.find(CATCH_ALL)) !== undefined
}
