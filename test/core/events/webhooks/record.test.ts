import { expect, test } from '@jest/globals'
import type { Webhook, WebhookAttempt } from '../../../../core/events/webhooks/ports.ts'
import {
  decodeAttempt,
  decodeWebhook,
  encodeAttempt,
  encodeWebhook,
} from '../../../../core/events/webhooks/record.ts'

const WEBHOOK: Webhook = {
  id: 'wh_1',
  url: 'https://t.test/',
  secret: 'whsec_1',
  status: 'pending',
  target: { domain: 'x.test' },
  filter: { has: 'code' },
  keyHash: 'k',
  domainKeyHash: null,
  createdAt: 1,
  expiresAt: 2,
}
const { keyHash: _, domainKeyHash: __, createdAt: ___, expiresAt: ____, ...SAME } = WEBHOOK
const RECORD = { ...SAME, key_hash: 'k', domain_key_hash: null, created_at: 1, expires_at: 2 }

test('a webhook is stored under names that do not change', () => {
  expect(JSON.parse(encodeWebhook(WEBHOOK))).toEqual(RECORD)
  expect(decodeWebhook(JSON.stringify(RECORD))).toEqual(WEBHOOK)
})

test('a webhook of a version without pings is live', () => {
  const { status: _, ...old } = RECORD
  expect(decodeWebhook(JSON.stringify(old))).toEqual({ ...WEBHOOK, status: 'live' })
})

test.each([5, null])(
  'an attempt whose next one is at %j is stored under names that do not change',
  (nextAt) => {
    const same = { at: 1, delivery: 'msg_1', type: 'ping', status: null, error: 'no answer', ms: 3 } as const
    const attempt: WebhookAttempt = { ...same, nextAt }
    const record = { ...same, next_at: nextAt }
    expect(JSON.parse(encodeAttempt(attempt))).toEqual(record)
    expect(decodeAttempt(JSON.stringify(record))).toEqual(attempt)
  },
)
