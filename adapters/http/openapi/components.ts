import { toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema'
import type { GenericSchema } from 'valibot'
import * as access from '../wire/access.ts'
import { ActivityAnswer } from '../wire/activity.ts'
import * as email from '../wire/email.ts'
import { InfoAnswer } from '../wire/info.ts'
import { CheckedLink, LinkCheckAnswer } from '../wire/link-check.ts'
import * as mcp from '../wire/mcp.ts'
import { OpenApiAnswer } from '../wire/openapi.ts'
import { Problem } from '../wire/problem.ts'
import { Refusal, RefusalsAnswer } from '../wire/refusals.ts'
import { NewKeyBody, TestMailBody } from '../wire/requests.ts'
import * as webhooks from '../wire/webhooks.ts'
import { HEADERS } from './headers.ts'

export type Json = Record<string, unknown>

/** The shapes that have a name in the document, and therefore a class in a generated client. */
const SHAPES = {
  ...schemasIn(access),
  ActivityAnswer,
  ...schemasIn(email),
  InfoAnswer,
  CheckedLink,
  LinkCheckAnswer,
  ...schemasIn(mcp),
  OpenApiAnswer,
  Problem,
  Refusal,
  RefusalsAnswer,
  NewKeyBody,
  TestMailBody,
  ...schemasIn(webhooks, ['WebhookMembers']),
}

/** The schemas that a module exports. */
function schemasIn(module: object, without: string[] = []): Record<string, GenericSchema> {
  const entries = Object.entries(module as Record<string, unknown>)
  return Object.fromEntries(
    entries.filter(([name, value]) => typeof value === 'object' && !without.includes(name)),
  ) as Record<string, GenericSchema>
}

const CONVERSION = {
  target: 'draft-2020-12',
  // What JSON Schema cannot say (that a pattern counts code points, say) is still checked by the
  // server.
  errorMode: 'ignore',
  typeMode: 'input',
  overrideRef: ({ referenceId }: { referenceId: string }) => `#/components/schemas/${referenceId}`,
  overrideSchema: ({
    valibotSchema,
    jsonSchema,
  }: {
    valibotSchema: { type: string }
    jsonSchema: object
  }) => {
    // The alternatives of this API exclude each other.
    if (valibotSchema.type === 'union' && 'anyOf' in jsonSchema) return { oneOf: jsonSchema.anyOf }
    // Without this, openapi-typescript types the object as one that can have no member.
    return valibotSchema.type === 'loose_object' ? { ...jsonSchema, additionalProperties: true } : undefined
  },
} as const

/** Returns the JSON Schema of a shape: a reference, if it has a name. */
export function schemaOf(schema: GenericSchema): Json {
  const {
    $schema: _,
    $defs: __,
    ...own
  } = toJsonSchema(schema, { ...CONVERSION, definitions: SHAPES } as never)
  return own
}

let schemas: Json | undefined

/** Returns the JSON Schema of every named shape. */
export function namedSchemas(): Json {
  schemas ??= toJsonSchemaDefs(SHAPES as never, CONVERSION as never) as Json
  return schemas
}

/** Returns the schemas and headers that a part of the document refers to, also indirectly. */
export function componentsOf(part: object): { schemas: Json; headers: Json } {
  const all = { schemas: namedSchemas(), headers: HEADERS as unknown as Json }
  const found = { schemas: {} as Json, headers: {} as Json }
  const visit = (value: unknown): void => {
    for (const [, kind, name] of JSON.stringify(value).matchAll(
      /"#\/components\/(schemas|headers)\/([^"]+)"/g,
    )) {
      const known = found[kind as keyof typeof found]
      if (name! in known) continue
      known[name!] = all[kind as keyof typeof all][name!]
      visit(known[name!])
    }
  }
  visit(part)
  return { schemas: sorted(found.schemas), headers: sorted(found.headers) }
}

function sorted(members: Json): Json {
  return Object.fromEntries(Object.entries(members).sort(([a], [b]) => a.localeCompare(b)))
}
