import * as v from 'valibot'
import type { Email } from '../../../core/inbox/email.ts'
import { FILTER_NAMES, type FilterName } from '../../../core/inbox/filter.ts'
import { type ArrivedEmail, arrived, type ClientRequest, missedBy, type WaitRecord } from '../activity.ts'
import { Person } from './email.ts'
import { count, id, ok, time } from './fields.ts'

const filterFields = Object.fromEntries(FILTER_NAMES.map((name) => [name, v.optional(v.string())])) as Record<
  FilterName,
  v.OptionalSchema<v.StringSchema<undefined>, undefined>
>
const Arrived = v.object({ id, from: Person, subject: v.string(), received_at: time })
const Missed = v.object({
  ...Arrived.entries,
  reasons: v.array(v.object({ filter: v.picklist([...FILTER_NAMES, 'since']), text: v.string() })),
})
const Wait = v.object({
  filter: v.object(filterFields),
  since: v.nullable(id),
  timeout: count,
  found: v.nullable(Arrived),
  missed: v.array(Missed),
})
const Entry = v.object({
  method: v.string(),
  target: v.string(),
  started_at: time,
  status: v.nullable(count),
  ms: v.nullable(count),
  wait: v.nullable(Wait),
})

export const ActivityAnswer = v.object({ success: ok, requests: v.array(Entry), emails: v.array(Arrived) })

/**
 * The JSON of a request; `status` and `ms` are null while the client waits.
 * @param emails those that exist now, from which the missed ones of an open wait are computed
 */
export function activityEntry(request: ClientRequest, emails: Email[]): v.InferOutput<typeof Entry> {
  const { method, target, startedAt, answer, wait } = request
  return {
    method,
    target,
    started_at: timeOf(startedAt),
    status: answer?.status ?? null,
    ms: answer === undefined ? null : Math.max(0, Math.round(answer.ms)),
    wait: wait === undefined ? null : waitOf(wait, startedAt, emails),
  }
}

export function arrivedOf(email: Email): v.InferOutput<typeof Arrived> {
  return fieldsOf(arrived(email))
}

function waitOf(wait: WaitRecord, startedAt: number, emails: Email[]): v.InferOutput<typeof Wait> {
  const missed = wait.missed ?? missedBy(wait, startedAt, emails)
  return {
    filter: wait.filter,
    since: wait.after ?? null,
    timeout: Math.round(wait.timeoutMs / 1000),
    found: wait.found ? fieldsOf(wait.found) : null,
    missed: missed.map(({ reasons, ...email }) => ({ ...fieldsOf(email), reasons })),
  }
}

function fieldsOf({ receivedAt, ...email }: ArrivedEmail): v.InferOutput<typeof Arrived> {
  return { ...email, received_at: timeOf(receivedAt) }
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString()
}
