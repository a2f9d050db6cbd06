import type { IncomingMessage } from 'node:http'
import { type BlockList, isIP, isIPv6 } from 'node:net'

/**
 * The client's address on a Node server: the TCP peer, or, where the peer is a trusted proxy, the
 * last address in X-Forwarded-For that is not a trusted proxy's. The addresses before it could come
 * from any client.
 */
export function nodeClientAddress(trusted: BlockList): (incoming: IncomingMessage) => string {
  return ({ socket, headers }) => {
    let address = plain(socket.remoteAddress ?? '')
    const forwarded = String(headers['x-forwarded-for'] ?? '').split(',')
    while (isAmong(trusted, address)) {
      const previous = plain(withoutPort(forwarded.pop()?.trim() ?? ''))
      if (isIP(previous) === 0) break
      address = previous
    }
    return address
  }
}

/** Whether the text is an IP address of the list. */
export function isAmong(list: BlockList, address: string): boolean {
  return list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

/**
 * Some proxies (Azure, for one) add the port of the client: `192.0.2.1:4711`, `[2001:db8::1]:4711`.
 */
function withoutPort(address: string): string {
  return address.replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1').replace(/^\[(.*)\](?::\d+)?$/, '$1')
}

/** IPv4 without its IPv6 wrapping, as a dual-stack listener reports it. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}
