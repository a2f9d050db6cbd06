import { startService } from '../../test/support/service-in-process.ts'
import type { Filling } from '../clients/post.ts'
import { Client } from '../support/calls.ts'
import type { Figure, Group } from '../support/figures.ts'
import { longestTurn } from '../support/longest-turn.ts'
import { median } from '../support/quantiles.ts'

/** How long one send request may hold the thread that serves HTTP at a time. */
const TURN_MAX_MS = 100
/** What checking a base64 field may cost, in CPU time of the whole process. */
const BASE64_MAX_MS = 20
const RECIPIENT = 'a@mayfly.test'
const WARM_UP = 1

const email = { from: 'a@mayfly.test', to: RECIPIENT, subject: 's', text: 't' }
const ATTACHED = JSON.stringify({ ...email, attachments: [{ content: 'FILLED', filename: 'x' }] })
const LARGE = { path: '/resend/emails', body: ATTACHED, filling: { piece: 'QUJD', times: 7_500_000 } }
const blanks = (times: number) => ({
  path: '/resend/emails',
  body: ATTACHED.replace('FILLED', 'FILLED!'),
  filling: { piece: ' ', times },
})
const NOTHING = { piece: '', times: 0 }
const TEMPLATES = JSON.stringify({
  FromEmailAddress: 'a@mayfly.test',
  DefaultContent: {
    Template: {
      TemplateContent: { Subject: 's', Text: '{{b}}'.repeat(500) },
      TemplateData: JSON.stringify({ b: 'x'.repeat(200_000) }),
    },
  },
  BulkEmailEntries: Array.from({ length: 20 }, () => ({ Destination: { ToAddresses: [RECIPIENT] } })),
})

interface Sent {
  name: string
  path: string
  body: string
  filling: Filling
  /** Requests at once. */
  count: number
  status: number
}

const REQUESTS: Sent[] = [
  {
    name: 'ordinary',
    path: '/resend/emails',
    body: JSON.stringify(email),
    filling: NOTHING,
    count: 1,
    status: 200,
  },
  { name: '80 KB of blanks in base64', ...blanks(80_000), count: 1, status: 422 },
  { name: '30 MB of blanks in base64', ...blanks(30_000_000), count: 1, status: 422 },
  { name: 'attachment of 30 MB', ...LARGE, count: 1, status: 200 },
  { name: 'three attachments of 30 MB together', ...LARGE, count: 3, status: 200 },
  {
    name: 'templates of 100 MB, 20 recipients',
    path: '/ses/v2/email/outbound-bulk-emails',
    body: TEMPLATES,
    filling: NOTHING,
    count: 1,
    status: 200,
  },
]

/**
 * How long send requests hold the thread that serves HTTP: the CPU time of the longest turn of its event
 * loop, and the longest delay, which also contains the time that other processes had the core. Medians of
 * some requests. The CPU time is that of the process, the thread of the send APIs included.
 */
export const sendTurns: Group = {
  name: 'send-turns',
  async measure({ quick, progress }) {
    const service = await startService({ MAYFLY_DOMAINS: 'mayfly.test', MAYFLY_LOG_LEVEL: 'silent' })
    const client = new Client('post.ts')
    try {
      const figures: Figure[] = []
      for (const { name, path, body, filling, count, status } of REQUESTS) {
        progress(name)
        const send = async () => {
          const answers = await client.call<number[]>('post', service.http + path, body, filling, count)
          if (answers.some((answer) => answer !== status)) throw new Error(`${name}: ${answers}`)
        }
        for (let n = 0; n < WARM_UP; n++) await send()
        const measured: { turnMs: number; delayMs: number; cpuMs: number }[] = []
        for (let n = 0; n < (quick ? 2 : 10); n++) {
          // The measurement of turns keeps the thread busy, so the CPU time is that of other requests.
          const before = process.cpuUsage()
          await send()
          const { user, system } = process.cpuUsage(before)
          const { cpuMs: turnMs, delayMs } = await longestTurn(send)
          measured.push({ turnMs, delayMs, cpuMs: (user + system) / 1000 })
        }
        const cpu = median(measured.map(({ cpuMs }) => cpuMs))
        const turn = median(measured.map(({ turnMs }) => turnMs))
        figures.push(
          { name: `${name}: longest turn of HTTP`, value: turn, unit: 'ms', target: { most: TURN_MAX_MS } },
          {
            name: `${name}: longest delay`,
            value: median(measured.map(({ delayMs }) => delayMs)),
            unit: 'ms',
          },
          {
            ...{ name: `${name}: CPU`, value: cpu, unit: 'ms' },
            ...(name.startsWith('80 KB') && { target: { most: BASE64_MAX_MS } }),
          },
        )
      }
      return { figures }
    } finally {
      await client.end()
      await service.stop()
    }
  },
}
