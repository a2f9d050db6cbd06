import type { Endpoint } from '../../adapters/http/endpoint.ts'
import { ALL_MAIL_ENDPOINTS } from '../../adapters/http/endpoints/all-mail.ts'
import { metrics } from '../../adapters/http/endpoints/metrics.ts'
import { LIVE_ENDPOINTS, REST_ENDPOINTS } from '../../adapters/http/endpoints.ts'
import { openApiDocument } from '../../adapters/http/openapi/document.ts'
import type { Schema } from '../../adapters/http/openapi/examples.ts'
import { escapeHtml } from '../escape.ts'
import { BASE_PATH } from '../lib/base.ts'

/** The parts of an OpenAPI 3.1 document that the reference shows. */
interface Media {
  description?: string
  content?: Record<string, { schema?: Schema; example?: unknown }>
}

interface Operation {
  operationId: string
  summary: string
  description: string
  tags: string[]
  security: Record<string, unknown>[]
  parameters: { name: string; in: string; required?: boolean; description?: string; schema?: Schema }[]
  requestBody?: Media
  responses: Record<string, Media>
}

interface Document {
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

const METHOD_TONES: Record<string, string> = { POST: 'good', DELETE: 'bad' }
const SCHEMA_DEPTH_MAX = 6

/** The operations of the OpenAPI document by their tags, in the order of the document. */
function groupsOf({ paths, tags }: Document) {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  const byTag = Map.groupBy(all, ({ operation }) => operation.tags[0])
  return tags.map(({ name, description }) => ({ name, description, items: byTag.get(name) ?? [] }))
}

function apiDocument(): Document {
  const endpoints = [...LIVE_ENDPOINTS, ...REST_ENDPOINTS, ...ALL_MAIL_ENDPOINTS, metrics] as Endpoint[]
  return openApiDocument(endpoints, { version: '', baseUrl: undefined }) as unknown as Document
}

/** The reference of the API as HTML, made of the OpenAPI document when the pages are built. */
export function referenceHtml(): string {
  const document = apiDocument()
  const { schemas } = document.components
  const groups = groupsOf(document).map(({ name, description, items }) => {
    const operations = items.map(({ path, method, operation }) =>
      operationHtml(path, method, operation, schemas),
    )
    return `<section class="stack tight ruled"><div><h3>${name}</h3><p class="fine">${escapeHtml(description)}</p></div>${operations.join('')}</section>`
  })
  return groups.join('')
}

function operationHtml(
  path: string,
  method: string,
  { operationId, summary, description, security, parameters, requestBody, responses }: Operation,
  schemas: Record<string, Schema>,
): string {
  const needsKey = security.every((alternative) => 'apiKey' in alternative)
  const body = requestBody?.content?.['application/json']
  const answers = Object.entries(responses)
  const refusals = answers.filter(([status]) => status >= '400').map(([status]) => status)
  return (
    `<details class="operation" id="${operationId}"${runnable(path, method, answers)}><summary class="cluster"><span class="chip method ${METHOD_TONES[method] ?? ''}">${method}</span>` +
    `<code class="wrap">${escapeHtml(path)}</code><span class="fine">${textHtml(summary)}${needsKey ? ' · API key' : ''}</span></summary><div class="stack"><p>${textHtml(description)}</p>` +
    (parameters.length === 0 ? '' : parameterTable(parameters, schemas)) +
    (body?.schema === undefined
      ? ''
      : `<div><h4 class="fine">Request body</h4>${exampleHtml(body.example)}<details><summary class="fine">Fields</summary>${schemaHtml(body.schema, schemas)}</details></div>`) +
    answers
      .filter(([status]) => status < '400')
      .map(([status, { description = '', content = {} }]) => {
        const [type, media] = Object.entries(content)[0] ?? []
        const isJson = media?.schema !== undefined && type === 'application/json'
        const shape = isJson ? schemaHtml(media.schema!, schemas) : escapeHtml(type ?? '')
        const example = media?.example === undefined ? '' : exampleHtml(media.example)
        return `<div><h4 class="fine">${status} ${escapeHtml(description)}</h4>${example}<details><summary class="fine">Fields</summary>${shape}</details></div>`
      })
      .join('') +
    `<p class="fine">Errors: ${refusals.join(', ')}, each a <a href="${BASE_PATH}/problems/">problem</a>.</p></div></details>`
  )
}

function exampleHtml(example: unknown): string {
  const text = typeof example === 'string' ? example : JSON.stringify(example, null, 2)
  return `<pre class="source" tabindex="0">${escapeHtml(text)}</pre>`
}

/** Text with names in backquotes, as HTML. */
function textHtml(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}

/** Marks an operation that the page can run: it reads JSON, and needs no id of something that may not exist. */
function runnable(path: string, method: string, answers: [string, Media][]): string {
  const placeholders = path.match(/\{\w+\}/g) ?? []
  const isJson = answers.some(([, { content = {} }]) => 'application/json' in content)
  const isKnown = placeholders.every((name) => name === '{address}')
  return method === 'GET' && isJson && isKnown && !/\/keys|\/webhooks/.test(path) ? ` data-run="${path}"` : ''
}

/** The contents of the reference, by group, for the list beside it. */
export function contentsHtml(): string {
  const html = groupsOf(apiDocument()).map(({ name, items }) => {
    const links = items.map(
      ({ path, method, operation }) =>
        `<li><a href="#${operation.operationId}" title="${escapeHtml(operation.summary)}"><span class="fine">${method}</span> ${escapeHtml(path.replace('/api/', ''))}</a></li>`,
    )
    return `<li><strong>${name}</strong><ul>${links.join('')}</ul></li>`
  })
  return `<ul class="contents">${html.join('')}</ul>`
}

function parameterTable(parameters: Operation['parameters'], schemas: Record<string, Schema>): string {
  const rows = parameters.map(
    ({ name, in: place, required, description = '', schema }) =>
      `<tr><th scope="row"><code>${name}</code> <span class="fine">${place}${required ? ', required' : ''}</span></th>` +
      `<td>${escapeHtml(description)} <span class="fine">${schema ? typeOf(schema, schemas) : ''}</span></td></tr>`,
  )
  return `<table><caption class="visually-hidden">Parameters</caption><tbody>${rows.join('')}</tbody></table>`
}

/** The type of a value, and its members as a nested list. */
function schemaHtml(schema: Schema, schemas: Record<string, Schema>, depth = 0): string {
  const { oneOf } = resolve(schema, schemas)
  if (oneOf !== undefined) {
    return oneOf.map((each) => schemaHtml(each, schemas, depth)).join('<p class="fine">or</p>')
  }
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
  return type + range + fallback
}

function resolve(schema: Schema, schemas: Record<string, Schema>): Schema {
  return schema.$ref === undefined ? schema : (schemas[schema.$ref.split('/').pop() ?? ''] ?? schema)
}
