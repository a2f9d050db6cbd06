import type { IncomingMessage } from 'node:http'
import { BlockList } from 'node:net'
import { expect, test } from '@jest/globals'
import { nodeClientAddress } from '../../../adapters/http/client-address.ts'

const PROXIES = new BlockList()
PROXIES.addSubnet('10.0.0.0', 8, 'ipv4')
PROXIES.addAddress('fd00::1', 'ipv6')

function clientOf(trusted: BlockList, remoteAddress: string | undefined, forwarded?: string): string {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  return nodeClientAddress(trusted)({ socket: { remoteAddress }, headers } as unknown as IncomingMessage)
}

test.each([
  ['no proxy', '192.0.2.1', undefined, '192.0.2.1'],
  ['a client that claims another address', '192.0.2.1', '198.51.100.1', '192.0.2.1'],
  ['a proxy', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
  [
    'a proxy, after an address that the client claims',
    '10.0.0.1',
    '203.0.113.9, 198.51.100.1',
    '198.51.100.1',
  ],
  ['a proxy that adds the port', '10.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
  ['a proxy that adds the port to IPv6', '10.0.0.1', '[2001:db8::1]:4711', '2001:db8::1'],
  ['a proxy with IPv6 in brackets', '10.0.0.1', '[2001:db8::1]', '2001:db8::1'],
  ['an invalid port', '10.0.0.1', '198.51.100.1:x', '10.0.0.1'],
  ['a proxy with a port after IPv4 inside of IPv6', '10.0.0.1', '::ffff:198.51.100.1:4711', '10.0.0.1'],
  ['brackets at the end of an address', '10.0.0.1', '2001:db8:[:1]', '10.0.0.1'],
  ['brackets at the start of an address', '10.0.0.1', '[2001:db8::]1', '10.0.0.1'],
  ['two proxies', 'fd00::1', '203.0.113.9,198.51.100.1 ,10.1.1.1', '198.51.100.1'],
  ['only proxies', '10.0.0.1', '10.0.0.2, 10.0.0.3', '10.0.0.2'],
  ['a proxy that names no client', '10.0.0.1', undefined, '10.0.0.1'],
  ['a proxy that forwards an invalid address', '10.0.0.1', '198.51.100.1, unknown', '10.0.0.1'],
  ['a dual-stack listener', '::ffff:10.0.0.1', '::FFFF:198.51.100.1', '198.51.100.1'],
  ['IPv4 inside of IPv6, in hexadecimal digits', '10.0.0.1', '::ffff:c633:6401', '::ffff:c633:6401'],
  ['an IPv6 address with the same end', '2001:db8::ffff:10.0.0.1', '198.51.100.1', '2001:db8::ffff:10.0.0.1'],
  ['a closed connection', undefined, '198.51.100.1', ''],
])('%s', (_name, peer, forwarded, client) => {
  expect(clientOf(PROXIES, peer, forwarded)).toBe(client)
})

test('without a trusted proxy it is the address of the peer', () => {
  expect(clientOf(new BlockList(), '::ffff:10.0.0.1', '198.51.100.1')).toBe('10.0.0.1')
})
