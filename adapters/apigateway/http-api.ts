import { RENAMED_HEADERS } from '../aws/env.ts'

/**
 * The used fields of an event of an HTTP API, payload format 2.0
 * (docs.aws.amazon.com/apigateway, http-api-develop-integrations-lambda.html).
 */
export interface HttpApiEvent {
  rawQueryString: string
  headers: Record<string, string | undefined>
  /** The parts of the header Cookie, which is not among `headers`. */
  cookies?: string[]
  body?: string
  isBase64Encoded: boolean
  requestContext: { requestId: string; http: { method: string } }
}

export interface HttpApiResult {
  statusCode: number
  headers: Record<string, string>
  /** Each becomes a header Set-Cookie. */
  cookies?: string[]
  body: string
  isBase64Encoded: boolean
}

/**
 * A function's result has at most 6 MB, base64 turns 3 bytes into 4, and the headers need space too
 * (docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html).
 */
const ANSWER_BYTES = 4_500_000

const TEXT = 'text/plain; charset=utf-8'

/**
 * @param path percent-encoded as the caller sent it; that of the event is decoded
 * @param host that the caller sent it to; that of the event is the API's
 */
export function requestOf(event: HttpApiEvent, path: string, host = 'mayfly.invalid'): Request {
  const { method } = event.requestContext.http
  const query = event.rawQueryString === '' ? '' : `?${event.rawQueryString}`
  const headers = new Headers()
  for (const [name, value] of Object.entries(event.headers)) if (value) headers.set(name, bytes(value))
  if (event.cookies !== undefined) headers.set('cookie', bytes(event.cookies.join('; ')))
  for (const [name, sentAs] of RENAMED_HEADERS) {
    const value = headers.get(sentAs)
    if (value !== null) headers.set(name, value)
  }
  const hasBody = event.body !== undefined && method !== 'GET' && method !== 'HEAD'
  return new Request(`https://${host}${path}${query}`, {
    method,
    headers,
    body: hasBody ? Buffer.from(event.body!, event.isBase64Encoded ? 'base64' : 'utf8') : null,
  })
}

/**
 * The answer as the function's result. Its body is always base64: as text, JSON could turn one byte
 * into six, so the size of the text would not show whether the result is within the limit.
 *
 * @param putAside stores an answer that is too large, and returns its URL
 */
export async function resultOf(
  response: Response,
  putAside: (body: AsyncIterable<Uint8Array>, headers: Record<string, string>) => Promise<string>,
): Promise<HttpApiResult> {
  // An HTTP API adds a content type to an answer without one, even to an answer without a body.
  const { 'set-cookie': _, ...own } = Object.fromEntries(response.headers)
  const headers: Record<string, string> = { 'content-type': TEXT, ...own }
  const cookies = response.headers.getSetCookie()
  const chunks: Uint8Array[] = []
  let size = 0
  const body = chunksOf(response)
  for (let next = await body.next(); !next.done; next = await body.next()) {
    chunks.push(next.value)
    size += next.value.length
    if (size <= ANSWER_BYTES) continue
    const url = await putAside(rest(chunks, body), headers)
    const { 'content-length': _, 'content-encoding': __, ...others } = headers
    return {
      statusCode: 302,
      headers: { ...others, 'content-type': TEXT, location: url },
      body: '',
      isBase64Encoded: false,
    }
  }
  return {
    statusCode: response.status,
    headers,
    ...(cookies.length > 0 && { cookies }),
    body: Buffer.concat(chunks).toString('base64'),
    isBase64Encoded: true,
  }
}

async function* chunksOf(response: Response): AsyncGenerator<Uint8Array, void> {
  if (response.body !== null) yield* response.body
}

async function* rest(
  first: Uint8Array[],
  others: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  yield* first
  yield* others
}

/** The Fetch API treats header values as bytes; characters outside ASCII are passed on as UTF-8. */
function bytes(value: string): string {
  return Buffer.from(value, 'utf8').toString('latin1')
}
