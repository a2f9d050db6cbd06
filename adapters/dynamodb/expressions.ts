import type { Item } from './attributes.ts'

/**
 * Parts of a request. A `#name` in an expression is the attribute of that name, unless `names` has
 * another one, so no attribute collides with one of DynamoDB's 573 reserved words.
 */
export interface Expressions {
  condition?: string
  values?: Item
  names?: Record<string, string>
}

/** The rejection includes the item that fails the condition, which saves a read. */
export function conditional(expressions: Expressions, ...texts: string[]) {
  const { condition } = expressions
  return {
    ConditionExpression: condition,
    ReturnValuesOnConditionCheckFailure: condition === undefined ? undefined : ('ALL_OLD' as const),
    ...named(expressions, condition, ...texts),
  }
}

export function named({ names = {}, values }: Expressions, ...texts: (string | undefined)[]) {
  const all: Record<string, string> = {}
  for (const text of texts) {
    for (const [name] of text?.matchAll(/#\w+/g) ?? []) all[name] = names[name] ?? name.slice(1)
  }
  return {
    ExpressionAttributeNames: Object.keys(all).length === 0 ? undefined : all,
    ExpressionAttributeValues: values,
  }
}
