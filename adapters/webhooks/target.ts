import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { isLoopback } from '../../core/access/client.ts'
import { isPrivateNetwork, isPublic } from './addresses.ts'

/** Why a target is not called, in words for the webhook's owner. */
export class TargetError extends Error {}

/** The name of the target does not resolve, which may change. */
export class NoAddressError extends TargetError {}

/** Resolves with every address of a name, or rejects. */
export type Lookup = (host: string) => Promise<{ address: string; family: number }[]>

export const systemLookup: Lookup = (host) => lookup(host, { all: true })

export interface Target {
  url: URL
  /** The address to connect to, which was checked. */
  address: string
  family: 4 | 6
}

export interface TargetRules {
  /** Allows http and addresses of this machine. For a service that only its own user can call. */
  loopback: boolean
  /** Allows http. */
  http?: boolean
  /** Allows addresses of private networks. */
  privateNetwork?: boolean
}

/**
 * The URL, if it is one that may be called at all.
 * @throws TargetError
 */
export function targetUrl(text: string, { loopback, http = loopback }: TargetRules): URL {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    throw new TargetError('The target is not an absolute URL.')
  }
  if (url.protocol !== 'https:' && !(http && url.protocol === 'http:')) {
    throw new TargetError(`The target must be an ${http ? 'http or https' : 'https'} URL.`)
  }
  if (url.username !== '' || url.password !== '')
    throw new TargetError('The target must not contain a user name or password.')
  return url
}

/**
 * Resolves the target's name once and checks every address.
 * @throws TargetError when it has no address, or any address that may not be called
 */
export async function resolveTarget(text: string, rules: TargetRules, lookup: Lookup): Promise<Target> {
  const url = targetUrl(text, rules)
  // A URL's host is canonical already: `0x7f.1` and `2130706433` have become 127.0.0.1.
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const found = isIP(host) ? [{ address: host, family: isIP(host) }] : await addressesOf(host, lookup)
  // One private address among public ones is an attack or a mistake, so none of them is called.
  const refused = found.find(({ address }) => !isAllowed(address, rules))
  if (refused !== undefined) throw new TargetError('The target is not on the public internet.')
  const { address, family } = found[0]!
  return { url, address, family: family === 6 ? 6 : 4 }
}

function isAllowed(address: string, { loopback, privateNetwork = false }: TargetRules): boolean {
  return (
    isPublic(address) || (loopback && isLoopback(address)) || (privateNetwork && isPrivateNetwork(address))
  )
}

async function addressesOf(host: string, lookup: Lookup): Promise<{ address: string; family: number }[]> {
  try {
    const found = await lookup(host)
    if (found.length > 0) return found
  } catch {
    // Reported below.
  }
  throw new NoAddressError(`${host} was not found (DNS).`)
}
