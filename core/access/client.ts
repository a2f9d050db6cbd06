import { BlockList, isIPv4, isIPv6, SocketAddress } from 'node:net'

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

/** Whether the IP address is a loopback address: a program of this machine, or a proxy on it. */
export function isLoopback(ip: string): boolean {
  // Nearly all loopback connections, and each mail asks several times.
  if (ip === '127.0.0.1' || ip === '::1') return true
  return LOOPBACK.check(ip, isIPv6(ip) ? 'ipv6' : 'ipv4')
}

/**
 * Returns the network that counts as one client in quotas: an IPv4 address, or the /64 of an IPv6
 * address, because one subscriber has a whole /64 (RFC 6177). IPv4 inside IPv6 (`::ffff:1.2.3.4`)
 * counts as IPv4.
 */
export function clientNetwork(ip: string): string {
  // Without a colon it is no IPv6 address; the expression of isIPv6 costs each mail more.
  if (!ip.includes(':') || !isIPv6(ip)) return ip
  // The canonical form, without the zone, which only some systems know.
  const { address } = new SocketAddress({ address: ip.replace(/%.*/, ''), family: 'ipv6' })
  const mapped = address.replace('::ffff:', '')
  if (isIPv4(mapped)) return mapped
  const [left = [], right = []] = address.split('::').map((half) => (half === '' ? [] : half.split(':')))
  const zeros = Array<string>(8 - left.length - right.length).fill('0')
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`
}
