/**
 * The thread that takes mail: it speaks SMTP, reads small mail and writes it, so that a small mail is one step from
 * its last byte to its 250. Large mail is read in another thread meanwhile, and whatever the main thread wants
 * written is written here.
 */
import {
  createSmtpListener,
  type Message,
  Refusal,
  type SmtpEvent,
  type SmtpListener,
  type SmtpOptions,
} from '../adapters/smtp/listener.ts'
import { runWriter } from '../adapters/sqlite/thread.ts'
import { Problem } from '../core/errors.ts'
import type { Envelope } from '../core/inbox/receive.ts'
import { LargeMail } from './large-mail.ts'
import { createLogger, type Logger } from './log.ts'
import { receiveSmall } from './small-mail.ts'

/** A message up to this size is stored by one command, as by SMTP. */
const WHOLE_BYTES = 256 * 1024

/** How the thread is started. */
export interface IngestData {
  smtp: Pick<SmtpOptions, 'name' | 'host' | 'port' | 'maxBytes' | 'faults' | 'auth' | 'tls'>
  retentionMs: number
  log: { level: string; readable: boolean }
}

await runWriter(async (writer, data) => {
  const { smtp, retentionMs, log: logging } = data as IngestData
  const log = await createLogger(logging.level, logging.readable)
  const reader = new LargeMail(writer, retentionMs)
  /** Large messages that are under way. */
  const large = new Set<{ bytes: number }>()
  let listener: SmtpListener | undefined

  async function deliver(envelope: Envelope, message: Message): Promise<string[]> {
    if ('bytes' in message) return receiveSmall(writer, envelope, message.bytes, retentionMs)
    const coming = { bytes: 0 }
    large.add(coming)
    try {
      await writer.blobs.put(envelope.messageId, 'raw', asLongAsThereIsRoom(message.stream, coming))
      return await reader.receive(envelope)
    } catch (error) {
      // Its sender comes back with it under another key.
      await writer.blobs.remove(envelope.messageId).catch(() => {})
      throw error
    } finally {
      large.delete(coming)
    }
  }

  /** Whether there is room for so many bytes beside what is made of the large messages that are under way. */
  function hasRoom(bytes: number): boolean {
    let sum = bytes
    for (const coming of large) sum += coming.bytes
    return writer.hasRoom(sum)
  }

  async function* asLongAsThereIsRoom(
    stream: AsyncIterable<Uint8Array>,
    coming: { bytes: number },
  ): AsyncIterable<Uint8Array> {
    for await (const chunk of stream) {
      coming.bytes += chunk.length
      if (!hasRoom(0)) throw new Refusal(452, '4.3.1 The store is full, try again when mail has expired')
      yield chunk
    }
  }

  return {
    calls: {
      async listen() {
        listener = await createSmtpListener({
          ...smtp,
          domains: writer.domains,
          hasRoom,
          deliver,
          log: (event) => logSmtp(log, event),
        })
        writer.expect(listener.underWay)
        return { host: listener.host, port: listener.port }
      },
      async deliver(envelope: Envelope, raw: Uint8Array) {
        if (!hasRoom(raw.length)) throw new Problem('unavailable', 'The store is full.')
        return deliver(envelope, raw.length <= WHOLE_BYTES ? { bytes: raw } : { stream: chunksOf(raw) })
      },
      stop: async (graceMs: number) => listener?.stop(graceMs),
    },
    close: () => reader.close(),
  }
})

async function* chunksOf(raw: Uint8Array): AsyncIterable<Uint8Array> {
  for (let at = 0; at < raw.length; at += WHOLE_BYTES) yield raw.subarray(at, at + WHOLE_BYTES)
}

function logSmtp(log: Logger, event: SmtpEvent): void {
  if (event.type === 'failed') log.error({ client: event.client, err: event.error }, 'mail was not accepted')
  else log.debug(event, 'smtp')
}
