import { COMMAND, FILTER_DOCS, HAS_WORDS, nameOf, type Schema, SHAPES } from './wire-shapes.ts'

/** Names of fields that Python cannot write as an attribute of a class. */
const KEYWORDS = ['from']

const TYPES: Record<string, string> = { string: 'str', number: 'int', boolean: 'bool' }

/** Returns the text of packages/python/src/mayfly/_wire.py. */
export function pythonTypes(): string {
  const header = `"""The JSON of the service's API, generated from its schemas by \`${COMMAND}\`; do not edit."""

from __future__ import annotations

from typing import Literal, TypedDict
`
  const shapes = Object.entries(SHAPES).map(([name, { doc, schema }]) => classOf(name, doc, schema))
  return [header, ...shapes, filters()].join('\n\n')
}

function classOf(name: string, doc: string, schema: Schema): string {
  const fields = Object.entries(schema.entries!)
  const isOptional = ([, field]: [string, Schema]) => field.type === 'optional'
  const isKeyword = ([field]: [string, Schema]) => KEYWORDS.includes(field)
  const required = fields.filter((field) => !isKeyword(field) && !isOptional(field))
  const keywords = fields.filter(isKeyword)
  const optional = fields.filter(isOptional)
  // Python 3.10 has no NotRequired, and a keyword is no name of an attribute: each needs a base.
  const bases: string[] = []
  const before: string[] = []
  if (keywords.length > 0) {
    const entries = keywords.map(([field, type]) => `"${field}": ${typeOf(type)}`).join(', ')
    before.push(`_${name}Keywords = TypedDict("_${name}Keywords", {${entries}})\n\n\n`)
    bases.push(`_${name}Keywords`)
  }
  if (optional.length > 0) {
    before.push(`class _${name}Optional(TypedDict, total=False):\n${lines(optional)}\n\n`)
    bases.push(`_${name}Optional`)
  }
  const base = bases.length === 0 ? 'TypedDict' : bases.join(', ')
  return `${before.join('')}class ${name}(${base}):\n    """${doc}"""\n\n${lines(required)}`
}

function lines(fields: [string, Schema][]): string {
  return fields
    .map(([name, type]) => `    ${name}: ${typeOf(type.type === 'optional' ? type.wrapped! : type)}\n`)
    .join('')
}

function typeOf(schema: Schema): string {
  const name = nameOf(schema)
  if (name !== undefined) return name
  const { type, item, wrapped, literal, options } = schema
  if (type === 'array') return `list[${typeOf(item!)}]`
  if (type === 'nullable') return `${typeOf(wrapped!)} | None`
  if (type === 'literal') return `Literal[${literal === false ? 'False' : JSON.stringify(literal)}]`
  if (type === 'picklist') return `Literal[${options!.map((option) => `"${option}"`).join(', ')}]`
  if (TYPES[type] !== undefined) return TYPES[type]
  throw new Error(`No rule exists for a schema of type "${type}" that has no name.`)
}

function filters(): string {
  const values = HAS_WORDS.map(([value]) => `"${value}"`).join(', ')
  const words = HAS_WORDS.map(([value, text]) => `    "${value}": "${text}",\n`)
  const docs = FILTER_DOCS.map(([name, doc]) => `    "${name}": "${doc}",\n`)
  return `Has = Literal[${values}]
"""What a mail may be asked to have."""

HAS: dict[str, str] = {
${words.join('')}}
"""The values of the filter \`has\`, in words."""

FILTERS: dict[str, str] = {
${docs.join('')}}
"""The filters that the service applies. Parts are compared without case."""
`
}
