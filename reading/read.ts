import { Buffer } from 'node:buffer'
import { findCodeDetails } from './codes.ts'
import { Allowance } from './derived.ts'
import { htmlText } from './html/text.ts'
import type { ReadingLimits } from './limits.ts'
import { findLinks } from './links.ts'
import type { Attachment, CodeDetail, Findings, Person } from './message.ts'
import { addressesIn } from './mime/addresses.ts'
import { AttachmentPart, type SaveAttachment } from './mime/attachment.ts'
import { headerDate } from './mime/date.ts'
import { firstField, firstValue, type Header, headerList, unfolded } from './mime/headers.ts'
import { LineEnds } from './mime/line-ends.ts'
import { dispositionOf, isBody, transferOf } from './mime/part-header.ts'
import type { Leaf, Piece } from './mime/pieces.ts'
import { Structure } from './mime/structure.ts'
import { cut, storable } from './mime/text.ts'
import { TextPart } from './mime/text-part.ts'
import { SEARCH_UNITS } from './search-budget.ts'

/**
 * The content of a message. Names, addresses and the subject are within the limits of a summary.
 */
export interface ParsedMail extends MailContents, Findings {}

/** A message without what a search finds in it. */
export interface MailContents {
  from: Person
  to: Person[]
  cc: Person[]
  replyTo: Person[]
  subject: string
  /** The text parts, and the text of HTML that they do not repeat, in the order of the message. */
  text: string
  html: string | null
  headers: Header[]
  messageId: string | null
  date: string | null
  attachments: Attachment[]
  /** Why the message could not be read completely. */
  parseError?: string
}

/** What codes and links are looked for in. */
export interface Searchable {
  subject: string
  text: string
  html: string | null
  /** Whether the text is made of the HTML, because the message has no other. */
  isTextOfHtml: boolean
}

const CHUNK_BYTES = 64 * 1024
/** Texts that begin alike are alternatives of each other. */
const COMPARED_CHARACTERS = 500
const WORDS = /[\p{L}\p{N}]+/gu
const TEXT_CUT = 'The text is made of the beginning of the HTML only, because the HTML is very long.'

/** Reads a message as `readContents` does, and finds its codes and links. */
export async function parseMail(
  raw: AsyncIterable<Uint8Array> | Uint8Array,
  saveAttachment: SaveAttachment,
  limits: ReadingLimits,
): Promise<ParsedMail> {
  const { contents, searchable } = await readContents(raw, saveAttachment, limits)
  return { ...contents, ...findIn(searchable, limits) }
}

/** Finds the codes and links of a message, each kind in the order of its likelihood. */
export function findIn(searchable: Searchable, limits: ReadingLimits): Findings {
  const budget = { left: SEARCH_UNITS }
  const codeDetails = findCodeDetails(searchable, budget)
  const codes = codeDetails.map(({ value }) => value)
  return { codes, codeDetails, ...findLinks(searchable, limits, budget, mayBeHeld(codeDetails)) }
}

/** Codes that a link of the mail may hold. A password may be any word. */
function mayBeHeld(codes: CodeDetail[]): string[] {
  return codes.filter(({ kind }) => kind !== 'password').map(({ value }) => value)
}

/**
 * Reads a message (RFC 5322, MIME) while it arrives. It never fails because of the content: it
 * returns what could be read, with `parseError` if that is not everything. It reads `raw` to its
 * end unless `saveAttachment` rejects.
 * @param saveAttachment stores one attachment; the next one begins when it has resolved
 * @throws what `raw` or `saveAttachment` rejects with
 */
export async function readContents(
  raw: AsyncIterable<Uint8Array> | Uint8Array,
  saveAttachment: SaveAttachment,
  limits: ReadingLimits,
): Promise<{ contents: MailContents; searchable: Searchable }> {
  const reader = new MessageReader(saveAttachment, limits)
  try {
    // Not one loop: `for await` over a synchronous source takes two more turns for each message.
    if (raw instanceof Uint8Array) for (const chunk of slices(raw)) await reader.write(chunk)
    else for await (const chunk of raw) await reader.write(chunk)
    return await reader.end()
  } catch (error) {
    await reader.fail(error)
    throw error
  }
}

function* slices(bytes: Uint8Array): Iterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES)
}

class MessageReader {
  readonly #save: SaveAttachment
  readonly #limits: ReadingLimits
  readonly #structure: Structure
  readonly #lineEnds = new LineEnds()
  readonly #texts: string[] = []
  readonly #htmls: string[] = []
  readonly #attachments: Attachment[] = []
  #part: TextPart | AttachmentPart | undefined
  /**
   * Where HTML is that is a part of its own and no alternative of a text (RFC 8621, section 4.1.4):
   * mailing lists, virus scanners and gateways put their text before or behind such HTML.
   */
  #ownHtml: 'before the text' | 'behind the text' | undefined
  #size = 0

  constructor(save: SaveAttachment, limits: ReadingLimits) {
    this.#save = save
    this.#limits = limits
    this.#structure = new Structure(limits)
  }

  async write(chunk: Uint8Array): Promise<void> {
    this.#size += chunk.length
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    await this.#take(this.#structure.write(this.#lineEnds.write(bytes)))
  }

  async end(): Promise<{ contents: MailContents; searchable: Searchable }> {
    await this.#take(this.#structure.write(this.#lineEnds.end()))
    await this.#take(this.#structure.end())
    return this.#describe()
  }

  /** Makes the attachment that is being stored fail, so that it never looks complete. */
  async fail(error: unknown): Promise<void> {
    if (this.#part instanceof AttachmentPart) await this.#part.fail(error)
  }

  async #take(pieces: Iterable<Piece>): Promise<void> {
    for (const piece of pieces) {
      if (piece.type === 'leaf') this.#part = this.#beginPart(piece.leaf)
      else if (piece.type === 'data') {
        const taken = this.#part?.write(piece.bytes)
        if (taken !== undefined) await taken
      } else {
        const part = this.#part
        if (part instanceof AttachmentPart) this.#attachments.push(await part.end(this.#limits.nameBytes))
        else if (part !== undefined) (part.isHtml ? this.#htmls : this.#texts).push(storable(part.takeText()))
        this.#part = undefined
      }
    }
  }

  #beginPart(leaf: Leaf): TextPart | AttachmentPart {
    const disposition = dispositionOf(leaf, this.#structure.context)
    const isText = isBody(leaf, disposition)
    const transfer = transferOf(firstField(leaf.fields, 'content-transfer-encoding'), isText)
    if (!isText)
      return new AttachmentPart(String(this.#attachments.length), leaf, disposition, transfer, this.#save)
    const { type, parameters } = leaf.media
    const isHtml = type === 'text/html'
    if (isHtml && !leaf.isAlternative)
      this.#ownHtml ??= this.#texts.length === 0 ? 'before the text' : 'behind the text'
    return new TextPart(isHtml, parameters, transfer, this.#structure.context)
  }

  #describe(): { contents: MailContents; searchable: Searchable } {
    const { fields, context } = this.#structure
    const allowance = new Allowance(this.#limits, this.#size, this.#attachments)
    const decoded = { headers: headerList(fields, context), ...this.#bodies() }
    const { headers, text: own, html } = allowance.contents(decoded)
    const isTextOfHtml = html !== null && own.trim() === ''
    const isAsked = isTextOfHtml || (html !== null && this.#ownHtml !== undefined)
    const converted = isAsked ? this.#beginning(html) : ''
    const ofHtml = isAsked ? htmlText(converted) : ''
    const isMade = isTextOfHtml || (ofHtml !== '' && !repeats(own, ofHtml))
    const made = isMade ? allowance.generated(ofHtml) : ''
    const texts = this.#ownHtml === 'before the text' ? [made, own] : [own, made]
    const text = isTextOfHtml ? made : texts.filter((part) => part !== '').join('\n\n')
    const subject = cut(firstValue(headers, 'subject') ?? '', this.#limits.subjectBytes)
    const isCut = isMade && converted !== html
    const fault = this.#structure.fault ?? allowance.fault ?? (isCut ? TEXT_CUT : undefined)
    const contents = {
      from: this.#people('from')[0] ?? { name: null, address: null },
      to: this.#people('to'),
      cc: this.#people('cc'),
      replyTo: this.#people('reply-to'),
      subject,
      text,
      html,
      headers,
      messageId: firstValue(headers, 'message-id') || null,
      date: headerDate(firstValue(headers, 'date')),
      attachments: this.#attachments,
      ...(fault === undefined ? {} : { parseError: fault }),
    }
    return { contents, searchable: { subject, text, html, isTextOfHtml } }
  }

  #bodies(): { text: string; html: string | null } {
    const html = this.#htmls.length === 0 ? null : this.#htmls.join('<br/>\n')
    return { text: this.#texts.join('\n'), html }
  }

  /** Returns as much HTML as is converted to text, up to a tag. */
  #beginning(html: string): string {
    const { htmlToTextCharacters } = this.#limits
    if (html.length <= htmlToTextCharacters) return html
    return html.slice(0, html.lastIndexOf('<', htmlToTextCharacters))
  }

  /**
   * Returns the mailboxes of all fields of this name. One bound covers the bytes searched in all of
   * them.
   */
  #people(key: 'from' | 'to' | 'cc' | 'reply-to'): Person[] {
    const { addresses, addressBytes, nameBytes } = this.#limits
    const { fields, context } = this.#structure
    const found: Person[] = []
    let left = addressBytes
    for (const field of fields) {
      if (field.key !== key || found.length >= addresses || left <= 0) continue
      const value = unfolded(field.line).slice(0, left)
      left -= value.length
      found.push(...addressesIn(value, addresses - found.length, context))
    }
    const limited = (text: string | null) => cut(storable(text ?? ''), nameBytes) || null
    return found.map(({ name, address }) => ({ name: limited(name), address: limited(address) }))
  }
}

/**
 * Whether most of the words of one of two texts are words of the other one: programs send alternatives as
 * multipart/mixed, too.
 */
function repeats(one: string, other: string): boolean {
  const [words, others] = [wordsOf(one), wordsOf(other)]
  let common = 0
  for (const word of words) if (others.has(word)) common++
  return common * 2 > Math.min(words.size, others.size)
}

/** The words of the beginning of a text. */
function wordsOf(text: string): Set<string> {
  return new Set(text.slice(0, COMPARED_CHARACTERS).toLowerCase().match(WORDS))
}
