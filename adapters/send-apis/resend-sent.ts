import { Buffer } from 'node:buffer'
import type { Clock } from '../../core/clock.ts'
import type { Mailbox } from './mailboxes.ts'
import type { OutgoingMail } from './message.ts'

const KEPT_MAX = 1000
const KEPT_BYTES = 16 * 1024 * 1024

interface SentMail {
  bytes: number
  json: object
}

/** The last emails that were sent, in memory, as `GET /emails/:id` shows them. */
export class SentMails {
  readonly #clock: Clock
  readonly #mails = new Map<string, SentMail>()
  #bytes = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  add(id: string, mail: OutgoingMail): void {
    const json = {
      object: 'email',
      id,
      to: mail.to.map(formatted),
      from: formatted(mail.from),
      created_at: new Date(this.#clock()).toISOString(),
      subject: mail.subject,
      html: mail.html ?? null,
      text: mail.text ?? null,
      bcc: mail.bcc.map(formatted),
      cc: mail.cc.map(formatted),
      reply_to: mail.replyTo.map(formatted),
      last_event: 'delivered',
      scheduled_at: null,
    }
    const bytes = Buffer.byteLength(JSON.stringify(json))
    this.#mails.set(id, { bytes, json })
    this.#bytes += bytes
    for (const [oldest, { bytes: freed }] of this.#mails) {
      if (this.#mails.size <= KEPT_MAX && this.#bytes <= KEPT_BYTES) break
      this.#mails.delete(oldest)
      this.#bytes -= freed
    }
  }

  find(id: string): object | undefined {
    return this.#mails.get(id)?.json
  }
}

function formatted({ name, address }: Mailbox): string {
  return name === '' ? address : `${name} <${address}>`
}
