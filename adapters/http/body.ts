import type * as v from 'valibot'
import { Problem } from '../../core/errors.ts'
import type { RequestHead } from './head.ts'
import { bodyBrokenOff } from './problem.ts'
import { type BodySchema, parseBody } from './validate.ts'

/** Returns the validated JSON body, `{}` for an empty one. @throws Problem `invalid_body` */
export async function readBody<S extends BodySchema>(
  head: RequestHead,
  schema: S,
): Promise<v.InferOutput<S>> {
  const text = await head.text().catch((error: unknown) => {
    throw bodyBrokenOff(error)
  })
  const input = text === '' ? {} : jsonOf(text)
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new Problem('invalid_body', 'Send no body at all, or a JSON object.')
  }
  return parseBody(schema, input)
}

/** Undefined for text that is not JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
