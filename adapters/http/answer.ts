import type * as v from 'valibot'
import type { Answer } from './endpoint.ts'

/** A JSON answer. */
export function json(body: object, status = 200): Response {
  const text = Buffer.from(JSON.stringify(body))
  const headers = { 'Content-Type': 'application/json', 'Content-Length': String(text.length) }
  return new Response(text, { status, headers })
}

/** Declares that an endpoint answers 200 with JSON of this shape. */
export function answers(description: string, schema: v.GenericSchema): Record<number, Answer> {
  return { 200: { description, schema } }
}
