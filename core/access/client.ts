import { BlockList, isIPv4, isIPv6, SocketAddress } from 'node:net'

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

/** Whether an IP address is of this machine. As a client it is a program of its user, or a proxy in front. */
export function isLoopback(ip: string): boolean {
  return LOOPBACK.check(ip, isIPv6(ip) ? 'ipv6' : 'ipv4')
}

/**
 * The network that a client address stands for in quotas: an IPv4 address itself, of an IPv6 address the /64,
 * since one subscriber holds a whole one (RFC 6177). IPv4 inside IPv6 (`::ffff:1.2.3.4`, however it is written)
 * counts as IPv4.
 */
export function clientNetwork(ip: string): string {
  if (!isIPv6(ip)) return ip
  // In its one canonical form; without the zone, which not every system knows.
  const { address } = new SocketAddress({ address: ip.replace(/%.*/, ''), family: 'ipv6' })
  const mapped = address.replace('::ffff:', '')
  if (isIPv4(mapped)) return mapped
  const [left = [], right = []] = address.split('::').map((half) => (half === '' ? [] : half.split(':')))
  const zeros = Array<string>(8 - left.length - right.length).fill('0')
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`
}
