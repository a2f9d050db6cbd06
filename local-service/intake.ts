import { type Client, type Message, Refusal } from '../adapters/smtp/listener.ts'
import type { Find } from '../adapters/sqlite/late-search.ts'
import type { Writer } from '../adapters/sqlite/writer.ts'
import { catchAllDomains } from '../core/access/catch-all.ts'
import { clientNetwork, isLoopback } from '../core/access/client.ts'
import { domainPart } from '../core/address.ts'
import { cpuMs } from '../core/clock.ts'
import { Problem } from '../core/errors.ts'
import type { Opened, Origin } from '../core/inbox/ports.ts'
import {
  type Envelope,
  type NewEnvelope,
  type RawMessage,
  type ReadMail,
  type ReceivePorts,
  receive,
} from '../core/inbox/receive.ts'
import { siteOf } from '../core/network.ts'
import { NOTHING_FOUND } from '../reading/message.ts'
import type { Logger } from './log.ts'
import { Readers } from './readers.ts'
import { loadReading, loadSearch, readMail, readUnsearched, unreadable } from './reading.ts'
import { ReadingBudget } from './reading-budget.ts'
import { startReader } from './start-reader.ts'

/** A larger message is stored in chunks before a reader thread reads it. */
const WHOLE_BYTES = 256 * 1024
/** Codes and links of a larger message are looked for before it is stored. */
const UNSEARCHED_BYTES = 32 * 1024
const DOMAIN_FULL = new Refusal(452, '4.3.1 Mail for that domain fills half of the store, try again later')
const FULL = new Refusal(452, '4.3.1 The store is full, try again when mail has expired')

/** The client has used up the time of this thread, so a reader thread reads its message. */
class InDebt extends Error {}

export interface IntakeOptions {
  retentionMs: number
  catchAll: boolean
  log: Logger
}

/** Reads and stores messages, on this thread or on a reader thread. */
export class Intake {
  readonly #writer: Writer
  readonly #ports: ReceivePorts
  readonly #retentionMs: number
  readonly #readUnsearched: ReadMail
  readonly #budget = new ReadingBudget()
  readonly #readers: Readers
  /** Settles when the last message on this thread was read. */
  #reading: Promise<unknown> = Promise.resolve()
  /** Bytes of messages that reader threads have, and whose parts are not in the store yet. */
  #pendingBytes = 0

  constructor(writer: Writer, { retentionMs, catchAll, log }: IntakeOptions) {
    this.#writer = writer
    this.#retentionMs = retentionMs
    let search: Promise<Find> | undefined
    const load = () => (search ??= loadLoggedSearch(log))
    writer.searchWith(load)
    this.#readUnsearched = readUnsearched(load)
    this.#ports = catchAll ? { ...writer, domains: catchAllDomains(writer.domains) } : writer
    this.#readers = new Readers({
      start: () => startReader(writer, { retentionMs, catchAll }),
      storeUnread: async ({ envelope, bytes }, reason) => {
        log.error({ messageId: envelope.messageId, reason }, 'a message could not be read')
        return this.#receive(envelope, bytes ?? (() => this.#openRaw(envelope)), unreadable(reason))
      },
    })
  }

  /**
   * Whether there is room for a message of this size beside the messages under way, and in its
   * sender's share.
   */
  hasRoom(bytes: number, from?: Origin): boolean {
    const writer = this.#writer
    if (!writer.hasRoom(bytes + this.#pendingBytes)) return false
    if (from === undefined || isLoopback(from.client)) return true
    return (
      writer.hasShare('client', siteOf(clientNetwork(from.client)), bytes) &&
      writer.hasShare('sender', from.sender, bytes)
    )
  }

  async deliver(arrived: NewEnvelope, message: Message, client: Client): Promise<string[]> {
    const envelope: Envelope = { ...arrived, messageId: this.#writer.newMessageId() }
    const network = clientNetwork(client.address)
    if (!isLoopback(client.address)) {
      envelope.origin = { client: siteOf(network), sender: envelope.mailFrom ?? '' }
      const domain = domainPart(envelope.recipients[0]?.toLowerCase() ?? '')
      if (!this.#writer.hasShare('domain', domain, 0)) throw DOMAIN_FULL
    }
    if ('stream' in message) return this.#deliverStream(envelope, message.stream, network)
    const { bytes } = message
    try {
      // Nobody waits for the codes and links, so they need not delay the 250.
      const isLater = bytes.length <= UNSEARCHED_BYTES && !this.#writer.isFollowed()
      const read = this.#metered(isLater ? this.#readUnsearched : readMail, network, bytes.length)
      const ids = await this.#receive(envelope, bytes, read)
      if (isLater) this.#writer.searchLater(envelope.messageId)
      return ids
    } catch (error) {
      if (!(error instanceof InDebt)) throw error
      return this.#readers.receive(network, { envelope, bytes }, bytes.length)
    }
  }

  /**
   * Delivers a message that did not arrive by SMTP.
   * @param client IP address
   * @throws Problem `unavailable` if the store is full or fails
   */
  async deliverWhole(envelope: NewEnvelope, raw: Uint8Array, client: string): Promise<string[]> {
    if (!this.hasRoom(raw.length)) throw new Problem('unavailable', FULL.message)
    const message = raw.length <= WHOLE_BYTES ? { bytes: raw } : { stream: chunksOf(raw) }
    try {
      return await this.deliver(envelope, message, { address: client, helo: '' })
    } catch (error) {
      // A Refusal belongs to SMTP, and does not cross threads.
      throw error instanceof Refusal ? new Problem('unavailable', error.message) : error
    }
  }

  async close(): Promise<void> {
    await this.#readers.close()
  }

  async #deliverStream(
    envelope: Envelope,
    stream: AsyncIterable<Uint8Array>,
    network: string,
  ): Promise<string[]> {
    const { blobs } = this.#writer
    let size = 0
    const counted = async function* (intake: Intake): AsyncIterable<Uint8Array> {
      for await (const chunk of stream) {
        size += chunk.length
        intake.#pendingBytes += chunk.length
        if (!intake.hasRoom(0)) throw FULL
        yield chunk
      }
    }
    try {
      await blobs.put(envelope.messageId, 'raw', counted(this))
      return await this.#readers.receive(network, { envelope }, size)
    } catch (error) {
      // The client sends the message again, with another id.
      await blobs.remove(envelope.messageId).catch(() => {})
      throw this.#writer.hasRoom(0) ? error : FULL
    } finally {
      this.#pendingBytes -= size
    }
  }

  async #receive(envelope: Envelope, raw: RawMessage, read: ReadMail): Promise<string[]> {
    const emails = await receive(this.#ports, envelope, raw, { read, retentionMs: this.#retentionMs })
    return emails.map((email) => email.id)
  }

  /**
   * Reads on this thread, and counts the time against the client's budget. Messages are read one
   * after the other, because the clock of the thread cannot tell two readings apart. Rejects with InDebt, before
   * anything is stored, if the client has used up its budget when it is the message's turn: it may have sent many at
   * once.
   */
  #metered(read: ReadMail, client: string, bytes: number): ReadMail {
    return (raw, saveAttachment) => {
      const turn = this.#reading.then(async () => {
        await loadReading() // Its time is not the client's.
        if (!this.#budget.allows(client)) throw new InDebt()
        const began = cpuMs()
        try {
          return await read(raw, saveAttachment)
        } finally {
          this.#budget.spend(client, bytes, cpuMs() - began)
        }
      })
      this.#reading = turn.catch(() => {})
      return turn
    }
  }

  async #openRaw({ messageId }: Envelope): Promise<Opened> {
    const raw = await this.#writer.blobs.open(messageId, 'raw')
    if (raw === undefined) throw new Error('The raw message was removed before it was read')
    return raw
  }
}

/** An email that cannot be searched is shown without codes and links, so that its address can be read. */
async function loadLoggedSearch(log: Logger): Promise<Find> {
  const search = await loadSearch()
  return (searchable) => {
    try {
      return search(searchable)
    } catch (err) {
      log.error({ err }, 'a message could not be searched for codes and links')
      return NOTHING_FOUND
    }
  }
}

/** Frees the memory at the end: the message is read from the store, while this one would wait. */
async function* chunksOf(raw: Uint8Array): AsyncIterable<Uint8Array> {
  for (let at = 0; at < raw.length; at += WHOLE_BYTES) yield raw.subarray(at, at + WHOLE_BYTES)
  if (raw.buffer instanceof ArrayBuffer) raw.buffer.transfer(0)
}
