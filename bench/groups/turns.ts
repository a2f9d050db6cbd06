import { startService } from '../../test/support/service-in-process.ts'
import { SmtpClient } from '../../test/support/smtp-client.ts'
import { Client } from '../support/calls.ts'
import type { Figure, Group } from '../support/figures.ts'
import { longestTurn, type Turns } from '../support/longest-turn.ts'
import { median } from '../support/quantiles.ts'

const EMAILS = 600
/** A character in each of the forms that JSON and UTF-8 have, up to the limit of a summary. */
const TEXT = 'ä😀"\\<'.repeat(2500)
const QUERIES = ['limit=100', 'limit=100&text_limit=0', 'limit=100&q=absent', 'limit=1']
/** The first requests run code that is not compiled yet. */
const WARM_UP = 3
/** How long one request without an API key may hold the main thread at a time. */
const TURN_MAX_MS = 50

/**
 * How long one anonymous request holds the main thread at a time: the CPU time of the longest turn of
 * the event loop while the service answers it, and the longest delay of the event loop, which also
 * contains the time that other processes had the core. The lists are of an inbox with 600 emails of
 * 22 KB. Medians of the requests, and the worst CPU time.
 */
export const turns: Group = {
  name: 'turns',
  async measure({ quick, progress }) {
    const service = await startService({ MAYFLY_DOMAINS: 'mayfly.test', MAYFLY_LOG_LEVEL: 'error' })
    const client = new Client('get.ts')
    try {
      progress(`sending ${EMAILS} emails`)
      await fill(service.smtp)
      const figures: Figure[] = []
      for (const query of QUERIES) {
        progress(query)
        const url = `${service.http}/api/public/emails/full@mayfly.test?${query}`
        const measured: Turns[] = []
        for (let n = 0; n < WARM_UP + (quick ? 5 : 50); n++) {
          measured.push(await longestTurn(() => client.call('get', url)))
        }
        const warm = measured.slice(WARM_UP)
        const cpu = warm.map(({ cpuMs }) => cpuMs)
        figures.push(
          { name: `${query}: CPU of the longest turn`, value: median(cpu), unit: 'ms' },
          { name: `${query}: worst`, value: Math.max(...cpu), unit: 'ms', target: { most: TURN_MAX_MS } },
          { name: `${query}: longest delay`, value: median(warm.map(({ delayMs }) => delayMs)), unit: 'ms' },
        )
      }
      return { figures }
    } finally {
      await client.end()
      await service.stop()
    }
  },
}

async function fill(address: { host: string; port: number }): Promise<void> {
  const smtp = await SmtpClient.open(address)
  const message = `Subject: s\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${TEXT}`
  for (let n = 0; n < EMAILS; n++) {
    const reply = await smtp.send('s@example.org', ['full@mayfly.test'], message)
    if (!reply.startsWith('250')) throw new Error(reply)
  }
  smtp.close()
}
