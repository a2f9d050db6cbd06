import { finished } from 'node:stream/promises'
import { SUMMARY_NAME_BYTES } from '../../limits.ts'
import type { Attachment } from '../message.ts'
import type { PassingAttachment } from './parser.ts'
import { cut, storable } from './text.ts'

/** RFC 6838, section 4.2, in lower case. */
const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const CONTROLS = /[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g

/** Stores attachment `id` of a message by `keep` while it streams past, and lets the message go on. */
export async function takeAttachment(
  id: string,
  passing: PassingAttachment,
  keep: (id: string, content: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<Attachment> {
  const { content } = passing
  const end = finished(content, { writable: false })
  // A fault of the stream is thrown where the stream is read; here it must only not go unheard.
  end.catch(() => {})
  await keep(id, content.iterator({ destroyOnReturn: false }))
  content.resume()
  await end
  passing.release()
  return {
    id,
    filename: safeName(passing.filename),
    content_type: mediaType(passing.contentType),
    size: passing.size,
    inline:
      passing.contentDisposition === 'inline' ||
      (passing.contentDisposition === undefined && passing.related === true),
    content_id: storable(passing.cid ?? '') || null,
    sha256: passing.checksum,
  }
}

/** The last component of a path, without control characters; null where nothing is left that names a file. */
function safeName(filename: string | undefined): string | null {
  const last = storable(filename ?? '')
    .replaceAll(CONTROLS, '')
    .split(/[/\\]/)
    .at(-1)!
    .trim()
  return last === '' || last === '.' || last === '..' ? null : cut(last, SUMMARY_NAME_BYTES)
}

function mediaType(type: string): string {
  return MEDIA_TYPE.test(type) ? type : 'application/octet-stream'
}
