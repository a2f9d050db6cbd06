/**
 * This module is loaded into each function before its code, which stays unchanged: that code checks
 * a public address and connects to it. Tests may not reach the internet, so this machine answers
 * instead.
 */
import { PUBLIC_ADDRESS } from './open-internet.ts'

type Connect = (this: object, request: object, address: string, port: number) => number

// Every connection passes here with its address, whatever its client and protocol.
const { binding } = process as unknown as {
  binding(name: string): { TCP: { prototype: Record<string, Connect> } }
}
const tcp = binding('tcp_wrap').TCP.prototype
const { connect, connect6 } = tcp as Record<'connect' | 'connect6', Connect>
tcp.connect6 = function (request, address, port) {
  if (address !== PUBLIC_ADDRESS) return connect6.call(this, request, address, port)
  return connect.call(this, request, '127.0.0.1', port)
}
