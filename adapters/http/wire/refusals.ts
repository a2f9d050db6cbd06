import * as v from 'valibot'
import type { RefusedMail } from '../../../core/inbox/refusals.ts'
import { count, ok, time } from './fields.ts'

/** A recipient, or a message, that was refused. */
export const Refusal = v.object({
  at: time,
  client: v.string(),
  mail_from: v.nullable(v.string()),
  recipient: v.nullable(v.string()),
  code: count,
  reply: v.string(),
})

export const RefusalsAnswer = v.object({ success: ok, refusals: v.array(Refusal) })

export function refusalOf(refusal: RefusedMail): v.InferOutput<typeof Refusal> {
  const { at, client, mailFrom, recipient, code, reply } = refusal
  return { at: new Date(at).toISOString(), client, mail_from: mailFrom, recipient, code, reply }
}
