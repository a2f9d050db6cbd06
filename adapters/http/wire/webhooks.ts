import * as v from 'valibot'
import type { Webhook, WebhookAttempt } from '../../../core/events/webhooks/ports.ts'
import { count, ok, time } from './fields.ts'
import { HAS, part } from './requests.ts'

const filter = { from: v.optional(part), subject: v.optional(part), has: v.optional(HAS) }

/** Of `address` and `domain` exactly one is given. */
export const NewWebhookBody = v.object({
  url: v.pipe(v.string('must be a text'), v.maxLength(2048, 'is too long')),
  address: v.optional(v.string('must be a text')),
  domain: v.optional(v.string('must be a text')),
  ...filter,
})

const fields = {
  id: v.string(),
  url: v.string(),
  status: v.picklist(['pending', 'live']),
  address: v.optional(v.string()),
  domain: v.optional(v.string()),
  from: v.optional(v.string()),
  subject: v.optional(v.string()),
  has: v.optional(v.string()),
  created_at: time,
  expires_at: time,
}

const Attempt = v.object({
  time,
  webhook_id: v.string(),
  type: v.picklist(['email.received', 'ping']),
  status: v.nullable(count),
  error: v.nullable(v.string()),
  ms: count,
  next_attempt_at: v.nullable(time),
})

export const NewWebhookAnswer = v.object({ success: ok, ...fields, secret: v.string() })
export const WebhookAnswer = v.object({ success: ok, ...fields })
export const WebhooksAnswer = v.object({ success: ok, webhooks: v.array(v.object(fields)) })
export const WebhookDeletedAnswer = v.object({ success: ok, id: v.string() })
export const WebhookTestAnswer = v.object({ success: ok, delivery: Attempt })
export const WebhookDeliveriesAnswer = v.object({ success: ok, deliveries: v.array(Attempt) })

const iso = (at: number) => new Date(at).toISOString()

/** Without its secret, which is shown once. */
export function webhookOf({
  id,
  url,
  status,
  target,
  filter,
  createdAt: created_at,
  expiresAt: expires_at,
}: Webhook) {
  return { id, url, status, ...target, ...filter, created_at: iso(created_at), expires_at: iso(expires_at) }
}

export function attemptOf({ at, delivery, type, status, error, ms, nextAt: next_at }: WebhookAttempt) {
  return {
    time: iso(at),
    webhook_id: delivery,
    type,
    status,
    error,
    ms,
    next_attempt_at: next_at === null ? null : iso(next_at),
  }
}
