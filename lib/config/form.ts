import * as v from 'valibot'

/** A text of this form. @param meaning what it must be, as the fault says it */
export function text(pattern: RegExp, meaning: string) {
  const message = `must be ${meaning}`
  return v.pipe(v.string(message), v.regex(pattern, message))
}

/** Any text; resolveConfig checks it further. */
export const anyText = v.string('must be a text')

const NUMBER = 'must be a number of at least 0'
export const number = v.pipe(v.number(NUMBER), v.minValue(0, NUMBER))

export const flag = v.boolean('must be true or false')

export const texts = v.custom<string[]>(
  (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  'must be a list of texts',
)

/** One of these texts. */
export function oneOf<const T extends string>(...values: T[]) {
  return v.picklist(values, `must be ${values.map((value) => `"${value}"`).join(' or ')}`)
}

const NO_OBJECT = 'must be an object'
/** Valibot's own objects may be lists. */
export const anyObject = v.custom<object>(isRecord, NO_OBJECT)

/** An object with these fields and no others. */
export function object<const T extends v.ObjectEntries>(fields: T) {
  const form = v.strictObject(fields, ({ expected, path }) => {
    if (expected === 'never') return 'is not a field of the configuration'
    const field = fields[String(path?.[0].key)]
    // A field that is missing is named with what it must be.
    return field !== undefined && 'message' in field ? String(field.message) : 'is missing'
  })
  return v.pipe(anyObject, form)
}

/** A fault of the form of the configuration. */
export interface FormFault {
  /** Names of fields and indexes of lists, from the outside. */
  path: (string | number)[]
  text: string
}

/** Returns the value, or its faults. */
export function readForm<T extends v.GenericSchema>(
  form: T,
  input: unknown,
): { value: v.InferOutput<T> } | { faults: FormFault[] } {
  const { success, output, issues } = v.safeParse(form, input)
  return success ? { value: output } : { faults: issues.map(faultOf) }
}

function faultOf({ path, message, input, type }: v.BaseIssue<unknown>): FormFault {
  const keys = (path ?? []).map(({ key }) => (typeof key === 'number' ? key : String(key)))
  const isShown = message.startsWith('must be') && input !== undefined && message !== NO_OBJECT
  // Valibot names the key of a record in the path of a fault about the key itself.
  if (path?.at(-1)?.origin === 'key' && type === 'regex')
    return { path: keys, text: `${nameOf(keys.slice(0, -1))} has the name "${input}", which ${message}` }
  return { path: keys, text: `${nameOf(keys)} ${message}${isShown ? `, not ${JSON.stringify(input)}` : ''}` }
}

/** Returns the name of a field, such as `domains[0].name`. */
export function nameOf(path: (string | number)[]): string {
  if (path.length === 0) return 'the configuration'
  return path.map((key, i) => (typeof key === 'number' ? `[${key}]` : `${i === 0 ? '' : '.'}${key}`)).join('')
}

/**
 * Returns the input without the values that these faults are about, so that the others can be
 * checked further. An item of a list keeps its place, without a name.
 */
export function withoutFaults(input: unknown, faults: FormFault[]): unknown {
  return faults.reduce((rest, { path }) => without(rest, path), input)
}

function without(value: unknown, [key, ...inner]: (string | number)[]): unknown {
  if (Array.isArray(value) && typeof key === 'number')
    return value.map((item, i) => (i === key ? (without(item, inner) ?? UNNAMED) : item))
  if (!isRecord(value) || key === undefined) return undefined
  const { [String(key)]: item, ...others } = value
  const rest = item === undefined ? undefined : without(item, inner)
  // Without a field that it needs, an object is no longer one of its form.
  if (item === undefined) return undefined
  return rest === undefined ? others : { ...others, [String(key)]: rest }
}

const UNNAMED = { name: '' }

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
