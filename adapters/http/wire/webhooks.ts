import * as v from 'valibot'
import type {
  WebhookAttempt as StoredAttempt,
  Webhook as StoredWebhook,
} from '../../../core/events/webhooks/ports.ts'
import { address, count, domain, ok, time, webhookId } from './fields.ts'
import { filterEntries, givenAddress, givenDomain } from './requests.ts'

const url = v.pipe(
  v.string('must be a text'),
  v.maxLength(2048, 'is too long'),
  v.metadata({ format: 'uri' }),
)

export const AddressWebhook = v.strictObject({ url, address: givenAddress, ...filterEntries })
export const DomainWebhook = v.strictObject({ url, domain: givenDomain, ...filterEntries })
export const NewWebhookBody = v.union([AddressWebhook, DomainWebhook])

/** Both kinds in one, so that a refusal names the member that is wrong. */
export const WebhookMembers = v.strictObject({
  url,
  address: v.optional(givenAddress),
  domain: v.optional(givenDomain),
  ...filterEntries,
})

const fields = {
  id: webhookId,
  url: v.string(),
  status: v.picklist(['pending', 'live']),
  address: v.optional(address),
  domain: v.optional(domain),
  ...filterEntries,
  created_at: time,
  expires_at: time,
}

export const WebhookAttempt = v.object({
  time,
  /** `webhook-id` of the delivery, the same for each of its attempts. */
  webhook_id: v.string(),
  type: v.picklist(['email.received', 'ping']),
  status: v.nullable(count),
  error: v.nullable(v.string()),
  ms: count,
  next_attempt_at: v.nullable(time),
})

export const CreatedWebhookAnswer = v.object({ success: ok, ...fields, secret: v.string() })
export const WebhookAnswer = v.object({ success: ok, ...fields })
/** A webhook without its secret. */
export const Webhook = v.object(fields)
export const WebhooksAnswer = v.object({ success: ok, webhooks: v.array(Webhook) })
export const WebhookDeletedAnswer = v.object({ success: ok, id: webhookId })
export const WebhookTestAnswer = v.object({ success: ok, delivery: WebhookAttempt })
export const WebhookDeliveriesAnswer = v.object({ success: ok, deliveries: v.array(WebhookAttempt) })

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
}: StoredWebhook) {
  return { id, url, status, ...target, ...filter, created_at: iso(created_at), expires_at: iso(expires_at) }
}

export function attemptOf({ at, delivery, type, status, error, ms, nextAt: next_at }: StoredAttempt) {
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
