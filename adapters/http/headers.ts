import { randomUUID } from 'node:crypto'
import type { RateWindow } from '../../core/access/api-keys.ts'
import type { OriginPolicy } from './origin-policy.ts'

const EXPOSED =
  'RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, X-Request-Id, Content-Disposition, ' +
  'Content-Range, Accept-Ranges'

export const PREFLIGHT_HEADERS: Record<string, string> = {
  'Access-Control-Allow-Methods': 'GET, POST, DELETE',
  'Access-Control-Allow-Headers': 'X-API-Key, X-Domain-Key, Last-Event-ID, Range, Content-Type, X-Request-Id',
  'Access-Control-Max-Age': '86400',
}

/**
 * Lets the calling page read the answer, if it may call.
 * @param host of the request
 * @param origin of that page; undefined for none
 */
export function corsHeaders(
  originPolicy: OriginPolicy,
  host: string | undefined,
  origin: string | undefined,
): Record<string, string> {
  if (originPolicy.anyOrigin) {
    return { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': EXPOSED }
  }
  if (origin === undefined || !originPolicy.allowsOrigin(origin, host)) return { Vary: 'Origin' }
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers': EXPOSED,
    Vary: 'Origin',
  }
}

/** The headers that every answer has in addition to its own. @param cors from `corsHeaders` */
export function answerHeaders(
  requestId: string,
  cors: Record<string, string> = {},
  rate?: RateWindow,
): Record<string, string> {
  return {
    'X-Request-Id': requestId,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    // No page of another origin may embed an answer; what CORS allows is not affected.
    'Cross-Origin-Resource-Policy': 'same-origin',
    ...cors,
    ...(rate && {
      'RateLimit-Limit': String(rate.limit),
      'RateLimit-Remaining': String(rate.remaining),
      'RateLimit-Reset': String(rate.reset),
    }),
  }
}

/** Sets the headers of every answer on one that the app did not make, and returns it. @param cors from `corsHeaders` */
export function withAnswerHeaders(
  answer: Response,
  requestId: string,
  cors?: Record<string, string>,
): Response {
  for (const [name, value] of Object.entries(answerHeaders(requestId, cors))) answer.headers.set(name, value)
  return answer
}

/**
 * Keeps the id that a caller or the HTTP API sends, so that the log shows their request. Those of
 * HTTP APIs end in `=`.
 */
export function requestIdOf(sent: string | undefined): string {
  return sent !== undefined && /^[\w.=-]{1,64}$/.test(sent) ? sent : randomUUID()
}
