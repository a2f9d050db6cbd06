import { entityOf, fieldOf, isShown, partsOf, type RawEntity } from './header-block.ts'

/*
 * The service stores bodies with LF. Mailpit answers them with the line ends that they were sent
 * with, which is CRLF except in parts in Base64.
 */

/** Whether the first part of this type has lines that end with CRLF. */
export function hasCrlf(message: RawEntity, type: string): boolean {
  const part = firstOf(message, type, 0)
  if (part === undefined) return false
  if (fieldOf(part, 'content-transfer-encoding').toLowerCase() !== 'base64') return true
  return Buffer.from(part.body, 'base64').includes('\r\n')
}

function firstOf(entity: RawEntity, type: string, depth: number): RawEntity | undefined {
  const parts = isShown(depth) ? partsOf(entity) : undefined
  if (parts === undefined) {
    const own = fieldOf(entity, 'content-type') || 'text/plain'
    return own.toLowerCase().startsWith(type) ? entity : undefined
  }
  for (const part of parts) {
    const found = firstOf(entityOf(part), type, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

/** Returns a JSON text whose string has CRLF in place of LF. Its pairs of backslashes are no escapes of LF. */
export function withCrlf(json: string): string {
  return json
    .split('\\\\')
    .map((piece) => piece.replaceAll('\\n', '\\r\\n'))
    .join('\\\\')
}
