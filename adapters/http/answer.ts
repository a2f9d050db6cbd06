import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type * as v from 'valibot'
import { COMPRESSED_BYTES } from '../../core/limits.ts'
import type { Answer } from './endpoint.ts'

const compress = promisify(gzip)

/** The bytes of answers that are in memory as a whole. */
const bodies = new WeakMap<Response, Buffer>()

/** A JSON answer. */
export function json(body: object, status = 200): Response {
  return jsonText(JSON.stringify(body), status)
}

/** A JSON answer from a text that is JSON already. */
export function jsonText(body: string, status = 200): Response {
  const bytes = Buffer.from(body)
  const headers = { 'Content-Type': 'application/json', 'Content-Length': String(bytes.length) }
  const answer = new Response(bytes, { status, headers })
  bodies.set(answer, bytes)
  return answer
}

/**
 * The answer in gzip, if its whole body is in memory, is large enough and the client accepts it. It
 * is compressed in one piece before anything is sent: a compressing stream would hold bytes for a
 * slow client uncounted.
 */
export async function compressed(answer: Response, acceptEncoding: string | undefined): Promise<Response> {
  const body = bodies.get(answer)
  if (body === undefined || body.length < COMPRESSED_BYTES || !acceptsGzip(acceptEncoding)) return answer
  const bytes = await compress(body)
  const headers = new Headers(answer.headers)
  headers.set('Content-Encoding', 'gzip')
  headers.set('Content-Length', String(bytes.length))
  headers.append('Vary', 'Accept-Encoding')
  return new Response(bytes, { status: answer.status, headers })
}

/**
 * Whether the header Accept-Encoding names gzip, and not with the weight 0 (RFC 9110, section
 * 12.5.3).
 */
export function acceptsGzip(header: string | null | undefined): boolean {
  return (header ?? '').split(',').some((part) => {
    const [name, weight = ''] = part.split(';')
    return name?.trim().toLowerCase() === 'gzip' && !/^\s*q=0(?:\.0*)?\s*$/i.test(weight)
  })
}

/** Declares that an endpoint answers 200 with JSON of this shape. */
export function answers(description: string, schema: v.GenericSchema): Record<number, Answer> {
  return { 200: { description, schema } }
}
