import { type GenericSchema, safeParse } from 'valibot'
import type { ProblemCode } from '../../../core/errors.ts'
import type { Answer, Endpoint } from '../endpoint.ts'
import { PROBLEMS } from '../problems.ts'
import { type Json, schemaOf } from './components.ts'
import { exampleOf } from './examples.ts'
import { headersOf } from './headers.ts'
import { linksOf } from './links.ts'
import { parametersOf } from './parameters.ts'

/**
 * Returns the operation of an endpoint.
 * @param known the names of all operations of the document
 */
export function operationOf(endpoint: Endpoint<never>, known: Set<string>): Json {
  const { name, summary, description, tag, body } = endpoint
  return {
    operationId: name,
    tags: [tag],
    summary,
    description,
    security: securityOf(endpoint),
    parameters: parametersOf(endpoint),
    ...(body && { requestBody: { required: !isOptional(body), content: json(body) } }),
    responses: responsesOf(endpoint, linksOf(name, known)),
  }
}

/** Whether the body may be missing: it is then read as `{}`. */
function isOptional(body: GenericSchema): boolean {
  return safeParse(body, {}).success
}

/**
 * Any one of the alternatives opens the endpoint; a domain key is needed for private domains only.
 */
function securityOf({ access, inbox, domainKey, problems }: Endpoint<never>): Json[] {
  const base: Json = access === 'public' ? {} : access === 'bearer' ? { bearer: [] } : { apiKey: [] }
  const alternatives = [base]
  if (access === 'public' && problems.includes('api_key_missing')) alternatives.push({ apiKey: [] })
  if (domainKey || inbox === 'header' || inbox === 'header or query')
    alternatives.push({ ...base, domainKey: [] })
  if (inbox === 'query' || inbox === 'header or query') alternatives.push({ ...base, domainKeyInQuery: [] })
  return alternatives
}

function responsesOf(endpoint: Endpoint<never>, links: Json | undefined): Json {
  const isCounted = endpoint.access !== 'public'
  const refused = Map.groupBy(problemsOf(endpoint), (code) => String(PROBLEMS[code].status))
  const statuses = new Set([...Object.keys(endpoint.answers), ...refused.keys()])
  return Object.fromEntries(
    [...statuses].map((status) => {
      const answer = endpoint.answers[Number(status)]
      const codes = refused.get(status) ?? []
      const descriptions = [
        answer?.description,
        ...codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}`),
      ]
      const content = { ...contentOf(answer), ...(codes.length > 0 && PROBLEM) }
      const response = {
        description: descriptions.filter((text) => text !== undefined).join('. '),
        headers: headersOf(status, isCounted, answer?.headers),
        ...(Object.keys(content).length > 0 && { content }),
        ...(links && status < '300' && { links }),
      }
      return [status, response]
    }),
  )
}

/** Every refusal that follows from the endpoint's declaration. */
function problemsOf(endpoint: Endpoint<never>): ProblemCode[] {
  const { method, path, access, isKeyless, changesState, inbox, problems } = endpoint
  const all: ProblemCode[] = [
    ...problems,
    'internal_error',
    'unavailable',
    'misdirected_request',
    'invalid_query',
    'invalid_body',
  ]
  if (access === 'operator') all.push('operator_key_required')
  if (access !== 'public') all.push('api_key_missing', 'api_key_invalid', 'api_key_expired', 'rate_limited')
  if (isKeyless) all.push('rate_limited')
  if (method !== 'GET') all.push('body_too_large')
  if (method !== 'GET' || changesState) all.push('cross_site')
  if (inbox) {
    all.push(
      'invalid_address',
      'domain_not_found',
      'domain_key_missing',
      'domain_key_invalid',
      'rate_limited',
    )
  }
  if (path.includes(':domain')) all.push('invalid_domain')
  return [...new Set(all)]
}

const PROBLEM = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } }

function contentOf(answer: Answer | undefined): Json {
  if (answer === undefined) return {}
  const { schema, types = [], example } = answer
  const media = (type: string) => ({ schema: mediaSchema(type), ...(example !== undefined && { example }) })
  return { ...(schema && json(schema)), ...Object.fromEntries(types.map((type) => [type, media(type)])) }
}

function mediaSchema(type: string): Json {
  // Some tools read the schema as that of the whole stream, others as that of each event.
  if (type === 'text/event-stream') return { description: 'Server-Sent Events' }
  return { type: 'string', ...(type !== 'application/openmetrics-text' && { format: 'binary' }) }
}

function json(shape: GenericSchema): Json {
  const schema = schemaOf(shape)
  return { 'application/json': { schema, example: exampleOf(schema) } }
}
