import { createSmtpListener, type SmtpListener, type SmtpOptions } from '../../../adapters/smtp/listener.ts'
import type { Domain, Domains } from '../../../core/access/ports.ts'
import type { Envelope } from '../../../core/inbox/receive.ts'
import { Script } from './smtp-script.ts'

export const ID = '01ARZ3NDEKTSV4RRFFQ69G5FAV'

/** Knows mayfly.test. */
export const DOMAINS = {
  async find(name) {
    return name === 'mayfly.test' ? ({ name, visible_after: '' } as Domain) : undefined
  },
} as Domains

/** A listener whose store takes everything, and clients of it. */
export async function listenWith(options: Partial<SmtpOptions> = {}): Promise<{
  listener: SmtpListener
  delivered: Envelope[]
  open(): Script
  close(): Promise<void>
}> {
  const delivered: Envelope[] = []
  const scripts: Script[] = []
  const listener = await createSmtpListener({
    name: 'mx.mayfly.test',
    host: '127.0.0.1',
    port: 0,
    domains: DOMAINS,
    maxBytes: 1_000_000,
    log() {},
    async deliver(envelope, message) {
      if ('stream' in message) for await (const _ of message.stream);
      delivered.push(envelope)
      return envelope.recipients.map(() => ID)
    },
    ...options,
  })
  return {
    listener,
    delivered,
    open() {
      const script = new Script(listener.port)
      scripts.push(script)
      return script
    },
    async close() {
      for (const script of scripts) script.close()
      await listener.stop(0)
    },
  }
}

/** All up to the point at which the server waits for the message. */
export const TO_DATA = [
  [null, '220'],
  ['EHLO client.example', '250-'],
  ['MAIL FROM:<ann@example.com>', '250 2.1.0'],
  ['RCPT TO:<bot@mayfly.test>', '250 2.1.5'],
  ['DATA', '354'],
] as const

/** From the greeting to the 250 for a mail. */
export const A_MAIL = [...TO_DATA, ['x\r\n.', '250 2.0.0']] as const
