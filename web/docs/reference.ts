import { LIVE_ENDPOINTS, REST_ENDPOINTS } from '../../adapters/http/endpoints.ts'
import { openApiDocument } from '../../adapters/http/openapi.ts'
import { escapeHtml } from '../escape.ts'

/** The parts of an OpenAPI 3.1 document that the reference shows. */
interface Schema {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  minimum?: number
  maximum?: number
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  $ref?: string
}

interface Media {
  description?: string
  content?: Record<string, { schema?: Schema }>
}

interface Operation {
  operationId: string
  summary: string
  security: Record<string, unknown>[]
  parameters: { name: string; in: string; required?: boolean; description?: string; schema?: Schema }[]
  requestBody?: Media
  responses: Record<string, Media>
}

interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

/** The first prefix that a path has names its group. */
const GROUPS: [prefix: string, group: string][] = [
  ['/api/sse', 'Streams'],
  ['/api/user-dashboard', 'Streams'],
  ['/api/public/emails', 'Emails'],
  ['/api/emails', 'Emails'],
  ['/api/keys', 'API keys'],
  ['/api/webhooks', 'Webhooks'],
  ['/api/random-username', 'Addresses and domains'],
  ['/api/domain', 'Addresses and domains'],
  ['/', 'Service'],
]
const ORDER = ['Addresses and domains', 'Emails', 'Streams', 'Webhooks', 'API keys', 'Service']
const METHOD_TONES: Record<string, string> = { POST: 'good', DELETE: 'bad' }
const SCHEMA_DEPTH_MAX = 6

/** The reference of the API as HTML, made of the OpenAPI document when the pages are built. */
export function referenceHtml(): string {
  const document = openApiDocument([...LIVE_ENDPOINTS, ...REST_ENDPOINTS]) as unknown as Document
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  const byGroup = Map.groupBy(
    all,
    ({ path }) => GROUPS.find(([prefix]) => path.startsWith(prefix))?.[1] ?? '',
  )
  const { schemas } = document.components
  const groups = ORDER.map((name) => {
    const items = (byGroup.get(name) ?? []).map(({ path, method, operation }) =>
      operationHtml(path, method, operation, schemas),
    )
    return `<section class="stack tight ruled"><h3>${name}</h3>${items.join('')}</section>`
  })
  return groups.join('')
}

function operationHtml(
  path: string,
  method: string,
  { operationId, summary, security, parameters, requestBody, responses }: Operation,
  schemas: Record<string, Schema>,
): string {
  const needsKey = security.every((alternative) => 'apiKey' in alternative || 'bearer' in alternative)
  const body = requestBody?.content?.['application/json']?.schema
  const answers = Object.entries(responses)
  const refusals = answers.filter(([status]) => status >= '400').map(([status]) => status)
  return (
    `<details class="operation" id="${operationId}"><summary class="cluster"><span class="chip method ${METHOD_TONES[method] ?? ''}">${method}</span>` +
    `<code class="wrap">${escapeHtml(path)}</code><span class="fine">${escapeHtml(summary)}${needsKey ? ' · API key' : ''}</span></summary><div class="stack">` +
    (parameters.length === 0 ? '' : parameterTable(parameters, schemas)) +
    (body === undefined ? '' : `<div><h4 class="fine">Request body</h4>${schemaHtml(body, schemas)}</div>`) +
    answers
      .filter(([status]) => status < '400')
      .map(([status, { description = '', content = {} }]) => {
        const [type, media] = Object.entries(content)[0] ?? []
        const shape = media?.schema ? schemaHtml(media.schema, schemas) : escapeHtml(type ?? '')
        return `<div><h4 class="fine">${status} ${escapeHtml(description)}</h4>${shape}</div>`
      })
      .join('') +
    `<p class="fine">Errors: ${refusals.join(', ')}, each a <a href="/problems/">problem</a>.</p></div></details>`
  )
}

function parameterTable(parameters: Operation['parameters'], schemas: Record<string, Schema>): string {
  const rows = parameters.map(
    ({ name, in: place, required, description = '', schema }) =>
      `<tr><th scope="row"><code>${name}</code> ${place}${required ? ', required' : ''}</th>` +
      `<td>${escapeHtml(description)} <span class="fine">${schema ? typeOf(schema, schemas) : ''}</span></td></tr>`,
  )
  return `<table><caption class="visually-hidden">Parameters</caption><tbody>${rows.join('')}</tbody></table>`
}

/** The type of a value, and its members as a nested list. */
function schemaHtml(schema: Schema, schemas: Record<string, Schema>, depth = 0): string {
  const type = `<span class="fine">${typeOf(schema, schemas)}</span>`
  const members = depth > SCHEMA_DEPTH_MAX ? undefined : membersOf(schema, schemas)
  if (members === undefined) return type
  const items = Object.entries(members.properties ?? {}).map(([name, member]) => {
    const optional = members.required?.includes(name) ? '' : ' <span class="fine">optional</span>'
    return `<li><code>${name}</code>${optional} ${schemaHtml(member, schemas, depth + 1)}</li>`
  })
  return `${type}<ul class="members">${items.join('')}</ul>`
}

/** The object that has the members: the value itself, its non-null alternative, or an item of the list. */
function membersOf(schema: Schema, schemas: Record<string, Schema>): Schema | undefined {
  const resolved = resolve(schema, schemas)
  if (resolved.properties !== undefined) return resolved
  const inner = resolved.items ?? resolved.anyOf?.find((each) => resolve(each, schemas).type !== 'null')
  return inner && membersOf(inner, schemas)
}

function typeOf(schema: Schema, schemas: Record<string, Schema>): string {
  const resolved = resolve(schema, schemas)
  if (resolved.const !== undefined) return escapeHtml(JSON.stringify(resolved.const))
  if (resolved.enum !== undefined)
    return escapeHtml(resolved.enum.map((value) => JSON.stringify(value)).join(' or '))
  if (resolved.anyOf !== undefined) return resolved.anyOf.map((each) => typeOf(each, schemas)).join(' or ')
  if (resolved.items !== undefined) return `list of ${typeOf(resolved.items, schemas)}`
  const { type = 'any', minimum, maximum } = resolved
  const range = minimum !== undefined && maximum !== undefined ? `, ${minimum} to ${maximum}` : ''
  const fallback =
    resolved.default === undefined ? '' : `, default ${escapeHtml(JSON.stringify(resolved.default))}`
  return [type].flat().join(' or ') + range + fallback
}

function resolve(schema: Schema, schemas: Record<string, Schema>): Schema {
  return schema.$ref === undefined ? schema : (schemas[schema.$ref.split('/').pop() ?? ''] ?? schema)
}
