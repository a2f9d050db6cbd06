import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type AddressObject, simpleParser } from 'mailparser'
import { readWithAttachments } from '../../reading/read-mail.ts'
import { goProgram, npmPackage } from '../installed.ts'

/** The fields in which parsers are compared, as texts. */
export interface Seen {
  subject: string
  /** Of several authors the first, because the contract has one. */
  from: string
  to: string
  /** UTC to the second; empty if it is missing or unreadable. */
  date: string
  text: string
  html: string
  /** The names in the order of the message. */
  names: string
  /** Sizes and hashes in the order of the message. */
  contents: string
}

interface Mailbox {
  name?: string | null
  address?: string | null
}

interface File {
  filename?: string | null
  content: Uint8Array
}

type Parsed = Pick<Seen, 'subject' | 'text' | 'html'> & {
  from: Mailbox[]
  to: Mailbox[]
  date: Date | string | null | undefined
  attachments: { filename?: string | null; size: number; sha256: string }[]
}

/** The fields without the differences that every parser may make: blanks, line ends and letter case of a domain. */
function seen({ subject, from, to, date, text, html, attachments }: Parsed): Seen {
  const at = date ? new Date(date) : undefined
  const sorted = attachments
    .map(({ filename, size, sha256 }) => ({ name: filename ?? '', content: `${size} ${sha256.slice(0, 8)}` }))
    .toSorted((a, b) => a.content.localeCompare(b.content))
  return {
    subject: blanks(subject),
    from: people(from.slice(0, 1)),
    to: people(to),
    date: at === undefined || Number.isNaN(at.getTime()) ? '' : at.toISOString().slice(0, 19),
    text: blanks(text),
    html: blanks(html),
    names: sorted.map(({ name }) => blanks(name)).join(', '),
    contents: sorted.map(({ content }) => content).join(', '),
  }
}

const blanks = (text: string) => text.replaceAll(/[\s\u00a0\ufeff]+/g, ' ').trim()
const people = (all: Mailbox[]) =>
  all.map(({ name, address }) => `${blanks(name ?? '')} <${(address ?? '').toLowerCase()}>`.trim()).join(', ')

const file = ({ filename, content }: File) => ({
  filename: filename ?? '',
  size: content.length,
  sha256: createHash('sha256').update(content).digest('hex'),
})

/** This project's reader. */
export async function byMayfly(path: string): Promise<Seen> {
  const { mail } = await readWithAttachments(readFileSync(path))
  const { from } = mail
  return seen({ ...mail, from: from.name || from.address ? [from] : [], html: mail.html ?? '' })
}

async function byMailparser(path: string): Promise<Seen> {
  const mail = await simpleParser(readFileSync(path), {
    skipHtmlToText: true,
    skipTextToHtml: true,
    skipImageLinks: true,
  })
  const mailboxes = (field: AddressObject | AddressObject[] | undefined) =>
    [field ?? []].flat().flatMap(({ value }) => value.flatMap((one) => one.group ?? one))
  return seen({
    subject: mail.subject ?? '',
    from: mailboxes(mail.from),
    to: mailboxes(mail.to),
    date: mail.headers.has('date') ? mail.date : null,
    text: mail.text ?? '',
    html: mail.html || '',
    attachments: mail.attachments.map(file),
  })
}

interface PostalMime {
  parse(
    raw: Uint8Array,
    options: object,
  ): Promise<{
    subject?: string
    from?: Mailbox & { group?: Mailbox[] }
    to?: (Mailbox & { group?: Mailbox[] })[]
    date?: string
    text?: string
    html?: string
    attachments: { filename: string | null; content: ArrayBuffer }[]
  }>
}

async function byPostalMime(path: string): Promise<Seen> {
  const { default: parser } = createRequire(import.meta.url)(npmPackage('postal-mime')) as {
    default: PostalMime
  }
  const mail = await parser.parse(readFileSync(path), { attachmentEncoding: 'arraybuffer' })
  const mailboxes = (all: (Mailbox & { group?: Mailbox[] })[]) => all.flatMap((one) => one.group ?? one)
  return seen({
    subject: mail.subject ?? '',
    from: mailboxes(mail.from === undefined ? [] : [mail.from]),
    to: mailboxes(mail.to ?? []),
    date: mail.date,
    text: mail.text ?? '',
    html: mail.html ?? '',
    attachments: mail.attachments.map(({ filename, content }) =>
      file({ filename, content: new Uint8Array(content) }),
    ),
  })
}

/** All at once, because it is a program; null for a message that it refuses. */
function byEnmime(paths: string[]): (Seen | null)[] {
  const output = execFileSync(goProgram('mime'), {
    input: paths.join('\n'),
    encoding: 'utf8',
    maxBuffer: 1e9,
  })
  return output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Parsed | null)
    .map((mail) => mail && seen(mail))
}

/** What three other parsers see in each message; null for a message that one refuses. */
export async function byOthers(paths: string[]): Promise<(Seen | null)[][]> {
  const enmime = byEnmime(paths)
  const orNull = (parsing: Promise<Seen>) => parsing.catch(() => null)
  return Promise.all(
    paths.map(async (path, i) => [
      await orNull(byMailparser(path)),
      await orNull(byPostalMime(path)),
      enmime[i]!,
    ]),
  )
}
