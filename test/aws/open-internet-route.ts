/**
 * Loaded into each function before its code, of which nothing changes: that code judges a public address and calls it. In
 * place of the open internet, which no test may reach, this machine answers.
 */
import { PUBLIC_ADDRESS } from './open-internet.ts'

type Connect = (this: object, request: object, address: string, port: number) => number

// Where an address is handed to the system, whoever connects and by whichever protocol.
const { binding } = process as unknown as {
  binding(name: string): { TCP: { prototype: Record<string, Connect> } }
}
const tcp = binding('tcp_wrap').TCP.prototype
const { connect, connect6 } = tcp as Record<'connect' | 'connect6', Connect>
tcp.connect6 = function (request, address, port) {
  if (address !== PUBLIC_ADDRESS) return connect6.call(this, request, address, port)
  return connect.call(this, request, '127.0.0.1', port)
}
