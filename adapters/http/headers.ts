import { randomUUID } from 'node:crypto'
import type { RateWindow } from '../../core/access/api-keys.ts'

/** CORS is open on /api: a caller proves itself by a header that no browser adds by itself. */
const CORS_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, X-Request-Id, Content-Disposition',
}

export const PREFLIGHT_HEADERS: Record<string, string> = {
  'Access-Control-Allow-Methods': 'GET, POST, DELETE',
  'Access-Control-Allow-Headers': 'X-API-Key, X-Domain-Key, Last-Event-ID, Content-Type, X-Request-Id',
  'Access-Control-Max-Age': '86400',
}

/** The headers that an answer has beside its own, whoever writes it. */
export function answerHeaders(path: string, requestId: string, rate?: RateWindow): Record<string, string> {
  return {
    'X-Request-Id': requestId,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...(path.startsWith('/api/') && CORS_HEADERS),
    ...(rate && {
      'RateLimit-Limit': String(rate.limit),
      'RateLimit-Remaining': String(rate.remaining),
      'RateLimit-Reset': String(rate.reset),
    }),
  }
}

/** An id that a caller sends is kept, so that it finds its request in our logs. */
export function requestIdOf(sent: string | undefined): string {
  return sent !== undefined && /^[\w.-]{1,64}$/.test(sent) ? sent : randomUUID()
}
