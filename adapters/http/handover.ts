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
  return new Response(body(part.stream), { headers })
}

/**
 * The single-email answer. The store keeps the bodies as JSON, which is sent unparsed: 38 MB of
 * HTML need no more memory than two lines.
 */
export function wholeEmail({ email, details, bodies }: WholeEmail): Response {
  const whole = wholeWithoutBodies(email, details)
  const head = `{"success":true,"email":${JSON.stringify(whole).slice(0, -1)},`
  return new Response(body(spliced(head, bodies)), { headers: { 'Content-Type': 'application/json' } })
}

/**
 * Joins `{…,` and `{"body_text":…}` to one object. Not a generator: one that is returned from
 * before its first step leaves its source open.
 */
function spliced(head: string, bodies: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const chunks = bodies[Symbol.asyncIterator]()
  let opening: Uint8Array | undefined = Buffer.from(head)
  let isWhole = false
  const iterator: AsyncIterator<Uint8Array> = {
    async next() {
      if (isWhole) return { done: true, value: undefined }
      const next = await chunks.next()
      isWhole = next.done === true
      if (isWhole) return { done: false, value: Buffer.from('}') }
      if (opening === undefined) return next
      const value = Buffer.concat([opening, next.value.subarray(1)])
      opening = undefined
      return { done: false, value }
    },
    async return() {
      await chunks.return?.()
      return { done: true, value: undefined }
    },
  }
  return { [Symbol.asyncIterator]: () => iterator }
}

/**
 * A body that is read as fast as the client takes it, and closed when the client leaves. A fault in
 * the middle ends the answer early. The Node server may write the text of the error into the
 * answer, so it is not the fault's own.
 */
function body(stream: AsyncIterable<Uint8Array>): BodyInit {
  const chunks = stream[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await chunks.next()
          if (done) controller.close()
          else controller.enqueue(value)
        } catch {
          controller.error(new Error('the answer was cut off'))
        }
      },
      async cancel() {
        await chunks.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}
