import { BlockList, isIPv4, isIPv6 } from 'node:net'

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

/** Whether a client is on this machine: a program of its user, or a proxy in front. */
export function isLoopbackClient(ip: string): boolean {
  return LOOPBACK.check(ip, isIPv6(ip) ? 'ipv6' : 'ipv4')
}

/**
 * The network that a client address stands for in quotas: an IPv4 address itself, of an IPv6 address the /64,
 * since one subscriber holds a whole one (RFC 6177). IPv4 inside IPv6 (`::ffff:1.2.3.4`) counts as IPv4.
 */
export function clientNetwork(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)
  if (mapped) return mapped[1]!
  if (isIPv4(ip) || !isIPv6(ip)) return ip
  const [head = '', tail] = ip.replace(/%.*$/, '').toLowerCase().split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length - (tail.includes('.') ? 1 : 0)
  const groups = [...left, ...Array<string>(Math.max(zeros, 0)).fill('0'), ...right]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
