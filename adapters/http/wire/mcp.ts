import * as v from 'valibot'

/** The messages of JSON-RPC 2.0, as far as they do not depend on the method. */

const version = v.literal('2.0')
/** An id that is not valid is repeated, too. */
const callId = v.union([v.string(), v.number()])

export const McpRequest = v.strictObject({
  jsonrpc: version,
  id: v.optional(v.union([v.string(), v.pipe(v.number(), v.integer())])),
  method: v.string(),
  params: v.optional(v.looseObject({})),
})
export const McpAnswer = v.looseObject({
  jsonrpc: version,
  id: callId,
  result: v.optional(v.looseObject({})),
  error: v.optional(v.looseObject({ code: v.number(), message: v.string() })),
})
/**
 * Other members are valid here, too. The document must not say so: OpenAPI Generator does not see the
 * null in an object that says it, and fails for Python.
 */
export const McpFailure = v.object({
  jsonrpc: version,
  id: v.nullable(callId),
  error: v.looseObject({ code: v.number(), message: v.string() }),
})
