/**
 * Writes src/wire.ts: the shapes that the service sends, as TypeScript types, made of the schemas that define them
 * (adapters/http/wire). `node packages/client/build/wire.ts`, and by itself before packing.
 */
import { writeFile } from 'node:fs/promises'
import { ActionLink, Attachment, Email, Person, WholeEmail } from '../../../adapters/http/wire/email.ts'
import { Problem } from '../../../adapters/http/wire/problem.ts'

/** The shapes by their names in the package; where one is part of another, the other names it. */
const NAMED = { Person, ActionLink, Email, Attachment, WholeEmail, Problem }

interface Schema {
  type: string
  entries?: Record<string, Schema>
  item?: Schema
  wrapped?: Schema
  literal?: string | number | boolean
  options?: string[]
}

export function wireTypes(): string {
  const types = Object.entries(NAMED).map(
    ([name, schema]) => `export interface ${name} ${typeOf(schema as unknown as Schema, { self: name })}\n`,
  )
  return `/** Made by build/wire.ts of the service's schemas; not to be edited. */\n\n${types.join('\n')}`
}

function typeOf(schema: Schema, { self, indent = '' }: { self?: string; indent?: string } = {}): string {
  const named = Object.entries(NAMED).find(([name, one]) => name !== self && (one as unknown) === schema)
  if (named !== undefined) return named[0]
  const { type, entries, item, wrapped, literal, options } = schema
  if (type === 'object') {
    const fields = Object.entries(entries!).map(([name, field]) => {
      const optional = field.type === 'optional'
      const inner = typeOf(optional ? field.wrapped! : field, { indent: `${indent}  ` })
      return `${indent}  ${name}${optional ? '?' : ''}: ${inner}\n`
    })
    return `{\n${fields.join('')}${indent}}`
  }
  if (type === 'array') return `${typeOf(item!, { indent })}[]`
  if (type === 'nullable') return `${typeOf(wrapped!, { indent })} | null`
  if (type === 'literal') return JSON.stringify(literal)
  if (type === 'picklist') return options!.map((option) => `'${option}'`).join(' | ')
  if (type === 'string' || type === 'number' || type === 'boolean') return type
  throw new Error(`There is no rule yet for a schema of type "${type}".`)
}

if (import.meta.main) await writeFile(new URL('../src/wire.ts', import.meta.url), wireTypes())
