import { decoded } from '../../core/decoded.ts'
import type { Attachment, WholeEmail } from '../lib/api.ts'

/** Types that a browser draws without running anything of them. */
const PREVIEW = /^(?:application\/pdf|image\/(?:png|jpeg|gif|webp|avif|bmp))$/
/** Types that are shown as text. */
const TEXT =
  /^(?:text\/(?:plain|csv|calendar|vcard|markdown|xml|html|css)|message\/rfc822|application\/(?:json|xml|ics|x-ndjson|pgp-signature))$/

/** Names for parts without a file name, by type: what the part is, and how its file ends. */
const NAMES: [type: RegExp, name: string, extension: string][] = [
  [/^text\/calendar$/, 'invitation', 'ics'],
  [/^message\/rfc822$/, 'email', 'eml'],
  [/^application\/pdf$/, 'document', 'pdf'],
  [/^image\/svg\+xml$/, 'image', 'svg'],
  [/^image\/(\w+)$/, 'image', ''],
  [/^text\/plain$/, 'text', 'txt'],
]

/** How an attachment is shown in the page; undefined if it can only be saved. */
export function previewOf({ content_type }: Attachment): 'text' | 'file' | undefined {
  if (PREVIEW.test(content_type)) return 'file'
  return TEXT.test(content_type) ? 'text' : undefined
}

/** The file name, or one made of the type and the number. */
export function nameOf({ filename, id, content_type }: Attachment): string {
  if (filename !== null) return filename
  for (const [type, name, extension] of NAMES) {
    const match = type.exec(content_type)
    if (match !== null) return `${name}-${id}.${extension || match[1]}`
  }
  return `attachment-${id}`
}

/** The content ids of the images that an email's HTML shows. RFC 2392: a cid URL is percent-encoded. */
export function shownContentIds(html: string | null): Set<string> {
  return new Set(Array.from((html ?? '').matchAll(/\bcid:([^\s"'<>)]+)/gi), ([, id = '']) => decoded(id)))
}

/** The attachments as files, and as images that the HTML shows anyway. */
export function sorted({ attachments, body_html }: WholeEmail): {
  files: Attachment[]
  inline: Attachment[]
} {
  const shown = shownContentIds(body_html)
  const isInline = ({ content_id, content_type }: Attachment) =>
    content_id !== null && content_type.startsWith('image/') && shown.has(content_id)
  return {
    files: attachments.filter((file) => !isInline(file)),
    inline: attachments.filter(isInline),
  }
}
