import {
  createSmtpListener,
  type SmtpEvent,
  type SmtpListener,
  type SmtpOptions,
} from '../../../adapters/smtp/listener.ts'
import type { Message } from '../../../adapters/smtp/message.ts'
import type { Domain } from '../../../core/access/ports.ts'
import type { NewEnvelope } from '../../../core/inbox/receive.ts'
import { Script, type Step } from './smtp-script.ts'

export const ID = '01ARZ3NDEKTSV4RRFFQ69G5FAV'
export const MAX_BYTES = 1_000_000

/** Contains mayfly.test and müller.test; every lookup of broken.test fails. */
export const DOMAINS: SmtpOptions['domains'] = {
  async find(name) {
    if (name === 'broken.test') throw new Error('the store does not answer')
    return name === 'mayfly.test' || name === 'xn--mller-kva.test'
      ? ({ name, visibleAfter: `registered ${name}` } as Domain)
      : undefined
  },
}

export interface Delivered {
  envelope: NewEnvelope
  raw: Buffer
  /** Whether the message was passed to the store in one piece. */
  whole: boolean
}

export interface Setup {
  listener: SmtpListener
  delivered: Delivered[]
  events: SmtpEvent[]
  /** Opens a connection, which `close` closes. */
  open(options?: ConstructorParameters<typeof Script>[1]): Script
  close(): Promise<void>
}

/** A listener whose store accepts everything, and clients of it. */
export async function listenWith(options: Partial<SmtpOptions> = {}): Promise<Setup> {
  const delivered: Delivered[] = []
  const events: SmtpEvent[] = []
  const scripts: Script[] = []
  const listener = await createSmtpListener({
    name: 'mx.mayfly.test',
    hosts: ['127.0.0.1'],
    port: 0,
    domains: DOMAINS,
    maxBytes: MAX_BYTES,
    log: (event) => void events.push(event),
    async deliver(envelope, message) {
      delivered.push({ envelope, raw: await collect(message), whole: 'bytes' in message })
      return envelope.recipients.map(() => ID)
    },
    ...options,
  })
  return {
    listener,
    delivered,
    events,
    open(options) {
      const script = new Script(listener.port, options)
      scripts.push(script)
      return script
    },
    async close() {
      for (const script of scripts) script.close()
      await listener.stop(0)
    },
  }
}

export async function collect(message: Message): Promise<Buffer> {
  if ('bytes' in message) return Buffer.from(message.bytes)
  const chunks: Uint8Array[] = []
  for await (const chunk of message.stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** The steps from the greeting to the reply to EHLO. */
export const GREETING: readonly Step[] = [
  { expect: '220 mx.mayfly.test ESMTP' },
  { send: 'EHLO client.example', expect: '250-mx.mayfly.test\r\n' },
]
/** The step that names a recipient. */
export const recipient = (address: string, expect = '250'): Step => ({ send: `RCPT TO:<${address}>`, expect })
/** The step after which the server waits for the message. */
export const BEGIN: Step = { send: 'DATA', expect: '354' }
/** The steps of one mail until the server waits for the message. */
export const ENVELOPE: readonly Step[] = [
  { send: 'MAIL FROM:<ann@example.com>', expect: '250 2.1.0' },
  recipient('bot@mayfly.test', '250 2.1.5'),
  BEGIN,
]
/** The data of one mail. */
export const DATA: Step = { send: 'x\r\n.', expect: '250 2.0.0' }
export const TO_SENDER: readonly Step[] = [...GREETING, ...ENVELOPE.slice(0, 1)]
export const TO_DATA: readonly Step[] = [...GREETING, ...ENVELOPE]
export const A_MAIL: readonly Step[] = [...TO_DATA, DATA]
