import { Buffer } from 'node:buffer'
import {
  HTML_TO_TEXT_CHARACTERS,
  LINK_BYTES,
  LINKS_MAX,
  SUMMARY_ADDRESSES,
  SUMMARY_NAME_BYTES,
  SUMMARY_SUBJECT_BYTES,
} from '../core/limits.ts'
import { findCodes } from './codes.ts'
import { htmlText } from './html/text.ts'
import { findLinks } from './links.ts'
import type { ActionLink, Attachment, Person } from './message.ts'
import { addressesIn } from './mime/addresses.ts'
import { AttachmentPart, type Keep } from './mime/attachment.ts'
import { headerDate } from './mime/date.ts'
import { dispositionOf, isBody } from './mime/disposition.ts'
import type { Field } from './mime/header-block.ts'
import { firstValue, type Header, headerList, unfolded } from './mime/headers.ts'
import { LineEnds } from './mime/line-ends.ts'
import { type Leaf, type Piece, Structure } from './mime/structure.ts'
import { cut, storable } from './mime/text.ts'
import { TextPart } from './mime/text-part.ts'
import { transferOf } from './mime/transfer.ts'

/** A message as it was understood. Names, addresses and the subject are within the limits of a summary. */
export interface ParsedMail {
  from: Person
  to: Person[]
  cc: Person[]
  subject: string
  /** The text parts; without any, the text of the HTML. */
  text: string
  html: string | null
  codes: string[]
  links: string[]
  actionLink: ActionLink | null
  headers: Header[]
  messageId: string | null
  date: string | null
  attachments: Attachment[]
  /** What kept the rest of the message from being read. */
  parseError?: string
}

/** The bytes of each kind of address field in which mailboxes are looked for: a hundred take a tenth of it. */
const ADDRESS_BYTES = 64 * 1024
const CHUNK_BYTES = 64 * 1024

/**
 * Reads a message (RFC 5322, MIME) as it streams. Whatever its content, it gives what could be read of it,
 * with `parse_error` where that is not all; it rejects only with what `raw` or `keep` rejects with.
 * `raw` is read to its end, unless `keep` rejects.
 */
export async function parseMail(
  raw: AsyncIterable<Uint8Array> | Uint8Array,
  keep: Keep,
): Promise<ParsedMail> {
  const structure = new Structure()
  const lineEnds = new LineEnds()
  const texts: TextPart[] = []
  const attachments: Attachment[] = []
  let part: TextPart | AttachmentPart | undefined

  function begin(leaf: Leaf): TextPart | AttachmentPart {
    const encoding = leaf.fields.find(({ key }) => key === 'content-transfer-encoding')
    const disposition = dispositionOf(leaf)
    const isText = isBody(leaf, disposition)
    const transfer = transferOf(encoding && unfolded(encoding.line), isText)
    if (!isText) return new AttachmentPart(String(attachments.length), leaf, disposition, transfer, keep)
    const text = new TextPart(leaf.media.type === 'text/html', leaf.media.parameters, transfer)
    texts.push(text)
    return text
  }

  async function take(pieces: Iterable<Piece>): Promise<void> {
    for (const piece of pieces) {
      if (piece.type === 'leaf') part = begin(piece.leaf)
      else if (piece.type === 'data') {
        const waits = part!.write(piece.bytes)
        if (waits !== undefined) await waits
      } else {
        if (part instanceof AttachmentPart) attachments.push(await part.end())
        part = undefined
      }
    }
  }

  try {
    for await (const chunk of chunks(raw)) await take(structure.write(lineEnds.write(asBuffer(chunk))))
    await take(structure.write(lineEnds.end()))
    await take(structure.end())
  } catch (error) {
    if (part instanceof AttachmentPart) await part.fail(error)
    throw error
  }
  return describe(structure, texts, attachments)
}

function* slices(bytes: Uint8Array): Iterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES)
}

function chunks(
  raw: AsyncIterable<Uint8Array> | Uint8Array,
): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  return raw instanceof Uint8Array ? slices(raw) : raw
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function describe({ fields, fault }: Structure, parts: TextPart[], attachments: Attachment[]): ParsedMail {
  const headers = headerList(fields)
  const texts: string[] = []
  const htmls: string[] = []
  for (const part of parts) (part.html ? htmls : texts).push(storable(part.takeText()))
  const html = htmls.length === 0 ? null : htmls.join('<br/>\n')
  let text = texts.join('\n')
  if (html !== null && text.trim() === '') text = htmlText(beginning(html))
  const subject = cut(firstValue(headers, 'subject') ?? '', SUMMARY_SUBJECT_BYTES)
  return {
    from: people(fields, 'from')[0] ?? { name: null, address: null },
    to: people(fields, 'to'),
    cc: people(fields, 'cc'),
    subject,
    text,
    html,
    codes: findCodes({ subject, text, html }),
    ...findLinks({ subject, text, html }, { links: LINKS_MAX, linkBytes: LINK_BYTES }),
    headers,
    messageId: firstValue(headers, 'message-id') || null,
    date: headerDate(firstValue(headers, 'date')),
    attachments,
    ...(fault === undefined ? {} : { parseError: fault }),
  }
}

/** As much HTML as is made text, up to a tag. */
function beginning(html: string): string {
  if (html.length <= HTML_TO_TEXT_CHARACTERS) return html
  return html.slice(0, html.lastIndexOf('<', HTML_TO_TEXT_CHARACTERS))
}

/** The mailboxes of all fields of this name; what is looked at is bounded for all of them together. */
function people(fields: readonly Field[], key: 'from' | 'to' | 'cc'): Person[] {
  const found: Person[] = []
  let left = ADDRESS_BYTES
  for (const field of fields) {
    if (field.key !== key || found.length >= SUMMARY_ADDRESSES || left <= 0) continue
    const value = unfolded(field.line).slice(0, left)
    left -= value.length
    found.push(...addressesIn(value, SUMMARY_ADDRESSES - found.length))
  }
  return found.map(({ name, address }) => ({ name: limited(name), address: limited(address) }))
}

function limited(text: string | null): string | null {
  return cut(storable(text ?? ''), SUMMARY_NAME_BYTES) || null
}
