import { ReadableStream } from 'node:stream/web'
import type { Handover, WholeEmail } from '../../core/inbox/mailbox.ts'
import { contentDisposition } from '../../core/mail/content-disposition.ts'
import { wholeWithoutBodies } from './wire/email.ts'

/** A part of a message as an answer: a redirect to where it is, or its bytes. */
export function handOver(part: Handover): Response {
  if ('url' in part) return new Response(null, { status: 302, headers: { Location: part.url } })
  const headers = new Headers({
    'Content-Type': part.download.content_type,
    'Content-Length': String(part.size),
    'X-Content-Type-Options': 'nosniff',
    // Whatever a mail brings must not run as a page of this origin, also where a browser shows it inline.
    'Content-Security-Policy': "sandbox; default-src 'none'",
  })
  if (part.download.filename !== null) {
    headers.set('Content-Disposition', contentDisposition(part.download.filename))
  }
  return new Response(body(part.stream), { headers })
}

/**
 * The single-email answer. The bodies are JSON in the store already and pass through unparsed: the answer for
 * 38 MB of HTML costs no more memory than one for two lines.
 */
export function wholeEmail({ email, detail, bodies }: WholeEmail): Response {
  const whole = wholeWithoutBodies(email, detail)
  const head = `{"success":true,"email":${JSON.stringify(whole).slice(0, -1)},`
  return new Response(body(spliced(head, bodies)), { headers: { 'Content-Type': 'application/json' } })
}

/** `{…,` and `{"body_text":…}` become one object. */
async function* spliced(head: string, bodies: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let opening: Uint8Array = Buffer.from(head)
  for await (const chunk of bodies) {
    if (opening.length === 0) yield chunk
    else {
      yield Buffer.concat([opening, chunk.subarray(1)])
      opening = Buffer.alloc(0)
    }
  }
  yield Buffer.from('}')
}

/** A body that is read as fast as the client takes it. A fault in the middle cuts the answer off. */
function body(stream: AsyncIterable<Uint8Array>): BodyInit {
  return ReadableStream.from(guarded(stream)) as unknown as BodyInit
}

/** The Node server writes the text of a body's error into the answer: it must not be an internal one. */
async function* guarded(stream: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  try {
    yield* stream
  } catch {
    throw new Error('the answer was cut off')
  }
}
