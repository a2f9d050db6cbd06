import type { Context } from 'hono'
import * as v from 'valibot'
import { CatcherError } from './catcher-error.ts'

/** The body of a request of Mailpit that changes messages. */
export interface Change {
  ids: string[]
  read: boolean
  search: string
}

/** Mailpit knows the members in any case of letters. */
const Body = v.pipe(
  v.nullable(
    v.pipe(
      v.custom<object>((body) => !Array.isArray(body)),
      v.record(v.string(), v.unknown()),
    ),
  ),
  v.transform((body) =>
    Object.fromEntries(Object.entries(body ?? {}).map(([name, value]) => [name.toLowerCase(), value])),
  ),
  v.object({
    ids: v.nullish(v.array(v.string()), []),
    read: v.nullish(v.boolean(), false),
    search: v.nullish(v.string(), ''),
  }),
)

/** @throws CatcherError 400 for a body of another form */
export async function changeOf(c: Context): Promise<Change> {
  const body = v.safeParse(Body, await c.req.json().catch(() => undefined))
  if (!body.success) {
    const form = '{"IDs": [], "Read": true, "Search": ""}'
    throw new CatcherError(400, `The request body is not of the form ${form}`)
  }
  return { ...body.output, search: body.output.search.trim() }
}
