import { ask } from '../lib/api.ts'

/** What of an OpenAPI 3.1 document the reference shows. */
export interface Schema {
  type?: string | string[]
  description?: string
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

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema?: Schema
}

export interface Operation {
  method: string
  path: string
  id: string
  summary: string
  description?: string
  secured: boolean
  parameters: Parameter[]
  body: Schema | undefined
  answers: { status: string; description: string; type: string | undefined; schema: Schema | undefined }[]
}

interface Media {
  content?: Record<string, { schema?: Schema }>
}

interface Document {
  paths: Record<string, Record<string, RawOperation>>
  components?: { schemas?: Record<string, Schema> }
}

interface RawOperation {
  operationId: string
  summary?: string
  description?: string
  security?: Record<string, unknown>[]
  parameters?: Parameter[]
  requestBody?: Media
  responses?: Record<string, Media & { description?: string }>
}

/** The first that a path begins with names its group. */
const GROUPS: [string, string][] = [
  ['/api/sse', 'Streams'],
  ['/api/user-dashboard', 'Streams'],
  ['/api/public/emails', 'Mail'],
  ['/api/emails', 'Mail'],
  ['/api/keys', 'Keys'],
  ['/api/webhooks', 'Webhooks'],
  ['/api/random-username', 'Addresses and domains'],
  ['/api/domain', 'Addresses and domains'],
  ['/', 'The service'],
]

const ORDER = ['Addresses and domains', 'Mail', 'Streams', 'Webhooks', 'Keys', 'The service']

export interface Reference {
  groups: { name: string; operations: Operation[] }[]
  /** What a `$ref` stands for. */
  resolve(schema: Schema): Schema
}

/** The service's own OpenAPI document, ready to be drawn. @throws ApiProblem */
export async function fetchReference(): Promise<Reference> {
  const document = await ask<Document>('/api/openapi.json')
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]) => operationOf(path, method, raw)),
  )
  const groupOf = ({ path }: Operation) => GROUPS.find(([prefix]) => path.startsWith(prefix))![1]
  const names = ORDER.filter((name) => operations.some((operation) => groupOf(operation) === name))
  const schemas = document.components?.schemas ?? {}
  return {
    groups: names.map((name) => ({
      name,
      operations: operations.filter((operation) => groupOf(operation) === name),
    })),
    resolve: (schema) =>
      schema.$ref === undefined ? schema : (schemas[schema.$ref.split('/').pop()!] ?? schema),
  }
}

function operationOf(path: string, method: string, raw: RawOperation): Operation {
  const { operationId, summary = '', description, security = [], parameters = [], responses = {} } = raw
  return {
    method: method.toUpperCase(),
    path,
    id: operationId,
    summary,
    ...(description === undefined ? {} : { description }),
    // An empty requirement among them says that it goes without a key too.
    secured: security.length > 0 && !security.some((scheme) => Object.keys(scheme).length === 0),
    parameters,
    body: raw.requestBody?.content?.['application/json']?.schema,
    answers: Object.entries(responses).map(([status, answer]) => {
      const [type, media] = Object.entries(answer.content ?? {})[0] ?? []
      return { status, description: answer.description ?? '', type, schema: media?.schema }
    }),
  }
}
