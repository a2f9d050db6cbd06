import { COMMAND, FILTER_DOCS, HAS_WORDS, nameOf, type Schema, SHAPES } from './wire-shapes.ts'

/** Returns the text of packages/client/src/wire.ts. */
export function typeScriptTypes(): string {
  const shapes = Object.entries(SHAPES).map(
    ([name, { doc, schema }]) =>
      `/** ${doc} */\nexport interface ${name} ${typeOf(schema, { self: name })}\n`,
  )
  const header = `/** Generated from the service's schemas by \`${COMMAND}\`; do not edit. */\n`
  return [header, ...shapes, filters()].join('\n')
}

function filters(): string {
  const words = HAS_WORDS.map(([value, text]) => `  ${value}: '${text}',\n`)
  const fields = FILTER_DOCS.map(([name, doc]) => {
    const type = name === 'has' ? 'keyof typeof HAS' : 'string'
    return `  /** ${doc[0]!.toUpperCase()}${doc.slice(1)}. */\n  ${name}?: ${type}\n`
  })
  return `/** The values of the filter \`has\`, in words. */
export const HAS = {
${words.join('')}} as const

/** The filters that the service applies. Parts are compared without case. */
export interface EmailFilter {
${fields.join('')}}
`
}

function typeOf(schema: Schema, { self, indent = '' }: { self?: string; indent?: string } = {}): string {
  const name = nameOf(schema, self)
  if (name !== undefined) return name
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
  throw new Error(`No rule exists for a schema of type "${type}".`)
}
