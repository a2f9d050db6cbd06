import { toJsonSchema } from '@valibot/to-json-schema'
import { FILTERS } from '../../../core/inbox/filter.ts'
import type { Endpoint, RequestHeader } from '../endpoint.ts'
import { address, domain, ULID, webhookId } from '../wire/fields.ts'
import { type Json, schemaOf } from './components.ts'

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description: string | undefined
  schema: Json
  example?: unknown
}

/** A parameter name has the same meaning in every endpoint. */
const DESCRIPTIONS: Record<string, string> = {
  address: 'A complete address, such as bot42@example.com',
  id: 'The id of an email, or of a webhook',
  domain: 'A domain name',
  n: 'The position of the attachment, from 0',
  since: 'An email id or an RFC 3339 time: only newer emails',
  ...filterDescriptions(),
  limit: 'How many at most',
  text_limit: 'How many bytes of body_text at most, in each email',
  cursor: 'The next_cursor of the page before',
  timeout: 'Seconds to wait at most',
  order: 'Which of several matching emails is returned: the newest (default) or the oldest',
  last_event_id:
    'Begins after this email id, as with the header Last-Event-ID; EventSource polyfills may call it lastEventId',
  also: 'Another address of the stream; may be repeated',
  events: 'The event types to send, comma-separated',
  key: 'A domain key, for clients that cannot send X-Domain-Key',
}

const EMAIL_ID = '01M84WWW9H36WCNK6VY98FDKBA'

/** Only of parameters that a first request may have without selecting nothing. */
const EXAMPLES: Record<string, unknown> = {
  address: 'bot42@example.com',
  domain: 'example.com',
  n: '0',
  limit: 20,
  text_limit: 1000,
  has: 'code',
  timeout: 1,
  order: 'oldest',
}

const HEADERS: Record<RequestHeader, { description: string; schema: Json; example: string }> = {
  'Last-Event-ID': {
    description: 'Begins after this email id; clients of streams send it when they reconnect. Empty is none',
    schema: { type: 'string', pattern: `^$|${ULID.source}` },
    example: EMAIL_ID,
  },
  Range: {
    description:
      'Selects a part of the bytes (RFC 9110, section 14.2); several ranges are answered with the whole',
    schema: { type: 'string' },
    example: 'bytes=0-99',
  },
}

/** Other spellings of a parameter, to which generated clients would give the same name. */
const ALIASES = ['lastEventId']

function filterDescriptions(): Record<string, string> {
  const descriptions = Object.entries(FILTERS).map(([name, { help }]) => [
    name,
    `${help[0]!.toUpperCase()}${help.slice(1)}, in any case`,
  ])
  return { ...Object.fromEntries(descriptions), has: 'Only emails that have one' }
}

/** Returns the parameters of an operation: those of its path, its query and its headers. */
export function parametersOf({ path, query, headers = [] }: Endpoint<never>): Parameter[] {
  return [...inPath(path), ...inQuery(query), ...headers.map((name) => inHeader(name))]
}

function inPath(path: string): Parameter[] {
  const isWebhook = path.startsWith('/api/webhooks')
  const schemas: Record<string, Json> = {
    address: schemaOf(address),
    domain: schemaOf(domain),
    id: isWebhook ? schemaOf(webhookId) : { type: 'string', pattern: ULID.source },
    n: { type: 'string', pattern: '^(?:0|[1-9][0-9]{0,5})$' },
  }
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name: name!,
    in: 'path',
    required: true,
    description: DESCRIPTIONS[name!],
    schema: schemas[name!] ?? { type: 'string' },
    example: name === 'id' ? (isWebhook ? 'wh_5f2c90d14b7a8e63c1f04d92' : EMAIL_ID) : EXAMPLES[name!],
  }))
}

function inQuery(query: Endpoint<never>['query']): Parameter[] {
  const { properties = {}, required = [] } = toJsonSchema(query, {
    target: 'draft-2020-12',
    errorMode: 'ignore',
    typeMode: 'input',
  })
  const documented = Object.entries(properties).filter(([name]) => !ALIASES.includes(name))
  return documented.map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    description: DESCRIPTIONS[name],
    schema: withoutEmptyDefault(schema as Json),
    ...(name in EXAMPLES && { example: EXAMPLES[name] }),
  }))
}

/** Generators of Go write invalid code for a list that is empty by default. */
function withoutEmptyDefault({ default: value, ...schema }: Json): Json {
  return value === undefined || (Array.isArray(value) && value.length === 0)
    ? schema
    : { ...schema, default: value }
}

function inHeader(name: RequestHeader): Parameter {
  return { name, in: 'header', required: false, ...HEADERS[name] }
}
