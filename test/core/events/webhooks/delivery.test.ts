import { expect, test } from '@jest/globals'
import type { Domain } from '../../../../core/access/ports.ts'
import { type DeliveryParts, WebhookDelivery } from '../../../../core/events/webhooks/delivery.ts'
import type { Webhook, WebhookJob } from '../../../../core/events/webhooks/ports.ts'
import type { Email } from '../../../../core/inbox/email.ts'

const JOB: WebhookJob = { webhook: 'wh_1', address: 'a@x.test', email: '1', attempts: 0, due: 0 }
const NOW = 1000

/** One attempt at a job; how often the target was called, and which webhooks were removed. */
async function attempted(more: {
  keyExpires?: number
  keyGone?: boolean
  domainKey?: string
  expected?: string
}) {
  let calls = 0
  const removed: string[] = []
  const parts = {
    webhooks: {
      find: async () => ({ id: 'wh_1', key_hash: 'k', domain_key_hash: more.expected ?? null }) as Webhook,
      remove: async (id: string) => void removed.push(id),
    },
    emails: { find: async () => ({ email: { id: '1', body_text: '', links: [] } as unknown as Email }) },
    domains: { find: async () => ({ key_hash: more.domainKey ?? null }) as Domain },
    keys: { find: async () => (more.keyGone ? undefined : { expires_at: more.keyExpires ?? NOW + 1 }) },
    sender: {
      send: async () => {
        calls++
        return { status: 204, ms: 1 }
      },
    },
    wire: (email: Email) => email,
    clock: () => NOW,
    random: () => 0,
  } as unknown as DeliveryParts
  await new WebhookDelivery(parts).attempt(JOB)
  return { calls, removed }
}

test('a webhook whose key is good and whose domain is as it was is told', async () => {
  expect(await attempted({})).toEqual({ calls: 1, removed: [] })
  expect(await attempted({ domainKey: 'd', expected: 'd' })).toEqual({ calls: 1, removed: [] })
})

test.each([
  ['key has expired, though its record is there still', { keyExpires: NOW }],
  ['key is gone', { keyGone: true }],
  ['domain became private', { domainKey: 'd' }],
  ['domain has another key', { domainKey: 'd', expected: 'e' }],
])('a webhook whose %s is told nothing, and ends', async (_what, more) => {
  expect(await attempted(more)).toEqual({ calls: 0, removed: ['wh_1'] })
})
