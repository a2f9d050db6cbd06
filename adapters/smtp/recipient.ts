import type { Domain, Domains } from '../../core/access/ports.ts'
import { parseAddress, parseDomain } from '../../core/address.ts'
import { Refusal } from './refusal.ts'

/** Returns the domain of a recipient. @throws Refusal for an address that does not accept mail */
export async function acceptRecipient(domains: Pick<Domains, 'find'>, address: string): Promise<Domain> {
  const at = address.lastIndexOf('@')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern is all of ASCII
  if (!/^[\x00-\x7f]*$/.test(address.slice(0, Math.max(at, 0)))) {
    throw new Refusal(553, '5.6.7 The local part of an address must be ASCII')
  }
  const domain = await registration(domains, address.slice(at + 1))
  if (domain === undefined) throw new Refusal(550, '5.1.2 This service does not accept mail for that domain')
  if (!isValid(() => parseAddress(address))) {
    throw new Refusal(553, '5.1.3 The local part of the address is not valid')
  }
  return domain
}

async function registration(domains: Pick<Domains, 'find'>, name: string): Promise<Domain | undefined> {
  if (!isValid(() => parseDomain(name))) return undefined
  try {
    return await domains.find(parseDomain(name))
  } catch {
    throw new Refusal(451, '4.3.0 The domain could not be looked up, try again')
  }
}

function isValid(parse: () => unknown): boolean {
  try {
    parse()
    return true
  } catch {
    return false
  }
}
