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
import type { Envelope } from '../core/inbox/receive.ts'
import { Intake } from './intake.ts'
import { createLogger, type Logger } from './log.ts'

/** How the thread is started. */
export interface IngestData {
  smtp: Pick<SmtpOptions, 'name' | 'host' | 'port' | 'maxBytes' | 'faults' | 'auth' | 'tls'>
  retentionMs: number
  catchAll: boolean
  log: { level: string; readable: boolean }
}

await runWriter(async (writer, data) => {
  const { smtp, retentionMs, catchAll, log: logging } = data as IngestData
  const log = await createLogger(logging.level, logging.readable)
  const intake = new Intake(writer, { retentionMs, catchAll, log })
  let listener: SmtpListener | undefined
  return {
    calls: {
      async listen() {
        listener = await createSmtpListener({
          ...smtp,
          domains: catchAll ? catchAllDomains(writer.domains) : writer.domains,
          hasRoom: (bytes, from) => intake.hasRoom(bytes, from),
          deliver: (envelope, message, client) => intake.deliver(envelope, message, client),
          log: (event) => logSmtp(log, event),
        })
        writer.expect(listener.underWay)
        return { host: listener.host, port: listener.port }
      },
      deliver: (envelope: Envelope, raw: Uint8Array, client: string) =>
        intake.deliverWhole(envelope, raw, client),
      stop: async (graceMs: number) => listener?.stop(graceMs),
    },
    close: () => intake.close(),
  }
})

function logSmtp(log: Logger, event: SmtpEvent): void {
  if (event.type === 'failed') log.error({ client: event.client, err: event.error }, 'mail was not accepted')
  else log.debug(event, 'smtp')
}
