import { toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema'
import type { GenericSchema } from 'valibot'
import type { ProblemCode } from '../../core/errors.ts'
import type { Answer, Endpoint } from './endpoint.ts'
import { PROBLEMS } from './problems.ts'
import { Domain } from './wire/access.ts'
import { ActionLink, Attachment, Email, Person, WholeEmail } from './wire/email.ts'
import { Problem } from './wire/problem.ts'

type Json = Record<string, unknown>

/** The shapes that have a name in the document. */
const COMPONENTS = { Person, ActionLink, Email, Attachment, WholeEmail, Domain, Problem }

const JSON_SCHEMA = {
  target: 'draft-2020-12',
  // What JSON Schema cannot say (that a pattern counts code points, say) is still checked by the
  // server.
  errorMode: 'ignore',
  overrideRef: ({ referenceId }: { referenceId: string }) => `#/components/schemas/${referenceId}`,
} as const

/** A parameter name has the same meaning in every endpoint. */
const DESCRIPTIONS: Record<string, string> = {
  address: 'A complete address, such as bot42@example.com',
  id: 'The id of an email, or of a webhook',
  domain: 'A domain name',
  n: 'The position of the attachment, from 0',
  since: 'An email id or an RFC 3339 time: only newer emails',
  from: 'A part of the sender’s name or address, in any case',
  subject: 'A part of the subject, in any case',
  q: 'A part of sender, subject, text or codes, in any case',
  has: 'Only emails that have one',
  limit: 'How many at most',
  text_limit: 'How many bytes of body_text at most, in each email',
  cursor: 'The next_cursor of the page before',
  timeout: 'Seconds to wait at most',
  order: 'Which of several matching emails is returned: the newest (default) or the oldest',
  last_event_id: 'Begins after this email id, as with the header Last-Event-ID',
  also: 'Another address of the stream; may be repeated',
  events: 'The event types to send, comma-separated',
  key: 'A domain key, for clients that cannot send X-Domain-Key',
}

/**
 * Returns the OpenAPI 3.1 document of these endpoints, made from the schemas that validate their
 * requests.
 */
export function openApiDocument(endpoints: Endpoint<never>[]): Json {
  const paths: Record<string, Record<string, Json>> = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Mayfly',
      version: '1.0.0',
      description:
        'Disposable mailboxes for bots, CI pipelines and backend tests. Any address on a registered domain ' +
        'receives mail; nothing needs to be created first.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas: toJsonSchemaDefs(COMPONENTS, JSON_SCHEMA),
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        bearer: { type: 'http', scheme: 'bearer', description: 'The API key' },
        domainKey: { type: 'apiKey', in: 'header', name: 'X-Domain-Key' },
        domainKeyInQuery: { type: 'apiKey', in: 'query', name: 'key' },
      },
    },
  }
}

function operation(endpoint: Endpoint<never>): Json {
  return {
    operationId: endpoint.name,
    summary: endpoint.summary,
    security: security(endpoint),
    parameters: [...pathParameters(endpoint.path), ...queryParameters(endpoint)],
    ...(endpoint.body && { requestBody: { required: false, content: json(endpoint.body) } }),
    responses: {
      ...Object.fromEntries(
        Object.entries(endpoint.answers).map(([status, answer]) => [status, response(answer)]),
      ),
      ...refusals(problemsOf(endpoint)),
    },
  }
}

/**
 * Any one of the alternatives opens the endpoint; a domain key is needed for private domains only.
 */
function security({ access, inbox, domainKey }: Endpoint<never>): Json[] {
  const base: Json = access === 'public' ? {} : access === 'bearer' ? { bearer: [] } : { apiKey: [] }
  const alternatives = [base]
  if (domainKey || inbox === 'header' || inbox === 'header or query')
    alternatives.push({ ...base, domainKey: [] })
  if (inbox === 'query' || inbox === 'header or query') alternatives.push({ ...base, domainKeyInQuery: [] })
  return alternatives
}

function pathParameters(path: string): Json[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    description: DESCRIPTIONS[name!],
    schema: { type: 'string' },
  }))
}

function queryParameters({ query }: Endpoint<never>): Json[] {
  const { properties = {}, required = [] } = toJsonSchema(query, { ...JSON_SCHEMA, typeMode: 'input' })
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    description: DESCRIPTIONS[name],
    schema,
  }))
}

/** Every refusal that follows from the endpoint's declaration. */
function problemsOf({ access, isKeyless, inbox, query, body, problems }: Endpoint<never>): ProblemCode[] {
  const all: ProblemCode[] = [...problems, 'internal_error', 'unavailable']
  if (access !== 'public') all.push('api_key_missing', 'api_key_invalid', 'api_key_expired', 'rate_limited')
  if (isKeyless) all.push('rate_limited')
  if (inbox) {
    all.push(
      'invalid_address',
      'domain_not_found',
      'domain_key_missing',
      'domain_key_invalid',
      'rate_limited',
    )
  }
  if (Object.keys(query.entries).length > 0) all.push('invalid_query')
  if (body) all.push('invalid_body', 'body_too_large')
  return [...new Set(all)]
}

function refusals(codes: ProblemCode[]): Json {
  const byStatus = Map.groupBy(codes, (code) => String(PROBLEMS[code].status))
  return Object.fromEntries(
    [...byStatus].map(([status, same]) => [
      status,
      {
        description: same.map((code) => `\`${code}\`: ${PROBLEMS[code].title}`).join('. '),
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  )
}

function response({ description, schema, type }: Answer): Json {
  if (schema !== undefined) return { description, content: json(schema) }
  return type === undefined ? { description } : { description, content: { [type]: {} } }
}

function json(schema: GenericSchema): Json {
  return {
    'application/json': {
      schema: withoutDialect(toJsonSchema(schema, { ...JSON_SCHEMA, definitions: COMPONENTS })),
    },
  }
}

/**
 * Without the dialect, which the document names once, and the definitions, which are in its
 * components.
 */
function withoutDialect({
  $schema: _,
  $defs: __,
  ...schema
}: object & { $schema?: unknown; $defs?: unknown }): Json {
  return schema
}
