import { setImmediate as turn } from 'node:timers/promises'
import { contentDisposition } from '../../core/content-disposition.ts'
import { Problem } from '../../core/errors.ts'
import type { Handover, WholeEmail } from '../../core/inbox/mailbox.ts'
import type { RequestHead } from './head.ts'
import { problemResponse } from './problem.ts'
import { type ByteRange, rangeOf } from './range.ts'
import { wholeWithoutBodies } from './wire/email.ts'

/**
 * The answer with a part of a message: its bytes, the range of them that the request asks for, or a
 * redirect to them.
 */
export function handOver(
  part: Handover,
  { header, requestId }: Pick<RequestHead, 'header' | 'requestId'>,
): Response {
  if ('url' in part) return new Response(null, { status: 302, headers: { Location: part.url } })
  const { size, download } = part
  const source = sourceOf(part.stream)
  // No answer has a validator, so the one in If-Range cannot match (RFC 9110, section 13.1.5).
  const range = header('If-Range') === undefined ? rangeOf(header('Range'), size) : undefined
  if (range === 'unsatisfiable') {
    source.close().catch(() => {})
    return unsatisfiable(size, requestId)
  }
  const headers = new Headers({
    'Accept-Ranges': 'bytes',
    // Content-Length and Content-Range count the bytes as they are stored. The app compresses nothing
    // with this value, which it then replaces by that of all answers.
    'Cache-Control': 'no-transform',
    'Content-Type': download.contentType,
    'Content-Length': String(size),
    'Content-Disposition': contentDisposition(download.filename),
    'X-Content-Type-Options': 'nosniff',
    // If a browser shows the content of a mail inline after all, no script of it runs in this
    // origin.
    'Content-Security-Policy': "sandbox; default-src 'none'",
  })
  if (range === undefined) return new Response(body(source), { headers })
  headers.set('Content-Length', String(range.last - range.first + 1))
  headers.set('Content-Range', `bytes ${range.first}-${range.last}/${size}`)
  return new Response(body(sliced(source, range)), { status: 206, headers })
}

function unsatisfiable(size: number, requestId: string): Response {
  const problem = new Problem('range_not_satisfiable', `There are ${size} bytes, numbered from 0.`)
  const answer = problemResponse(problem, requestId)
  answer.headers.set('Content-Range', `bytes */${size}`)
  return answer
}

/**
 * The single-email answer. The store keeps the bodies as JSON, which is sent unparsed: 38 MB of
 * HTML need no more memory than two lines.
 */
export function wholeEmail({ email, details, bodies }: WholeEmail): Response {
  const whole = wholeWithoutBodies(email, details)
  const head = `{"success":true,"email":${JSON.stringify(whole).slice(0, -1)},"body_text":`
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

/** The bytes of a range. The thread is free for other requests between the chunks that are skipped. */
function sliced({ next, close }: Source, { first, last }: ByteRange): Source {
  let at = 0
  return {
    async next() {
      while (at <= last) {
        const chunk = await next()
        if (chunk === undefined) return undefined
        const piece = chunk.subarray(Math.max(first - at, 0), last + 1 - at)
        at += chunk.length
        if (piece.length > 0) return piece
        await turn()
      }
      await close()
      return undefined
    },
    close,
  }
}

const BODY_HTML = Buffer.from(',"body_html":')
const LINE_BREAK = 10

/** Joins `{…,"body_text":` and the two lines of the bodies to one object. */
function spliced(head: string, { next, close }: Source): Source {
  let opening: string | undefined = head
  let isWhole = false
  return {
    async next() {
      if (isWhole) return undefined
      const chunk = await next()
      isWhole = chunk === undefined
      if (chunk === undefined) return Buffer.from('}}')
      const end = chunk.indexOf(LINE_BREAK)
      if (opening === undefined && end === -1) return chunk
      const lines = end === -1 ? [chunk] : [chunk.subarray(0, end), BODY_HTML, chunk.subarray(end + 1)]
      const piece = Buffer.concat([Buffer.from(opening ?? ''), ...lines])
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
