import { Buffer } from 'node:buffer'
import type { Readable, Transform, TransformCallback } from 'node:stream'
import { type EmailAddress, MailParser } from 'mailparser'
import type { HeaderLine } from './headers.ts'
import { QuotedPrintableDecoder } from './quoted-printable.ts'
import { TextPart } from './text-part.ts'

/** An attachment as it passes by. `size` and `checksum` are set when its content was read to the end. */
export interface PassingAttachment {
  type: 'attachment'
  contentType: string
  contentDisposition?: string
  filename?: string
  cid?: string
  related?: boolean
  size: number
  checksum: string
  content: Transform
  /** The message goes on only after this was called. */
  release(): void
}

/** What mailparser and mailsplit keep of a part: only what is used here. */
interface Part {
  isAttachment?: boolean
  contentType: string | false
  encoding?: string
  decoder?: Transform
  charset?: string
  children: Part[]
}

interface Source {
  charset: string | false
  flowed: boolean
  delSp: boolean
  getDecoder(): Transform
}

type Processed = Map<string, string | { value: EmailAddress[] }>

/** The methods and fields of MailParser that its type declarations leave out. */
interface Internals {
  headerLines: HeaderLine[] | false
  curnode: Part | false
  /** The message itself: the root of its parts. */
  tree: Part | false
  decoder: { decodeStream(charset: string): Transform }
  splitter: Transform & { node: { parseHeaders(): void; headers: { getList(): HeaderLine[] } | false } }
  endReceived: boolean
  reading: boolean
  readData(): void
  endStream(): void
  /** Where a chunk cannot be taken yet, `done` waits here, or for the decoder of the part to drain. */
  attachmentCallback: (() => void) | false
  processChunk(chunk: object, done: () => void): void
  createNode(source: Source): Part
  processHeaders(lines: HeaderLine[]): Processed
}

/** So that a message of nothing but parts holds nobody up. */
const PIECES_A_TURN = 32

/** Stands for the decoder of a part until it is known which one it needs; mailparser only listens to it. */
const NO_DECODER = { on() {} } as unknown as Transform

const Base = MailParser as unknown as new (options: object) => Internals & Transform & Readable

/**
 * mailparser's MailParser, with the work left out that nobody here asks for (three quarters of its time), and
 * its text decoders replaced (see TextPart and QuotedPrintableDecoder for why).
 */
export class Parser extends Base {
  readonly texts: TextPart[] = []
  /** Why the rest of the message is not read, where it is not. */
  fault: string | undefined
  /** Waits until the splitter can take more. */
  #blocked: TransformCallback | undefined

  constructor() {
    // Attached messages are attachments, and so are delivery reports; the first leave their parts alone.
    super({ ignoreEmbedded: true, keepDeliveryStatus: true, checksumAlgo: 'sha256' })
    // The last listener is mailparser's own, which drops what was split off before the error and not yet read.
    this.splitter.off('error', this.splitter.listeners('error').at(-1) as () => void)
    this.splitter.on('error', (error: Error) => this.#endEarly(error.message))
    this.splitter.on('drain', () => this.#unblock())
  }

  /** Goes on as if the message ended here: there is no reading behind headers or parts without end. */
  #endEarly(fault: string): void {
    this.fault ??= fault
    this.endReceived = true
    this.#unblock()
    if (!this.reading) this.readData()
  }

  /** Past mailparser's own collector of small chunks: those here are large, and it copies them. */
  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    if (this.fault !== undefined || this.splitter.write(chunk)) done()
    else this.#blocked = done
  }

  #unblock(): void {
    const done = this.#blocked
    this.#blocked = undefined
    done?.()
  }

  /**
   * Takes what was split off. mailparser lets two turns of the event loop pass for each piece, which for a small mail
   * is a third of its time; here only every PIECES_A_TURN of them do.
   */
  override readData(): void {
    if (this.destroyed) return
    this.reading = true
    for (let pieces = 0; pieces < PIECES_A_TURN; pieces++) {
      const piece = this.splitter.read() as object | null
      if (piece === null) {
        this.reading = false
        if (this.endReceived) this.endStream()
        return
      }
      let waiting = false
      this.processChunk(piece, () => {
        if (waiting) this.readData()
      })
      waiting = this.attachmentCallback !== false || this.#partIsFull
      if (waiting) return
    }
    setImmediate(() => this.readData())
  }

  /** Whether the part that is coming in has to be waited for. */
  get #partIsFull(): boolean {
    return this.curnode !== false && this.curnode.decoder?.writableNeedDrain === true
  }

  /** The fields of the message's own header, also when reading it failed half-way. */
  get lines(): HeaderLine[] {
    if (this.headerLines !== false) return this.headerLines
    const { node } = this.splitter
    node.parseHeaders()
    return node.headers === false ? [] : node.headers.getList()
  }

  /** The mailboxes of an address header, with the names decoded. */
  addresses(key: 'from' | 'to' | 'cc', value: string): EmailAddress[] {
    const line = `${key}:${Buffer.from(value).toString('latin1')}`
    const found = super.processHeaders([{ key, line }]).get(key)
    return typeof found === 'object' ? found.value : []
  }

  /** Whether the message declares parts and none was found. */
  get partless(): boolean {
    return (
      this.tree !== false &&
      /^multipart\//.test(this.tree.contentType || '') &&
      this.tree.children.length === 0
    )
  }

  override createNode(source: Source): Part {
    const decoder = source.getDecoder.bind(source)
    source.getDecoder = () => NO_DECODER
    const part = super.createNode(source)
    if (part.decoder === undefined) return part
    const quoted = part.encoding === 'quoted-printable'
    if (part.isAttachment === true) {
      part.decoder = quoted ? new QuotedPrintableDecoder() : decoder()
      return part
    }
    const encoded = part.encoding === 'base64' ? decoder() : undefined
    const { flowed, delSp } = source
    const text = new TextPart(
      {
        html: part.contentType === 'text/html',
        charset: part.charset,
        transfer: quoted ? 'quoted-printable' : encoded,
        flowed,
        delSp,
      },
      (charset) => this.decoder.decodeStream(charset),
    )
    this.texts.push(text)
    // The text part decodes all of it, so that mailparser must not do so once more.
    part.decoder = text
    delete part.charset
    source.flowed = false
    return part
  }

  /** Of the headers of a part only this one is asked for; those of the message are read in headers.ts. */
  override processHeaders(lines: HeaderLine[]): Processed {
    const id = lines.find((line) => line.key === 'content-id')
    return id === undefined ? new Map() : super.processHeaders([id])
  }

  getTextContent(): object {
    return { type: 'text' }
  }

  getAddressesHTML(): string {
    return ''
  }

  getAddressesText(): string {
    return ''
  }
}
