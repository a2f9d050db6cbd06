import { ReadableStream } from 'node:stream/web'
import { contentDisposition } from '../../core/content-disposition.ts'
import type { Handover, WholeEmail } from '../../core/inbox/mailbox.ts'
import { wholeWithoutBodies } from './wire/email.ts'

/** A part of a message as an answer: a redirect to where it is, or its bytes. */
export function handOver(part: Handover): Response {
  if ('url' in part) return new Response(null, { status: 302, headers: { Location: part.url } })
  const headers = new Headers({
    'Content-Type': part.download.contentType,
    'Content-Length': String(part.size),
    'Content-Disposition': contentDisposition(part.download.filename),
    'X-Content-Type-Options': 'nosniff',
    // If a browser shows the content of a mail inline after all, no script of it runs in this origin.
    'Content-Security-Policy': "sandbox; default-src 'none'",
  })
  return new Response(body(part.stream), { headers })
}

/**
 * The single-email answer. The bodies are JSON in the store already and pass through unparsed: the answer for
 * 38 MB of HTML costs no more memory than one for two lines.
 */
export function wholeEmail({ email, details, bodies }: WholeEmail): Response {
  const whole = wholeWithoutBodies(email, details)
  const head = `{"success":true,"email":${JSON.stringify(whole).slice(0, -1)},`
  return new Response(body(spliced(head, bodies)), { headers: { 'Content-Type': 'application/json' } })
}

/**
 * `{…,` and `{"body_text":…}` become one object. No generator: one that is returned from before it began would leave
 * the stream behind it open.
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
 * A body that is read as fast as the client takes it, and closed when nobody does. A fault in the middle cuts the
 * answer off, with an error whose text the Node server may write into it: so not with the fault's own.
 */
function body(stream: AsyncIterable<Uint8Array>): BodyInit {
  const chunks = stream[Symbol.asyncIterator]()
  const readable = new ReadableStream<Uint8Array>(
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
  return readable as unknown as BodyInit
}
