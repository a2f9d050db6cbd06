import * as v from 'valibot'

/** A refusal (RFC 9457). */
export const Problem = v.object({
  type: v.string(),
  title: v.string(),
  status: v.number(),
  detail: v.string(),
  code: v.string(),
  success: v.literal(false),
  request_id: v.string(),
})
