import type { EmailAddress } from 'mailparser'
import { SUMMARY_ADDRESSES, SUMMARY_NAME_BYTES, SUMMARY_SUBJECT_BYTES } from '../limits.ts'
import { findCodes } from './codes.ts'
import { findLinks } from './links.ts'
import type { ActionLink, Attachment, Person } from './message.ts'
import { takeAttachment } from './parse/attachment.ts'
import {
  firstValue,
  type Header,
  type HeaderLine,
  headerDate,
  headerList,
  readable,
} from './parse/headers.ts'
import { htmlText } from './parse/html.ts'
import { Parser, type PassingAttachment } from './parse/parser.ts'
import { cut, storable } from './parse/text.ts'

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
  action_link: ActionLink | null
  headers: Header[]
  message_id: string | null
  date: string | null
  attachments: Attachment[]
  /** What kept the rest of the message from being read. */
  parse_error?: string
}

/** Stores attachment `id`; the content must be read in this call. */
export type Keep = (id: string, content: AsyncIterable<Uint8Array>) => Promise<void>

/** The header bytes in which mailboxes are looked for: a hundred of them take a tenth of it. */
const ADDRESS_HEADER_CHARACTERS = 64 * 1024
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
  const parser = new Parser()
  const passing: PassingAttachment[] = []
  const taken: Promise<Attachment>[] = []
  const over = new Promise<void>((resolve, reject) => {
    parser.once('end', resolve)
    parser.on('error', (error: Error) => {
      parser.fault ??= error.message
      resolve()
    })
    parser.on('data', (part: PassingAttachment | { type: 'text' }) => {
      if (part.type !== 'attachment') return
      passing.push(part)
      taken.push(takeAttachment(String(taken.length), part, keep))
      taken.at(-1)!.catch(reject)
    })
  })
  // Where `raw` rejects first, nobody waits for this any more.
  over.catch(() => {})
  try {
    for await (const chunk of chunks(raw)) {
      if (parser.fault === undefined && !parser.write(chunk)) await Promise.race([drained(parser), over])
    }
    parser.end()
    await over
    await Promise.all(parser.texts.map((text) => text.finish()))
    return describe(parser, await Promise.all(taken))
  } catch (error) {
    for (const { content } of passing) content.destroy(error as Error)
    await Promise.allSettled(taken)
    throw error
  } finally {
    parser.destroy()
  }
}

function* slices(bytes: Uint8Array): Iterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES)
}

function chunks(
  raw: AsyncIterable<Uint8Array> | Uint8Array,
): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  return raw instanceof Uint8Array ? slices(raw) : raw
}

function drained(parser: Parser): Promise<void> {
  return new Promise((resolve) => {
    parser.once('drain', resolve)
  })
}

function describe(parser: Parser, attachments: Attachment[]): ParsedMail {
  const { lines } = parser
  const headers = headerList(lines)
  const texts: string[] = []
  const htmls: string[] = []
  for (const part of parser.texts) (part.html ? htmls : texts).push(storable(part.takeText()))
  const html = htmls.length === 0 ? null : htmls.join('<br/>\n')
  let text = texts.join('\n')
  if (html !== null && text.trim() === '') text = htmlText(html)
  const subject = cut(firstValue(headers, 'subject') ?? '', SUMMARY_SUBJECT_BYTES)
  const error =
    parser.fault ?? (parser.partless ? 'The message says that it is in parts, but holds none.' : undefined)
  return {
    from: people(parser, lines, 'from')[0] ?? { name: null, address: null },
    to: people(parser, lines, 'to'),
    cc: people(parser, lines, 'cc'),
    subject,
    text,
    html,
    codes: findCodes({ subject, text, html }),
    ...findLinks({ subject, text, html }),
    headers,
    message_id: firstValue(headers, 'message-id') || null,
    date: headerDate(firstValue(headers, 'date')),
    attachments,
    ...(error === undefined ? {} : { parse_error: error }),
  }
}

/** The mailboxes of all headers of this name, those of groups (RFC 5322, section 3.4) like all others. */
function people(parser: Parser, lines: HeaderLine[], key: 'from' | 'to' | 'cc'): Person[] {
  const found: Person[] = []
  for (const header of lines) {
    if (header.key !== key || found.length >= SUMMARY_ADDRESSES) continue
    const value = readable(header.line.slice(header.line.indexOf(':') + 1))
    collect(parser.addresses(key, value.slice(0, ADDRESS_HEADER_CHARACTERS)), found)
  }
  return found.slice(0, SUMMARY_ADDRESSES)
}

function collect(addresses: EmailAddress[], into: Person[]): void {
  for (const { name, address, group } of addresses) {
    if (group === undefined) into.push({ name: limited(name), address: limited(address) })
    else collect(group, into)
  }
}

function limited(text: string | undefined): string | null {
  return cut(storable(text ?? ''), SUMMARY_NAME_BYTES) || null
}
