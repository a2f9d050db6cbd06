/** A message or a part as it was sent: nothing is decoded. */
export interface RawEntity {
  /** Names as written, folded lines joined. */
  fields: { name: string; value: string }[]
  body: string
}

/** Parts of one message and the depth of their nesting that are shown. */
const PARTS_MAX = 500
const DEPTH_MAX = 20

/** Divides a message, or a part of one, into its fields and its body. */
export function entityOf(text: string): RawEntity {
  const empty = /^\r?\n/.exec(text)
  const end = empty ?? /\r?\n\r?\n/.exec(text)
  const head = empty ? '' : end ? text.slice(0, end.index) : text
  return { fields: fieldsOf(head), body: end ? text.slice(end.index + end[0].length) : '' }
}

function fieldsOf(head: string): RawEntity['fields'] {
  const lines = head.replaceAll(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)
  return lines.flatMap((line) => {
    const colon = line.indexOf(':')
    return colon < 1 ? [] : [{ name: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim() }]
  })
}

/** Returns the value of the first field with this name, in any case of letters; '' if it is missing. */
export function fieldOf({ fields }: RawEntity, name: string): string {
  return fields.find((field) => field.name.toLowerCase() === name)?.value ?? ''
}

/** Returns the parts of a multipart entity (RFC 2046, section 5.1.1); undefined for any other one. */
export function partsOf(entity: RawEntity): string[] | undefined {
  const type = fieldOf(entity, 'content-type')
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(type) ?? []
  const boundary = quoted ?? plain
  if (!/^multipart\//i.test(type) || boundary === undefined) return undefined
  const [, ...pieces] = `\n${entity.body}`.split(`\n--${boundary}`)
  const parts: string[] = []
  for (const piece of pieces) {
    if (piece.startsWith('--') || parts.length === PARTS_MAX) break
    parts.push(piece.replace(/^[ \t]*\r?\n/, '').replace(/\r$/, ''))
  }
  return parts
}

/** Whether parts at this depth of nesting are divided further. */
export function isShown(depth: number): boolean {
  return depth < DEPTH_MAX
}
