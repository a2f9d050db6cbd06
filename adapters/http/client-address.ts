import type { IncomingMessage } from 'node:http'
import { type BlockList, isIP, isIPv6 } from 'node:net'

/**
 * The client's address on a Node server: the TCP peer, or, where the peer is a trusted proxy, the last address
 * in X-Forwarded-For that no trusted proxy has. What stands left of that one anybody can have written.
 */
export function nodeClientAddress(trusted: BlockList): (incoming: IncomingMessage) => string {
  const trustsNobody = trusted.rules.length === 0
  return ({ socket, headers }) => {
    let address = plain(socket.remoteAddress ?? '')
    if (trustsNobody) return address
    const forwarded = String(headers['x-forwarded-for'] ?? '')
      .split(',')
      .map((part) => plain(part.trim()))
    while (isTrusted(trusted, address)) {
      const previous = forwarded.pop()
      if (previous === undefined || isIP(previous) === 0) break
      address = previous
    }
    return address
  }
}

function isTrusted(trusted: BlockList, address: string): boolean {
  return isIP(address) !== 0 && trusted.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

/** IPv4 without its IPv6 wrapping, as a dual-stack listener reports it. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}
