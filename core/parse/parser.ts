import { Buffer } from 'node:buffer'
import type { Readable, Transform } from 'node:stream'
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
  chunkedPassthrough: Transform
  splitter: Transform & { node: { parseHeaders(): void; headers: { getList(): HeaderLine[] } | false } }
  endReceived: boolean
  reading: boolean
  readData(): void
  createNode(source: Source): Part
  processHeaders(lines: HeaderLine[]): Processed
}

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

  constructor() {
    // Attached messages are attachments, and so are delivery reports; the first leave their parts alone.
    super({ ignoreEmbedded: true, keepDeliveryStatus: true, checksumAlgo: 'sha256' })
    // The last listener is mailparser's own, which drops what was split off before the error and not yet read.
    this.splitter.off('error', this.splitter.listeners('error').at(-1) as () => void)
    this.splitter.on('error', (error: Error) => this.#endEarly(error.message))
  }

  /** Goes on as if the message ended here: there is no reading behind headers or parts without end. */
  #endEarly(fault: string): void {
    this.fault ??= fault
    this.endReceived = true
    this.chunkedPassthrough.resume()
    if (!this.reading) this.readData()
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
