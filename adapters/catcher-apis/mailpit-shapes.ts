import { createHash } from 'node:crypto'
import { decoded } from '../../core/decoded.ts'
import type { Attachment, Person } from '../../reading/message.ts'
import { entityOf } from './header-block.ts'
import type { MessageView } from './view.ts'

/** The JSON of Mailpit's messages (catchers: Mailpit, endpoint by endpoint). */

const SNIPPET_BYTES = 200

const personOf = ({ name, address }: Person) => ({ Name: name ?? '', Address: address ?? '' })
const bare = (messageId: string | null) => (messageId ?? '').replace(/^<|>$/g, '')

async function commonOf(view: MessageView) {
  const { email } = view
  return {
    ID: view.id,
    MessageID: bare((await view.details()).messageId),
    From: personOf(email.from),
    To: email.to.map(personOf),
    Cc: email.cc.map(personOf),
    Bcc: (await view.bcc()).map(personOf),
    ReplyTo: (await view.replyTo()).map(personOf),
    Subject: email.subject,
    Username: '',
    Tags: [],
    Size: email.size,
  }
}

/** A message in a list. */
export async function summaryOf(view: MessageView) {
  const { attachments } = await view.details()
  return {
    ...(await commonOf(view)),
    Read: view.listed.read,
    Created: new Date(view.email.receivedAt).toISOString(),
    Attachments: attachments.filter(({ inline }) => !inline).length,
    Snippet: snippetOf(view.email.bodyText),
  }
}

function snippetOf(bodyText: string): string {
  const text = Buffer.from(bodyText.replaceAll(/\s+/g, ' ').trim())
  if (text.length <= SNIPPET_BYTES) return text.toString()
  return `${new TextDecoder().decode(text.subarray(0, SNIPPET_BYTES), { stream: true })}...`
}

/** A whole message, as JSON text: the bodies are not parsed. */
export async function messageJson(view: MessageView): Promise<string> {
  const { attachments } = await view.details()
  const parts = await Promise.all(attachments.map((attachment) => partOf(view, attachment)))
  const message = {
    ...(await commonOf(view)),
    ReturnPath: await view.returnPath(),
    ListUnsubscribe: await unsubscribeOf(view),
    Date: await dateOf(view),
    Inline: parts.filter(({ FileName }, n) => FileName !== '' && attachments[n]!.inline),
    Attachments: parts.filter(({ FileName }, n) => FileName !== '' && !attachments[n]!.inline),
  }
  const { text, html } = await view.bodiesAsSent()
  return `${JSON.stringify(message).slice(0, -1)},"Text":${text},"HTML":${html}}`
}

async function partOf(view: MessageView, attachment: Attachment) {
  const { id, filename, contentType, contentId, size, sha256 } = attachment
  const [md5, sha1] = [createHash('md5'), createHash('sha1')]
  for await (const bytes of (await view.open(`attachments/${id}`)).stream) {
    md5.update(bytes)
    sha1.update(bytes)
  }
  return {
    PartID: id,
    FileName: filename ?? contentId ?? '',
    ContentType: contentType,
    ContentID: contentId ?? '',
    Size: size,
    Checksums: { MD5: md5.digest('hex'), SHA1: sha1.digest('hex'), SHA256: sha256 },
  }
}

async function headerOf(view: MessageView, name: string): Promise<string> {
  const { headers } = await view.details()
  return headers.find((header) => header.name.toLowerCase() === name)?.value ?? ''
}

async function unsubscribeOf(view: MessageView) {
  const Header = await headerOf(view, 'list-unsubscribe')
  const Links = [...Header.matchAll(/<\s*((?:https?:|mailto:)[^<>\s]+)\s*>/gi)].map(([, link]) => link)
  return { Header, Links, Errors: '', HeaderPost: await headerOf(view, 'list-unsubscribe-post') }
}

/** The Date field with its own offset; when the mail arrived if the field is missing. */
async function dateOf(view: MessageView): Promise<string> {
  const { date } = await view.details()
  if (date === null) return new Date(view.email.receivedAt).toISOString()
  const [, sign, hours, minutes] =
    /([+-])(\d\d)(\d\d)(?:\s*\(.*\))?\s*$/.exec(await headerOf(view, 'date')) ?? []
  if (sign === undefined) return new Date(date).toISOString().replace('.000Z', 'Z')
  const ahead = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
  const local = new Date(Date.parse(date) + ahead).toISOString().slice(0, 19)
  return ahead === 0 ? `${local}Z` : `${local}${sign}${hours}:${minutes}`
}

/** Every field of a message, undecoded, with names such as `Message-Id`. */
export function headersOf(source: string): Record<string, string[]> {
  const headers: Record<string, string[]> = {}
  for (const { name, value } of entityOf(source).fields) {
    const canonical = name.toLowerCase().replaceAll(/(?:^|-)[a-z]/g, (letter) => letter.toUpperCase())
    headers[canonical] = [...(headers[canonical] ?? []), value]
  }
  return headers
}

/** The HTML part with the URLs of its inline parts; undefined for a mail without HTML. */
export async function htmlOf(view: MessageView): Promise<string | undefined> {
  const html = JSON.parse((await view.bodiesAsSent()).html) as string
  if (html === '') return undefined
  const { attachments } = await view.details()
  const ids = new Map(attachments.map(({ contentId, id }) => [contentId, id]))
  return html.replaceAll(/cid:([^"'\s)>]+)/gi, (whole, contentId: string) => {
    const part = ids.get(contentId) ?? ids.get(decoded(contentId))
    return part === undefined ? whole : `/api/v1/message/${view.id}/part/${part}`
  })
}
