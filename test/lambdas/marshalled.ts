import type { Item } from '../../adapters/dynamodb/attributes.ts'

/** Returns an item as Lambda passes it in a stream event: binary attributes are base64 text. */
export function marshall(item: Item): Record<string, object> {
  const entries = Object.entries(item).map(([name, value]) =>
    value.B === undefined ? [name, value] : [name, { B: Buffer.from(value.B).toString('base64') }],
  )
  return Object.fromEntries(entries)
}
