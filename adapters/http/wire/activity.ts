import * as v from 'valibot'
import type { ClientRequest } from '../activity.ts'
import { count, ok, time } from './fields.ts'

const Entry = v.object({
  method: v.string(),
  target: v.string(),
  started_at: time,
  status: v.nullable(count),
  ms: v.nullable(count),
})

export const ActivityAnswer = v.object({ success: ok, requests: v.array(Entry) })

/** The JSON of a request; `status` and `ms` are null while the client waits. */
export function activityEntry({ method, target, startedAt, answer }: ClientRequest) {
  return {
    method,
    target,
    started_at: new Date(startedAt).toISOString(),
    status: answer?.status ?? null,
    ms: answer === undefined ? null : Math.max(0, Math.round(answer.ms)),
  }
}
