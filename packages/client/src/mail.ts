import { Deadline } from './deadline.ts'
import type { Call, Http } from './http.ts'
import type { ActionLink, Attachment as AttachmentData, Email, Person, WholeEmail } from './wire.ts'

/** How long anything but a wait may take in all. */
export const CALL_MS = 30_000

/** One received mail. What needs a request is a method. */
export class Mail {
  /** The mail as the service sent it: names as in the API. */
  readonly data: Email
  readonly #http: Http
  #whole: Promise<WholeEmail> | undefined

  constructor(data: Email, http: Http) {
    this.data = data
    this.#http = http
  }

  get id(): string {
    return this.data.id
  }

  /** The envelope recipient. */
  get address(): string {
    return this.data.address
  }

  get from(): Person {
    return this.data.from
  }

  get to(): Person[] {
    return this.data.to
  }

  get cc(): Person[] {
    return this.data.cc
  }

  get subject(): string {
    return this.data.subject
  }

  /** The plain text, or what the HTML says; at most 16 KiB of it (`whole()` has the rest). */
  get text(): string {
    return this.data.body_text
  }

  /** The best verification code, or null. */
  get code(): string | null {
    return this.data.codes[0] ?? null
  }

  get codes(): string[] {
    return this.data.codes
  }

  /** What the mail wants done: `{ url, text, kind }`, or null. */
  get actionLink(): ActionLink | null {
    return this.data.action_link
  }

  get links(): string[] {
    return this.data.links
  }

  get receivedAt(): Date {
    return new Date(this.data.received_at)
  }

  get attachments(): MailAttachment[] {
    return Array.from(
      { length: this.data.attachment_count },
      (_, n) => new MailAttachment(this, n, this.#http),
    )
  }

  /** Everything of it: HTML, headers, verdicts. Marks it as read. */
  whole(): Promise<WholeEmail> {
    this.#whole ??= this.#http
      .json<{ email: WholeEmail }>(this.call(), new Deadline(CALL_MS))
      .then(({ email }) => email)
    this.#whole.catch(() => {
      this.#whole = undefined
    })
    return this.#whole
  }

  async html(): Promise<string | null> {
    return (await this.whole()).body_html
  }

  /** The message as it was received. */
  raw(): Promise<Uint8Array<ArrayBuffer>> {
    return this.#http.bytes(this.call('/raw'), new Deadline(CALL_MS))
  }

  async delete(): Promise<void> {
    await this.#http.json({ ...this.call(), method: 'DELETE' }, new Deadline(CALL_MS))
  }

  toJSON(): Email {
    return this.data
  }

  /** A request below the path of this mail. */
  call(below = ''): Call {
    return { path: `${pathOf(this.address)}/${this.id}${below}` }
  }
}

export class MailAttachment {
  readonly #mail: Mail
  readonly #n: number
  readonly #http: Http

  constructor(mail: Mail, n: number, http: Http) {
    this.#mail = mail
    this.#n = n
    this.#http = http
  }

  /** Its name, type, size and SHA-256. */
  async info(): Promise<AttachmentData> {
    return (await this.#mail.whole()).attachments[this.#n]!
  }

  bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return this.#http.bytes(this.#mail.call(`/attachments/${this.#n}`), new Deadline(CALL_MS))
  }

  async text(): Promise<string> {
    return new TextDecoder().decode(await this.bytes())
  }
}

export function pathOf(address: string): string {
  return `/api/emails/${encodeURIComponent(address)}`
}
