import { contentDisposition } from '../../core/content-disposition.ts'
import type { Handover, WholeEmail } from '../../core/inbox/mailbox.ts'
import { wholeWithoutBodies } from './wire/email.ts'

/** The answer with a part of a message: its bytes, or a redirect to them. */
export function handOver(part: Handover): Response {
  if ('url' in part) return new Response(null, { status: 302, headers: { Location: part.url } })
  const headers = new Headers({
    'Content-Type': part.download.contentType,
    'Content-Length': String(part.size),
    'Content-Disposition': contentDisposition(part.download.filename),
    'X-Content-Type-Options': 'nosniff',
    // If a browser shows the content of a mail inline after all, no script of it runs in this
    // origin.
    'Content-Security-Policy': "sandbox; default-src 'none'",
  })
  return new Response(body(sourceOf(part.stream)), { headers })
}

/**
 * The single-email answer. The store keeps the bodies as JSON, which is sent unparsed: 38 MB of
 * HTML need no more memory than two lines.
 */
export function wholeEmail({ email, details, bodies }: WholeEmail): Response {
  const whole = wholeWithoutBodies(email, details)
  const head = `{"success":true,"email":${JSON.stringify(whole).slice(0, -1)},`
  const pieces = spliced(head, sourceOf(bodies))
  return new Response(body(pieces), { headers: { 'Content-Type': 'application/json' } })
}

/** The bytes of a body. */
interface Source {
  /** The next piece; undefined after the last one. */
  next(): Promise<Uint8Array | undefined>
  /** Must be called if the client leaves before the last piece. */
  close(): Promise<unknown>
}

function sourceOf(stream: AsyncIterable<Uint8Array>): Source {
  const chunks = stream[Symbol.asyncIterator]()
  return {
    next: async () => (await chunks.next()).value as Uint8Array | undefined,
    close: async () => chunks.return?.(),
  }
}

/** Joins `{…,` and `{"body_text":…}` to one object. */
function spliced(head: string, { next, close }: Source): Source {
  let opening: string | undefined = head
  let isWhole = false
  return {
    async next() {
      if (isWhole) return undefined
      const chunk = await next()
      isWhole = chunk === undefined
      if (chunk === undefined) return Buffer.from('}')
      if (opening === undefined) return chunk
      const piece = Buffer.concat([Buffer.from(opening), chunk.subarray(1)])
      opening = undefined
      return piece
    },
    close,
  }
}

/**
 * A body that is read as fast as the client takes it, and closed when the client leaves. A fault in
 * the middle ends the answer early. The Node server may write the text of the error into the
 * answer, so it is not the fault's own.
 */
function body(source: Source): BodyInit {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const piece = await source.next()
          if (piece === undefined) controller.close()
          else controller.enqueue(piece)
        } catch {
          controller.error(new Error('the answer was cut off'))
        }
      },
      async cancel() {
        await source.close()
      },
    },
    { highWaterMark: 0 },
  )
}
