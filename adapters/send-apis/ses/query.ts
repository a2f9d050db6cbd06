import { SendError } from '../send-error.ts'

/** A parameter of the query protocol: a text, a list or a structure. */
export type QueryValue = string | QueryValue[] | { [name: string]: QueryValue }

const DEPTH_MAX = 10
const LIST_MAX = 1000

/**
 * The parameters of a request in the AWS Query protocol: `A.member.1.B=x` becomes `{A: [{B:
 * 'x'}]}`.
 * @see https://smithy.io/2.0/aws/protocols/aws-query-protocol.html
 * @throws SendError `invalid`
 */
export function parseQueryForm(form: string): { [name: string]: QueryValue } {
  const parameters = new URLSearchParams(form)
  const root: Node = new Map()
  for (const [name, value] of parameters) {
    const path = name.split('.', DEPTH_MAX + 1)
    if (path.length > DEPTH_MAX) throw new SendError('invalid', 'A parameter is nested too deeply.')
    insert(root, path, value)
  }
  return Object.fromEntries([...root].map(([name, node]) => [name, asValue(node)]))
}

type Node = Map<string, Node | string>

function insert(node: Node, [name = '', ...rest]: string[], value: string): void {
  if (rest.length === 0) {
    node.set(name, value)
    return
  }
  const known = node.get(name)
  const child: Node = known instanceof Map ? known : new Map()
  node.set(name, child)
  insert(child, rest, value)
}

function asValue(node: Node | string): QueryValue {
  if (typeof node === 'string') return node
  const members = node.get('member')
  if (members instanceof Map) {
    const sorted = [...members].sort(([a], [b]) => Number(a) - Number(b)).slice(0, LIST_MAX)
    return sorted.map(([, member]) => asValue(member))
  }
  return Object.fromEntries([...node].map(([name, child]) => [name, asValue(child)]))
}

/**
 * A value as XML elements; a list has one `<member>` for each item, a map one `<entry>`. `undefined`
 * is left out.
 */
export function xmlOf(value: XmlValue): string {
  if (Array.isArray(value)) return value.map((item) => `<member>${xmlOf(item)}</member>`).join('')
  if (value instanceof Map) {
    return [...value]
      .map(([key, item]) => `<entry><key>${escaped(key)}</key><value>${xmlOf(item)}</value></entry>`)
      .join('')
  }
  if (typeof value === 'object') {
    return Object.entries(value)
      .map(([name, child]) => (child === undefined ? '' : `<${name}>${xmlOf(child)}</${name}>`))
      .join('')
  }
  return escaped(String(value))
}

export type XmlValue =
  | string
  | number
  | XmlValue[]
  | Map<string, XmlValue>
  | { [name: string]: XmlValue | undefined }

/**
 * XML 1.0 has no control characters other than tab, line feed and carriage return, not even
 * escaped.
 */
function escaped(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
      .replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('\r', '&#13;')
  )
}
