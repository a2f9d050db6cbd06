/** Headers that every answer has, whoever writes it. */
export function commonHeaders(requestId: string): Record<string, string> {
  return { 'X-Request-Id': requestId, 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' }
}

/** CORS is open on /api: a caller proves itself by a header that no browser adds by itself. */
export const CORS_HEADERS: Record<string, string> = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, X-Request-Id, Content-Disposition',
}

export const PREFLIGHT_HEADERS: Record<string, string> = {
  'Access-Control-Allow-Methods': 'GET, POST, DELETE',
  'Access-Control-Allow-Headers': 'X-API-Key, X-Domain-Key, Last-Event-ID, Content-Type, X-Request-Id',
  'Access-Control-Max-Age': '86400',
}
