import type { Reference, Schema } from './openapi.ts'

interface Props {
  schema: Schema
  reference: Reference
  depth?: number
}

/** Deeper than this nothing of the API goes. */
const DEPTH_MAX = 6

/** The shape of a value: its type, and its members as a list. */
export function SchemaView({ schema, reference, depth = 0 }: Props) {
  const resolved = reference.resolve(schema)
  const members = membersOf(resolved, reference)
  if (members === undefined || depth > DEPTH_MAX)
    return <span class="type">{typeOf(resolved, reference)}</span>
  return (
    <>
      <span class="type">{typeOf(resolved, reference)}</span>
      <ul class="members">
        {Object.entries(members.properties ?? {}).map(([name, member]) => (
          <li key={name}>
            <code>{name}</code>
            {members.required?.includes(name) ? '' : <span class="fine"> optional</span>}{' '}
            <SchemaView schema={member} reference={reference} depth={depth + 1} />
          </li>
        ))}
      </ul>
    </>
  )
}

/** The object that has the members: the value itself, that which may be null, or an item of the list. */
function membersOf(schema: Schema, reference: Reference): Schema | undefined {
  if (schema.properties !== undefined) return schema
  const inner = schema.items ?? schema.anyOf?.find((choice) => reference.resolve(choice).type !== 'null')
  return inner && membersOf(reference.resolve(inner), reference)
}

function typeOf(schema: Schema, reference: Reference): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' or ')
  if (schema.anyOf !== undefined) {
    return schema.anyOf.map((choice) => typeOf(reference.resolve(choice), reference)).join(' or ')
  }
  if (schema.items !== undefined) return `list of ${typeOf(reference.resolve(schema.items), reference)}`
  const type = [schema.type ?? 'any'].flat().join(' or ')
  const { minimum, maximum } = schema
  const range = minimum !== undefined && maximum !== undefined ? `, ${minimum} to ${maximum}` : ''
  const fallback = schema.default === undefined ? '' : `, ${JSON.stringify(schema.default)} unless given`
  return type + range + fallback
}
