/**
 * Compares intake with that of other SMTP servers that are already running: `node bench/compare.ts
 * <host>:<port> …`.
 * All receive the same mails of 2 KB from the same client (clients/smtp.ts, one command at a time),
 * in turn: eight seconds of warm-up each, then five rounds of three seconds each; prints the
 * medians. All servers run throughout, so each has the CPU that the others leave when idle.
 */
import type { SmtpLoad, SmtpLoadResult } from './clients/smtp.ts'
import { Client } from './support/calls.ts'
import { median } from './support/quantiles.ts'
import { startService } from './support/service.ts'

const ROUNDS = 5
const CONNECTIONS = [1, 10, 50]

interface Server {
  name: string
  host: string
  port: number
}

const others = process.argv.slice(2).map((name): Server => {
  const [host = '', port] = name.split(':')
  return { name, host, port: Number(port) }
})
if (others.length === 0 || others.some(({ host, port }) => host === '' || !(port > 0))) {
  console.error('Usage: node bench/compare.ts <host>:<port> …')
  process.exit(2)
}

async function rateOf({ host, port }: Server, connections: number, durationMs: number): Promise<number> {
  const client = new Client('smtp.ts')
  const load: SmtpLoad = {
    host,
    port,
    connections,
    mail: '2 KB',
    pipelining: false,
    addresses: 1000,
    warmUpMs: 500,
    durationMs,
  }
  const { perSecond } = await client.call<SmtpLoadResult>('load', load)
  await client.end()
  return perSecond
}

const service = await startService()
const servers: Server[] = [{ name: 'mayfly', ...service.smtp }, ...others]
try {
  for (const server of servers) await rateOf(server, 10, 8000)
  for (const connections of CONNECTIONS) {
    const rates = servers.map((): number[] => [])
    for (let round = 0; round < ROUNDS; round++) {
      for (const [i, server] of servers.entries()) rates[i]!.push(await rateOf(server, connections, 3000))
    }
    const [own, ...their] = rates.map(median) as [number, ...number[]]
    const compared = others.map(
      ({ name }, i) => `${name} ${Math.round(their[i]!)} (${(own / their[i]!).toFixed(2)} times)`,
    )
    console.log(`${connections} connections: ${Math.round(own)} mails/s; ${compared.join('; ')}`)
  }
} finally {
  await service.stop()
}
