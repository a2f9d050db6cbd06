import * as v from 'valibot'
import { Problem, type ProblemCode } from '../../core/errors.ts'
import { unknownName } from '../../core/nearest.ts'

type Entries = v.ObjectEntries

/** What clients add to a query to circumvent caches. */
const IGNORED = '_'

/**
 * A query, validated. A parameter that is given twice is refused unless the schema has a list for
 * it: one of the two would have to be ignored. So is one that the schema does not name: a misspelt
 * filter would select the wrong emails.
 * @param others parameters that are read elsewhere
 * @throws Problem `invalid_query`
 */
export function parseQuery<S extends v.ObjectSchema<Entries, undefined>>(
  schema: S,
  query: URLSearchParams,
  others: string[] = [],
): v.InferOutput<S> {
  // Thousands of streams that reconnect at once have an empty query.
  if (query.size === 0) return ofNothing(schema)
  const given = valuesByName(query)
  given.delete(IGNORED)
  refuseUnknown([...given.keys()], [...Object.keys(schema.entries), ...others], 'invalid_query')
  const input: Record<string, unknown> = {}
  for (const [name, entry] of Object.entries(schema.entries)) {
    const values = given.get(name) ?? []
    if (isOf('array', entry)) {
      input[name] = values
      continue
    }
    if (values.length > 1) throw new Problem('invalid_query', `"${name}" is given more than once.`)
    const value = values[0]
    if (value !== undefined)
      input[name] = isOf('number', entry) && /^-?\d{1,9}$/.test(value) ? Number(value) : value
  }
  return parse(schema, input, 'invalid_query')
}

/** The values of each parameter, in one pass: `getAll` reads all parameters for each name. */
function valuesByName(query: URLSearchParams): Map<string, string[]> {
  const values = new Map<string, string[]>()
  for (const [name, value] of query) {
    const known = values.get(name)
    if (known === undefined) values.set(name, [value])
    else known.push(value)
  }
  return values
}

const outputs = new WeakMap<v.GenericSchema, unknown>()

function ofNothing<S extends v.GenericSchema>(schema: S): v.InferOutput<S> {
  const output = outputs.get(schema) ?? Object.freeze(parse(schema, {}, 'invalid_query'))
  outputs.set(schema, output)
  return output as v.InferOutput<S>
}

function refuseUnknown(names: string[], known: string[], code: ProblemCode): void {
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) throw new Problem(code, `${unknownName(unknown, known)}.`)
}

/** Returns the validated body, whose members are all known. @throws Problem `invalid_body` */
export function parseBody<S extends BodySchema>(schema: S, input: object): v.InferOutput<S> {
  refuseUnknown(Object.keys(input), Object.keys(schema.entries), 'invalid_body')
  return parse(schema, input, 'invalid_body')
}

/** A body of JSON that is an object. */
export type BodySchema = v.GenericSchema & { entries: Entries }

/** Returns the validated input. @throws Problem `code`, which names the first wrong member */
export function parse<S extends v.GenericSchema>(
  schema: S,
  input: unknown,
  code: ProblemCode,
): v.InferOutput<S> {
  const result = v.safeParse(schema, input, { abortEarly: true })
  if (result.success) return result.output
  const issue = result.issues[0]
  const name = v.getDotPath(issue)
  // Valibot's own message for a missing member names types.
  const text = issue.received === 'undefined' ? 'is missing' : issue.message
  throw new Problem(code, name === null ? `${text}.` : `"${name}" ${text}.`)
}

/** Whether values of the schema have this type, optional ones too. */
function isOf(wanted: 'number' | 'array', schema: unknown): boolean {
  const { type, wrapped } = schema as { type: string; wrapped?: unknown }
  return type === wanted || (wrapped !== undefined && isOf(wanted, wrapped))
}
