import type { Webhook, WebhookAttempt } from './ports.ts'

/** A webhook as every store keeps it: JSON with snake_case names. */
interface WebhookRecord extends Pick<Webhook, 'id' | 'url' | 'secret' | 'target' | 'filter'> {
  /** Absent before 0.3, when every webhook was live at once. */
  status?: Webhook['status']
  key_hash: string
  domain_key_hash: string | null
  created_at: number
  expires_at: number
}

interface AttemptRecord extends Omit<WebhookAttempt, 'nextAt'> {
  next_at: number | null
}

/** The JSON text under which a store keeps a webhook. */
export function encodeWebhook({ keyHash, domainKeyHash, createdAt, expiresAt, ...same }: Webhook): string {
  const record: WebhookRecord = {
    ...same,
    key_hash: keyHash,
    domain_key_hash: domainKeyHash,
    created_at: createdAt,
    expires_at: expiresAt,
  }
  return JSON.stringify(record)
}

/** The webhook in the JSON text that `encodeWebhook` of this or an earlier version made. */
export function decodeWebhook(json: string): Webhook {
  const record = JSON.parse(json) as WebhookRecord
  const { key_hash, domain_key_hash, created_at, expires_at, status = 'live', ...same } = record
  return {
    ...same,
    status,
    keyHash: key_hash,
    domainKeyHash: domain_key_hash,
    createdAt: created_at,
    expiresAt: expires_at,
  }
}

/** The JSON text under which a store keeps an attempt. */
export function encodeAttempt({ nextAt, ...same }: WebhookAttempt): string {
  const record: AttemptRecord = { ...same, next_at: nextAt }
  return JSON.stringify(record)
}

/** The attempt in the JSON text that `encodeAttempt` of this or an earlier version made. */
export function decodeAttempt(json: string): WebhookAttempt {
  const { next_at, ...same } = JSON.parse(json) as AttemptRecord
  return { ...same, nextAt: next_at }
}
