import { API_KEY_REQUESTS_PER_MINUTE } from '../../../core/limits.ts'

/** A header of an answer, as OpenAPI describes it. */
interface Header {
  description: string
  required?: true
  schema: object
  example: string | number
}

const count = { type: 'integer', minimum: 0 }
const text = { type: 'string' }

/** Every header of answers that a client may need, by its name. */
export const HEADERS = {
  'X-Request-Id': {
    description:
      'The id of the request: the one that the client sent, otherwise a new one. Name it in reports.',
    required: true,
    schema: { type: 'string', pattern: '^[\\w.=-]{1,64}$' },
    example: '0f8b7c52-6a0e-4f7c-9d55-3d1f0c6b2a10',
  },
  'RateLimit-Limit': {
    description: 'Requests a minute that the key has. An operator’s key has no limit and no such header.',
    schema: count,
    example: API_KEY_REQUESTS_PER_MINUTE,
  },
  'RateLimit-Remaining': {
    description: 'Requests that are left in this minute.',
    schema: count,
    example: API_KEY_REQUESTS_PER_MINUTE - 1,
  },
  'RateLimit-Reset': {
    description: 'Seconds until the next minute begins.',
    schema: count,
    example: 42,
  },
  'Retry-After': {
    description: 'Seconds after which another attempt may succeed.',
    schema: count,
    example: 18,
  },
  'WWW-Authenticate': {
    description: 'The kind of key that is missing or wrong (RFC 9110, section 11.6.1).',
    required: true,
    schema: text,
    example: 'ApiKey realm="mayfly", header="X-API-Key"',
  },
  Allow: {
    description: 'The methods that the path has.',
    required: true,
    schema: text,
    example: 'GET, HEAD',
  },
  Location: {
    description: 'The URL of the bytes, valid for minutes.',
    required: true,
    schema: { type: 'string', format: 'uri' },
    example: 'https://bucket.example/messages/01M84WWW9H36WCNK6VY98FDKBA?signature=5f2c9',
  },
  'Accept-Ranges': {
    description: '`bytes`: the header `Range` selects a part.',
    required: true,
    schema: { const: 'bytes' },
    example: 'bytes',
  },
  'Content-Range': {
    description: 'The bytes of the answer and the size of the whole (RFC 9110, section 14.4).',
    required: true,
    schema: { type: 'string', pattern: '^bytes (\\d+-\\d+|\\*)/\\d+$' },
    example: 'bytes 0-99/1500',
  },
  'Content-Disposition': {
    description: '`attachment` and a file name, so that a browser saves the bytes instead of showing them.',
    required: true,
    schema: { type: 'string', pattern: '^attachment; filename' },
    example: 'attachment; filename="invoice.pdf"',
  },
  'Set-Cookie': {
    description: 'The session (HttpOnly, SameSite=Strict).',
    required: true,
    schema: text,
    example: 'mayfly_session=…; Path=/; HttpOnly; SameSite=Strict',
  },
} as const satisfies Record<string, Header>

export type HeaderName = keyof typeof HEADERS

const RATE: HeaderName[] = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']

/** Headers that every answer with a status has. */
const BY_STATUS: Record<string, HeaderName[]> = {
  302: ['Location'],
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  416: ['Content-Range'],
  429: ['Retry-After'],
  503: ['Retry-After'],
}

/**
 * Returns the headers of an answer as references to the components.
 * @param isCounted whether requests are counted by their key
 * @param own those of this answer alone
 */
export function headersOf(status: string, isCounted: boolean, own: HeaderName[] = []): object {
  const names = ['X-Request-Id', ...(isCounted ? RATE : []), ...(BY_STATUS[status] ?? []), ...own]
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
