import type * as v from 'valibot'
import { Problem } from '../../core/errors.ts'
import { shownName } from '../../core/nearest.ts'
import type { RequestHead } from './head.ts'
import { bodyBrokenOff } from './problem.ts'
import { type BodySchema, parseBody } from './validate.ts'

/** Returns the validated JSON body, `{}` for an empty one. @throws Problem `invalid_body` */
export async function readBody<S extends BodySchema>(
  head: RequestHead,
  schema: S,
): Promise<v.InferOutput<S>> {
  const input = await objectIn(head)
  if (input === undefined) throw new Problem('invalid_body', 'Send no body at all, or a JSON object.')
  return parseBody(schema, input)
}

/**
 * Refuses every body but `{}`, which some clients send for none. A filter in the body of a GET or DELETE
 * would be ignored, and more returned or deleted than the client meant.
 * @param parameters the names of the query parameters, where a filter belongs
 * @throws Problem `invalid_body`
 */
export async function refuseBody(head: RequestHead, parameters: string[]): Promise<void> {
  const input = await objectIn(head)
  const [name] = Object.keys(input ?? {})
  if (input === undefined || name !== undefined) throw noBody(name, parameters)
}

/** `refuseBody` for a GET, whose body no parser of requests keeps, so that only its length is known. */
export function refuseBodyOfGet(head: RequestHead, parameters: string[]): void {
  if (Number(head.header('Content-Length') ?? 0) > '{}'.length) throw noBody(undefined, parameters)
}

function noBody(name: string | undefined, parameters: string[]): Problem {
  const refusal =
    name === undefined
      ? 'This request takes no body.'
      : `${shownName(name)} is in the body, but this request takes none.`
  const advice =
    parameters.length === 0
      ? 'It has no query parameters either.'
      : `Its parameters belong in the query: ${parameters.join(', ')}.`
  return new Problem('invalid_body', `${refusal} ${advice}`)
}

/** Returns the JSON object of a body, `{}` for an empty one, undefined for anything else. */
async function objectIn(head: RequestHead): Promise<object | undefined> {
  const text = await head.text().catch((error: unknown) => {
    throw bodyBrokenOff(error)
  })
  if (text === '') return {}
  try {
    const input: unknown = JSON.parse(text)
    return typeof input === 'object' && input !== null && !Array.isArray(input) ? input : undefined
  } catch {
    return undefined
  }
}
