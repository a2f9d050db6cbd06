import { Deadline } from './deadline.ts'
import type { Bytes, Call, Http } from './http.ts'
import type {
  ActionLink,
  Attachment as AttachmentData,
  AttachmentSummary,
  Email,
  Person,
  WholeEmail,
} from './wire.ts'

/** The time limit of every call except waits and disposal. */
export const CALL_MS = 30_000

/**
 * One received mail. Fields come with the mail; methods send a request.
 *
 * @example
 * const mail = await inbox.waitForMail({ subject: 'Report' })
 * console.log(mail.code, mail.actionLink?.url, await mail.html())
 */
export class Mail {
  /** The mail as the service sent it, with the API's field names. */
  readonly data: Email
  readonly #http: Http
  #whole: Promise<WholeEmail> | undefined

  /** @internal */
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

  /**
   * The plain text, generated from the HTML if there is no text part; at most 16 KiB (`whole()`
   * returns all of it).
   */
  get text(): string {
    return this.data.body_text
  }

  /** The best verification code, or null. */
  get code(): string | null {
    return this.data.codes[0] ?? null
  }

  /** All verification codes, best first. */
  get codes(): string[] {
    return this.data.codes
  }

  /** The link that does what the mail asks for (confirm, sign in, reset, accept), or null. */
  get actionLink(): ActionLink | null {
    return this.data.action_link
  }

  /** The http(s) links, confirmation links first. */
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

  /**
   * Every field of the API: HTML, headers, verdicts, the whole text. Marks the mail as read.
   *
   * @throws MayflyError `email_not_found`
   * @example
   * const { headers, verdicts } = await mail.whole()
   */
  whole(): Promise<WholeEmail> {
    this.#whole ??= this.#http
      .json<{ email: WholeEmail }>(this.call(), new Deadline(CALL_MS))
      .then(({ email }) => email)
    this.#whole.catch(() => {
      this.#whole = undefined
    })
    return this.#whole
  }

  /**
   * The HTML part, or null. Marks the mail as read.
   *
   * @throws MayflyError `email_not_found`
   * @example
   * await page.setContent((await mail.html()) ?? '')
   */
  async html(): Promise<string | null> {
    return (await this.whole()).body_html
  }

  /**
   * The message as it was received (RFC 5322).
   *
   * @throws MayflyError `email_not_found`
   * @example
   * await writeFile('mail.eml', await mail.raw())
   */
  raw(): Promise<Bytes> {
    return this.#http.bytes(this.call('/raw'), new Deadline(CALL_MS))
  }

  /**
   * Deletes the mail and its attachments for good.
   *
   * @throws MayflyError `email_not_found` the second time
   * @example
   * await mail.delete()
   */
  async delete(): Promise<void> {
    await this.#http.json({ ...this.call(), method: 'DELETE' }, new Deadline(CALL_MS))
  }

  /** The mail as the service sent it. */
  toJSON(): Email {
    return this.data
  }

  /** @internal A request whose path begins with the path of this mail. */
  call(below = ''): Call {
    return { path: `${pathOf(this.address)}/${this.id}${below}` }
  }
}

/**
 * An attachment of a mail.
 *
 * @example
 * const [attachment] = mail.attachments
 * console.log(attachment.filename, await attachment.text())
 */
export class MailAttachment {
  readonly #mail: Mail
  readonly #n: number
  readonly #http: Http

  /** @internal */
  constructor(mail: Mail, n: number, http: Http) {
    this.#mail = mail
    this.#n = n
    this.#http = http
  }

  /**
   * Its file name; null if it has none, undefined for the eleventh and later attachments, whose
   * name only `info()` returns.
   */
  get filename(): string | null | undefined {
    return this.#summary?.filename
  }

  /** Its MIME type, such as `application/pdf`; undefined from the eleventh attachment on. */
  get contentType(): string | undefined {
    return this.#summary?.content_type
  }

  /** Bytes; undefined from the eleventh attachment on. */
  get size(): number | undefined {
    return this.#summary?.size
  }

  /** Whether the HTML shows it; undefined from the eleventh attachment on. */
  get inline(): boolean | undefined {
    return this.#summary?.inline
  }

  get #summary(): AttachmentSummary | undefined {
    return this.#mail.data.attachments[this.#n]
  }

  /**
   * Its file name, type, size and SHA-256. Marks the mail as read.
   *
   * @example
   * const { filename, content_type, size } = await mail.attachments[0].info()
   */
  async info(): Promise<AttachmentData> {
    const info = (await this.#mail.whole()).attachments[this.#n]
    if (info === undefined) throw new RangeError(`The mail has no attachment ${this.#n}.`)
    return info
  }

  /**
   * Its decoded bytes.
   *
   * @example
   * await writeFile('invoice.pdf', await mail.attachments[0].bytes())
   */
  bytes(): Promise<Bytes> {
    return this.#http.bytes(this.#mail.call(`/attachments/${this.#n}`), new Deadline(CALL_MS))
  }

  /**
   * Its bytes as UTF-8 text.
   *
   * @example
   * const rows = (await mail.attachments[0].text()).split('\n')
   */
  async text(): Promise<string> {
    return new TextDecoder().decode(await this.bytes())
  }
}

/** The path of an inbox in the API. */
export function pathOf(address: string): string {
  return `/api/emails/${encodeURIComponent(address)}`
}
