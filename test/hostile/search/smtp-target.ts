import { once } from 'node:events'
import { connect } from 'node:net'
import { createSmtpListener } from '../../../adapters/smtp/listener.ts'
import { collect, DOMAINS } from '../../adapters/smtp/setup.ts'
import type { Target } from './target.ts'

const MAIL = 'MAIL FROM:<a@b.example>\r\n'
const RCPT = 'RCPT TO:<a@mayfly.test>\r\n'
const DATA = `${MAIL}${RCPT}DATA\r\n`
const END = '\r\n.\r\nQUIT\r\n'

/** Sessions with a listener on loopback: commands, their arguments, and data. Each run is one connection. */
export async function smtpTarget(): Promise<Target> {
  const { port, stop } = await createSmtpListener({
    hosts: ['127.0.0.1'],
    port: 0,
    domains: DOMAINS,
    maxBytes: 10_000_000,
    faults: true,
    log: () => {},
    deliver: async (_envelope, message) => {
      await collect(message)
      return ['x']
    },
    // The first byte comes at once, and each connection would wait for it.
    limits: { firstByteMs: 1 },
  })
  return {
    frames: [
      (text) => text,
      (text) => `${MAIL}${text}`,
      (text) => `${MAIL}${RCPT}${text}`,
      (text) => `${DATA}${text}`,
      (text) => `MAIL FROM:<${text}>\r\nRCPT TO:<a@mayfly.test>\r\n`,
      (text) => `MAIL FROM:<a@b.example> ${text}\r\n`,
      (text) => `${MAIL}RCPT TO:<${text}>\r\nRCPT TO:<${text}@mayfly.test>\r\n`,
      (text) => `${MAIL}RCPT TO:<a@mayfly.test> ${text}\r\n`,
    ],
    async run(text) {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => {}).resume()
      socket.end(`EHLO x.example\r\n${text}${END}`)
      await once(socket, 'close')
    },
    most: 12,
    sizes: [4_000, 60_000, 250_000],
    plain: (text) => `${DATA}${text}`,
    close: () => stop(0),
  }
}
