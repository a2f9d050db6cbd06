/** Sends mail by SMTP as fast as the server answers, on several connections. */
import { serveParent } from '../support/calls.ts'
import { type MailSize, sampleMail } from '../support/mails.ts'
import { quantile } from '../support/quantiles.ts'
import { SmtpConnection } from './smtp-connection.ts'

export interface SmtpLoad {
  host: string
  port: number
  connections: number
  mail: MailSize
  pipelining: boolean
  /** Addresses, used in turn. */
  addresses: number
  warmUpMs: number
  /** At the end, mails under way are awaited and counted, with the time that they took. */
  durationMs: number
}

export interface SmtpLoadResult {
  mails: number
  perSecond: number
  /** ms from the last byte of the message to the reply. */
  p50: number
  p99: number
}

async function load(job: SmtpLoad): Promise<SmtpLoadResult> {
  const message = sampleMail(job.mail)
  const options = { message, pipelining: job.pipelining }
  const connections = await Promise.all(
    Array.from({ length: job.connections }, () => SmtpConnection.open(job, options)),
  )
  const begin = performance.now() + job.warmUpMs
  const end = begin + job.durationMs
  const latencies: number[] = []
  let last = begin
  let serial = 0
  await Promise.all(
    connections.map(
      (connection) =>
        new Promise<void>((resolve, reject) => {
          const next = () => {
            const to = `user${serial++ % job.addresses}@mayfly.test`
            connection.send(
              [to],
              ({ wrote, answered }) => {
                if (answered >= begin) {
                  latencies.push(answered - wrote)
                  last = answered
                }
                if (answered < end) next()
                else resolve()
              },
              reject,
            )
          }
          next()
        }),
    ),
  )
  for (const connection of connections) connection.close()
  return {
    mails: latencies.length,
    perSecond: (latencies.length / (last - begin)) * 1000,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
  }
}

serveParent({ load })
