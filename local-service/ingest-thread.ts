/**
 * The ingest thread: it speaks SMTP, reads cheap messages and commits, so that a small mail needs
 * no other thread from its last byte to its 250. Reader threads read the other messages. Everything
 * that the main thread writes is written here too.
 */
import {
  createSmtpListener,
  type SmtpEvent,
  type SmtpListener,
  type SmtpOptions,
} from '../adapters/smtp/listener.ts'
import { runWriter } from '../adapters/sqlite/thread.ts'
import { catchAllDomains } from '../core/access/catch-all.ts'
import type { NewEnvelope } from '../core/inbox/receive.ts'
import { Refusals } from '../core/inbox/refusals.ts'
import { finishStart } from './finish-start.ts'
import { Intake } from './intake.ts'
import { createLogger, type Logger } from './log.ts'
import { MailLog } from './mail-log.ts'
import { loadReading } from './reading.ts'

/** How the thread is started. */
export interface IngestData {
  smtp: Pick<
    SmtpOptions,
    'name' | 'hosts' | 'port' | 'maxBytes' | 'faults' | 'auth' | 'tls' | 'unknownDomainHint'
  >
  retentionMs: number
  catchAll: boolean
  /** The domain of the recipient `<postmaster>`. */
  postmasterDomain: string | undefined
  log: { level: string; readable: boolean }
}

await runWriter(async (writer, data) => {
  const { smtp, retentionMs, catchAll, postmasterDomain, log: logging } = data as IngestData
  const log = await createLogger(logging.level, logging.readable)
  const intake = new Intake(writer, { retentionMs, catchAll, log })
  const refusals = new Refusals()
  const mailLog = new MailLog(log, Date.now)
  const logged = async (envelope: NewEnvelope, delivery: Promise<string[]>) => {
    const ids = await delivery
    if (ids.length > 0) mailLog.accepted(envelope)
    return ids
  }
  const counts = { received: 0, receivedBytes: 0 }
  const count = (bytes: number) => {
    counts.received++
    counts.receivedBytes += bytes
  }
  let listener: SmtpListener | undefined
  return {
    calls: {
      async listen() {
        listener = await createSmtpListener({
          ...smtp,
          domains: catchAll ? catchAllDomains(writer.domains) : writer.domains,
          postmasterDomain: async () => postmasterDomain,
          hasRoom: (bytes, from) => intake.hasRoom(bytes, from),
          deliver: (envelope, message, client) => logged(envelope, intake.deliver(envelope, message, client)),
          log(event) {
            if (event.type === 'delivered') count(event.bytes)
            logSmtp(log, event)
          },
          refused(refusal) {
            refusals.add(refusal)
            mailLog.refused(refusal)
          },
        })
        writer.expect(listener.underWay)
        finishStart(loadReading)
        return { host: listener.hosts[0]!, port: listener.port }
      },
      async deliver(envelope: NewEnvelope, raw: Uint8Array, client: string) {
        const { length } = raw
        const ids = await logged(envelope, intake.deliverWhole(envelope, raw, client))
        if (ids.length > 0) count(length)
        return ids
      },
      refusals: async () => refusals.list(),
      counts: async () => ({ ...counts, refused: refusals.count, storedBytes: writer.usedBytes() }),
      stop: async (graceMs: number) => listener?.stop(graceMs),
    },
    close: () => intake.close(),
  }
})

function logSmtp(log: Logger, event: SmtpEvent): void {
  if (event.type === 'failed') log.error({ client: event.client, err: event.error }, 'mail was not accepted')
  else log.debug(event, 'smtp')
}
