import * as v from 'valibot'
import { count, ok } from './fields.ts'

export const InfoAnswer = v.object({
  success: ok,
  version: v.string(),
  base_url: v.string(),
  smtp: v.nullable(v.object({ host: v.string(), port: count })),
  mx: v.string(),
  retention_hours: v.number(),
  max_message_bytes: count,
  /** Whether the caller may check the links of an email. */
  link_check: v.boolean(),
  /** Whether the operator can read the mail of all addresses. */
  all_mail: v.boolean(),
})
