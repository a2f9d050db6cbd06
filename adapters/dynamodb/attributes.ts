import type { AttributeValue } from '@aws-sdk/client-dynamodb'

/** An item or its key, in the form of the DynamoDB API. */
export type Item = Record<string, AttributeValue>

export function s(text: string): AttributeValue {
  return { S: text }
}

export function n(number: number): AttributeValue {
  return { N: String(number) }
}

/** The text of an attribute that the item must have. */
export function text(item: Item, name: string): string {
  const value = item[name]?.S
  if (value === undefined) throw new Error(`the item has no text "${name}"`)
  return value
}

/** The number of an attribute that the item must have. */
export function number(item: Item, name: string): number {
  const value = item[name]?.N
  if (value === undefined) throw new Error(`the item has no number "${name}"`)
  return Number(value)
}

/** Converts a time in ms to a DynamoDB time to live in seconds, rounded up. */
export function ttl(ms: number): AttributeValue {
  return n(Math.ceil(ms / 1000))
}
