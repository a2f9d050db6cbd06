import type { Email } from '../../core/inbox/email.ts'
import { fold } from '../../core/inbox/filter.ts'
import { decodeMessageBody } from '../../core/inbox/message-body.ts'
import type { BlobStore, ListedMessage, Opened, Part } from '../../core/inbox/ports.ts'
import type { MessageDetails, Person } from '../../reading/message.ts'
import { addressesIn } from '../../reading/mime/addresses.ts'
import { CatcherError, NOT_FOUND } from './catcher-error.ts'
import { entityOf } from './header-block.ts'
import { hasCrlf, withCrlf } from './line-ends.ts'

const PEOPLE_MAX = 100

/** A message with everything that an answer or a search may need; each part is read once. */
export class MessageView {
  readonly listed: ListedMessage
  readonly #blobs: BlobStore
  #details: Promise<MessageDetails> | undefined
  #words: string | undefined

  constructor(listed: ListedMessage, blobs: BlobStore) {
    this.listed = listed
    this.#blobs = blobs
  }

  /** The id of the first copy. */
  get id(): string {
    return this.email.id
  }

  /** The first copy, for the fields that all have in common. */
  get email(): Email {
    return this.listed.copies[0]!
  }

  /** The envelope recipients. */
  get recipients(): string[] {
    return this.listed.copies.map(({ address }) => address)
  }

  /** The texts of the summary that a word of a search is looked for in; each word needs them. */
  get words(): string {
    const { from, to, cc, subject, bodyText, links } = this.email
    const people = [from, ...to, ...cc].flatMap(({ name, address }) => [name ?? '', address ?? ''])
    this.#words ??= wordsOf([...people, ...this.recipients, subject, bodyText, ...links].join('\n'))
    return this.#words
  }

  details(): Promise<MessageDetails> {
    this.#details ??= this.#readDetails()
    return this.#details
  }

  async #readDetails(): Promise<MessageDetails> {
    const { details, bodies } = await decodeMessageBody((await this.open('body')).stream, this.email)
    await bodies[Symbol.asyncIterator]().return?.()
    return details
  }

  /** Returns the JSON texts of both bodies: up to 38 MB of HTML go into an answer without being parsed. */
  async bodies(): Promise<{ text: string; html: string }> {
    const { bodies } = await decodeMessageBody((await this.open('body')).stream, this.email)
    const [text = '""', html = 'null'] = Buffer.concat(await Array.fromAsync(bodies))
      .toString()
      .split('\n')
    return { text, html: html === 'null' ? '""' : html }
  }

  /** Returns both bodies with CRLF at the end of lines where the message has it. */
  async bodiesAsSent(): Promise<{ text: string; html: string }> {
    const [{ text, html }, message] = [await this.bodies(), entityOf(await this.source())]
    return {
      text: hasCrlf(message, 'text/plain') ? withCrlf(text) : text,
      html: hasCrlf(message, 'text/html') ? withCrlf(html) : html,
    }
  }

  /** Returns the message as it was received, its bytes as UTF-8. */
  async source(): Promise<string> {
    return Buffer.concat(await Array.fromAsync((await this.open('raw')).stream)).toString()
  }

  /** @throws CatcherError 404 for a part that does not exist, or was removed meanwhile */
  async open(part: Part): Promise<Opened> {
    const opened = await this.#blobs.open(this.listed.messageId, part)
    if (opened === undefined) throw new CatcherError(404, NOT_FOUND)
    return opened
  }

  async replyTo(): Promise<Person[]> {
    return this.#people('reply-to')
  }

  /** The envelope sender; the sender of the mail if it is empty. */
  async returnPath(): Promise<string> {
    return (await this.details()).mailFrom || (this.email.from.address ?? '')
  }

  /** The people in Bcc, and the envelope recipients that no field names. */
  async bcc(): Promise<Person[]> {
    const { to, cc } = this.email
    const inField = await this.#people('bcc')
    const named = new Set([...to, ...cc, ...inField].map(({ address }) => fold(address ?? '')))
    const blind = this.recipients.filter((address) => !named.has(address))
    return [...inField, ...blind.map((address) => ({ name: null, address }))]
  }

  /** Field values in details are decoded; an address has no encoded words. */
  async #people(field: string): Promise<Person[]> {
    const { headers } = await this.details()
    const values = headers.filter(({ name }) => name.toLowerCase() === field).map(({ value }) => value)
    const context = { bodyCharset: undefined, wordsLeft: 0, unknownCharsetsLeft: 0 }
    // The reader takes one character for a byte.
    return values.flatMap((value) => addressesIn(Buffer.from(value).toString('latin1'), PEOPLE_MAX, context))
  }
}

/** Returns a text as a search compares it: folded, with one space for white space and punctuation. */
export function wordsOf(text: string): string {
  return fold(text)
    .replaceAll(/[\s\uFEFF<>",;()]+/g, ' ')
    .trim()
}
