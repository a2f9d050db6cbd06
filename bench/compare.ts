/**
 * Compares intake with that of another SMTP server that listens already: `node bench/compare.ts <host>:<port>`.
 * Both get the same mails of 2 KB from the same client (clients/smtp.ts, one command after the other), in turn,
 * five rounds of three seconds each; the medians are printed. Both run meanwhile, so each has what the other one
 * leaves when it is idle.
 */
import { startService } from '../test/support/service.ts'
import type { SmtpLoad, SmtpLoadResult } from './clients/smtp.ts'
import { Client } from './support/calls.ts'
import { median } from './support/quantiles.ts'

const ROUNDS = 5
const CONNECTIONS = [1, 10, 50]

const [host, port] = (process.argv[2] ?? '').split(':')
if (!host || !port) {
  console.error('Usage: node bench/compare.ts <host>:<port>')
  process.exit(2)
}

const service = await startService()
const servers = { mayfly: service.smtp, other: { host, port: Number(port) } }
try {
  for (const connections of CONNECTIONS) {
    const rates = { mayfly: [] as number[], other: [] as number[] }
    for (let round = 0; round < ROUNDS; round++) {
      for (const [name, server] of Object.entries(servers)) {
        const client = new Client('smtp.ts')
        const load: SmtpLoad = {
          ...server,
          connections,
          mail: '2 KB',
          pipelining: false,
          addresses: 1000,
          warmUpMs: 1000,
          durationMs: 3000,
        }
        const { perSecond } = await client.call<SmtpLoadResult>('load', load)
        rates[name as keyof typeof rates].push(perSecond)
        await client.end()
      }
    }
    const [own, other] = [median(rates.mayfly), median(rates.other)]
    console.log(
      `${connections} connections: ${Math.round(own)} mails/s, the other ${Math.round(other)} (${(own / other).toFixed(2)} times)`,
    )
  }
} finally {
  await service.stop()
}
