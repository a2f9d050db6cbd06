import type { SmtpLoad, SmtpLoadResult } from '../clients/smtp.ts'
import { Client } from '../support/calls.ts'
import type { Figure, Group } from '../support/figures.ts'
import type { MailSize } from '../support/mails.ts'
import { median } from '../support/quantiles.ts'
import { startService } from '../support/service.ts'

interface Case {
  mail: MailSize
  connections: number
  pipelining: boolean
  target?: { least: number }
}

const CASES: Case[] = [
  { mail: '2 KB', connections: 1, pipelining: false },
  { mail: '2 KB', connections: 10, pipelining: false, target: { least: 5000 } },
  { mail: '2 KB', connections: 50, pipelining: false },
  { mail: '2 KB', connections: 10, pipelining: true },
  { mail: '2 KB', connections: 50, pipelining: true },
  { mail: '100 KB', connections: 1, pipelining: false },
  { mail: '100 KB', connections: 10, pipelining: false },
  { mail: '100 KB', connections: 50, pipelining: false },
  { mail: '10 MB', connections: 1, pipelining: false },
  { mail: '10 MB', connections: 10, pipelining: false },
]

/**
 * How many mails a second are stored durably: the service in its own process with an empty store, a
 * client in another process with several connections, each of which sends its next mail after the
 * reply to the last one. One command at a time, or with MAIL, RCPT and DATA in one write
 * (`pipelined`, as mail servers do). TCP_NODELAY is set; 1,000 addresses are used in turn. Each
 * figure is the median of three runs of three seconds, after one second of warm-up. p50 and p99 are
 * from the last byte of the message to the 250.
 */
export const intake: Group = {
  name: 'intake',
  async measure({ quick, progress }) {
    const rounds = quick ? 1 : 3
    const figures: Figure[] = []
    for (const { mail, connections, pipelining, target } of quick ? CASES.slice(0, 2) : CASES) {
      const name = `${mail}, ${connections} connection${connections === 1 ? '' : 's'}${pipelining ? ', pipelined' : ''}`
      progress(name)
      const service = await startService()
      const results: SmtpLoadResult[] = []
      try {
        for (let round = 0; round < rounds; round++) {
          const client = new Client('smtp.ts')
          const load: SmtpLoad = {
            ...service.smtp,
            connections,
            mail,
            pipelining,
            addresses: 1000,
            // Compiled code and caches stay for the next rounds.
            warmUpMs: round > 0 ? 500 : quick ? 1000 : 2000,
            durationMs: quick ? 1500 : 3000,
          }
          results.push(await client.call<SmtpLoadResult>('load', load))
          await client.end()
        }
      } finally {
        await service.stop()
      }
      figures.push(
        { name, value: median(results.map((result) => result.perSecond)), unit: 'mails/s', target },
        { name: `${name}: answer p50`, value: median(results.map((result) => result.p50)), unit: 'ms' },
        { name: `${name}: answer p99`, value: median(results.map((result) => result.p99)), unit: 'ms' },
      )
    }
    return { figures }
  },
}
