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

/** A key that an operation takes. */
export interface Credential extends Parameter {
  in: 'query' | 'header'
  required: boolean
  /** Stands before it in its header. */
  prefix: string
  isApiKey: boolean
}

export interface Operation {
  method: string
  path: string
  id: string
  summary: string
  description?: string
  credentials: Credential[]
  parameters: Parameter[]
  body: Schema | undefined
  answers: { status: string; description: string; type: string | undefined; schema: Schema | undefined }[]
}

interface Media {
  content?: Record<string, { schema?: Schema }>
}

type SecurityScheme =
  | { type: 'apiKey'; name: string; in: 'query' | 'header' }
  | { type: 'http'; scheme: 'bearer' }

interface Document {
  paths: Record<string, Record<string, RawOperation>>
  components?: { schemas?: Record<string, Schema>; securitySchemes?: Record<string, SecurityScheme> }
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
  const { schemas = {}, securitySchemes = {} } = document.components ?? {}
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]) => operationOf(path, method, raw, securitySchemes)),
  )
  const groupOf = ({ path }: Operation) => GROUPS.find(([prefix]) => path.startsWith(prefix))![1]
  const names = ORDER.filter((name) => operations.some((operation) => groupOf(operation) === name))
  return {
    groups: names.map((name) => ({
      name,
      operations: operations.filter((operation) => groupOf(operation) === name),
    })),
    resolve: (schema) =>
      schema.$ref === undefined ? schema : (schemas[schema.$ref.split('/').pop()!] ?? schema),
  }
}

function operationOf(
  path: string,
  method: string,
  raw: RawOperation,
  schemes: Record<string, SecurityScheme>,
): Operation {
  const { operationId, summary = '', description, security = [], parameters = [], responses = {} } = raw
  return {
    method: method.toUpperCase(),
    path,
    id: operationId,
    summary,
    ...(description === undefined ? {} : { description }),
    credentials: credentialsOf(security, schemes),
    parameters,
    body: raw.requestBody?.content?.['application/json']?.schema,
    answers: Object.entries(responses).map(([status, answer]) => {
      const [type, media] = Object.entries(answer.content ?? {})[0] ?? []
      return { status, description: answer.description ?? '', type, schema: media?.schema }
    }),
  }
}

/** Of the alternatives of an operation each key once; required is what all of them ask for. */
function credentialsOf(
  alternatives: Record<string, unknown>[],
  schemes: Record<string, SecurityScheme>,
): Credential[] {
  const names = [...new Set(alternatives.flatMap((alternative) => Object.keys(alternative)))]
  const all = names.map((name): Credential => {
    const scheme = schemes[name]!
    const required = alternatives.every((alternative) => name in alternative)
    return scheme.type === 'http'
      ? { name: 'Authorization', in: 'header', prefix: 'Bearer ', required, isApiKey: true }
      : { name: scheme.name, in: scheme.in, prefix: '', required, isApiKey: scheme.name === 'X-API-Key' }
  })
  // A query is for those who can send no header.
  const byHeader = all.some((one) => one.in === 'header' && !one.isApiKey)
  return all.filter((one) => one.in === 'header' || !byHeader)
}
