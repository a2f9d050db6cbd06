import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Azure's host, which its virtual machines reach by an address that looks public
 * (learn.microsoft.com, "What is IP address 168.63.129.16?").
 */
const AZURE_HOST = '168.63.129.16'
/** The metadata of AWS instances, which looks like an address of a private network. */
const AWS_METADATA = 'fd00:ec2::254'

/**
 * Whether an address is on the public internet. All others lead into a private network, directly or
 * by a translation: private, shared (CGNAT), link-local with the metadata of clouds, loopback,
 * multicast, NAT64, 6to4, Teredo, and IPv4 inside IPv6 in every notation.
 */
export function isPublic(address: string): boolean {
  const parsed = parse(address)
  if (parsed?.range() !== 'unicast') return false
  if (parsed.kind() === 'ipv4') return parsed.toString() !== AZURE_HOST
  // Global unicast is 2000::/3 (RFC 4291, section 2.4), which `200::1` is not in.
  return /^[23]\w{3}:/.test(parsed.toNormalizedString())
}

/** Whether an address belongs to a private network (RFC 1918, RFC 4193). */
export function isPrivateNetwork(address: string): boolean {
  const parsed = parse(address)
  if (parsed === undefined || parsed.toString() === AWS_METADATA) return false
  return ['private', 'uniqueLocal'].includes(parsed.range())
}

/** Undefined for a text that is no IP address, or has a zone. */
function parse(address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  // The library also takes short forms, such as 1.2.3.
  if (isIP(address) === 0 || address.includes('%')) return undefined
  // Turns an IPv4-mapped address into the IPv4 address.
  return ipaddr.process(address)
}
