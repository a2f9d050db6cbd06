import type { Credential, Operation, Parameter } from './openapi.ts'

export type Field = Parameter | Credential

/** What can be given to an operation: first the key that it needs, last the one that only some inboxes need. */
export function fieldsOf({ credentials, parameters }: Operation): Field[] {
  const names = new Set(parameters.map(({ name }) => name))
  const keys = credentials.filter(({ name }) => !names.has(name))
  return [
    ...keys.filter(({ required }) => required),
    ...parameters,
    ...keys.filter(({ required }) => !required),
  ]
}

export interface Prepared {
  url: string
  init: { method: string; headers: Record<string, string>; body?: string }
}

/** The request of an operation with these values; those that are empty are left out. */
export function prepared(operation: Operation, given: (field: Field) => string, bodyText: string): Prepared {
  const { method, path, body } = operation
  let url = path
  const query = new URLSearchParams()
  const headers: Record<string, string> = {}
  for (const field of fieldsOf(operation)) {
    const value = given(field)
    if (field.in === 'path') url = url.replace(`{${field.name}}`, encodeURIComponent(value))
    else if (value === '') continue
    else if (field.in === 'query') query.set(field.name, value)
    else headers[field.name] = 'prefix' in field ? field.prefix + value : value
  }
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  if (query.size > 0) url += `?${query}`
  return { url, init: { method, headers, ...(body !== undefined && { body: bodyText }) } }
}

/** The same for a shell. */
export function asCurl({ url, init: { method, headers, body } }: Prepared): string {
  const flags = Object.entries(headers).map(([name, text]) => `-H ${quoted(`${name}: ${text}`)}`)
  if (method !== 'GET') flags.unshift(`-X ${method}`)
  if (body !== undefined) flags.push(`-d ${quoted(body)}`)
  return ['curl -s', ...flags, quoted(location.origin + url)].join(' ')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
