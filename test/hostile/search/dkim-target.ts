import { Authentication } from '../../../adapters/smtp/authentication.ts'
import { startDns } from '../../support/dns-server.ts'
import type { Target } from './target.ts'

const SIGNATURE =
  'DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=a.example; s=s; h=from; bh=AAAA; b=AAAA\r\n'
/** Ten of them, for each form in which a body is hashed. */
const TEN = Array.from({ length: 10 }, (_, n) =>
  SIGNATURE.replace('a.example', `a${n}.example`).replaceAll('relaxed', n % 2 === 0 ? 'relaxed' : 'simple'),
).join('')
const MULTIPART = 'Content-Type: multipart/mixed; boundary=-----------------------------\r\n'
const FROM = 'From: a@b.example\r\n'

/** Checks signatures with a DNS server on loopback. */
export async function dkimTarget(): Promise<Target> {
  const dns = await startDns()
  const authentication = new Authentication({ name: 'mx.example', dnsServers: [dns.address] })
  const sender = { address: '192.0.2.1', helo: 'x.example', mailFrom: 'a@b.example' }
  return {
    frames: [
      (text) => `${SIGNATURE}${FROM}\r\n${text}`,
      (text) => `${SIGNATURE.replaceAll('relaxed', 'simple')}${FROM}\r\n${text}`,
      (text) => `${TEN}${FROM}\r\n${text}`,
      (text) => `${TEN}${MULTIPART}${FROM}\r\n${text}`,
      (text) => `${FROM}${text}`,
      (text) =>
        `DKIM-Signature: v=1; a=rsa-sha256; d=a.example; s=s; h=from; bh=AAAA; ${text}; b=AAAA\r\n${FROM}\r\nx`,
      (text) => `From: ${text}\r\n\r\nx`,
    ],
    async run(text) {
      const message = async function* () {
        yield Buffer.from(text)
      }
      await authentication.check(message(), sender)
    },
    // Twice the CPU of a message without a signature; a header costs ten times its body, and has 64 KB.
    most: 4,
    sizes: [1_000_000],
    plain: (text) => `${FROM}\r\n${text}`,
    close: () => dns.close(),
  }
}
