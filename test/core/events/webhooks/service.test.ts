import { beforeEach, expect, test } from '@jest/globals'
import type { ApiKey, Domain } from '../../../../core/access/ports.ts'
import { Problem } from '../../../../core/errors.ts'
import type { WebhookDelivery } from '../../../../core/events/webhooks/delivery.ts'
import type { Webhook, WebhookAttempt, WebhookJob } from '../../../../core/events/webhooks/ports.ts'
import { WebhookService } from '../../../../core/events/webhooks/service.ts'
import { WEBHOOKS_PER_KEY } from '../../../../core/limits.ts'

const KEY = { hash: 'k', expiresAt: 9000 } as ApiKey
const OTHER = { hash: 'other', expiresAt: 9000 } as ApiKey
const DOMAIN = { name: 'x.test', keyHash: 'd' } as Domain
const ASKED = { url: 'https://t.test/', target: { domain: 'x.test' }, filter: { has: 'code' as const } }

let kept: Webhook[]
let attempts: Map<string, WebhookAttempt[]>
let begun: WebhookJob[]
let service: WebhookService

beforeEach(() => {
  kept = []
  begun = []
  attempts = new Map()
  service = new WebhookService({
    webhooks: {
      async add(webhook, limit) {
        if (kept.filter(({ keyHash }) => keyHash === webhook.keyHash).length >= limit) return false
        kept.push(webhook)
        return true
      },
      find: async (id) => kept.find((webhook) => webhook.id === id),
      list: async (keyHash) => kept.filter((webhook) => webhook.keyHash === keyHash),
      activate: async () => {},
      async remove(id) {
        kept = kept.filter((webhook) => webhook.id !== id)
      },
      attempts: async (id) => attempts.get(id) ?? [],
      record: async (id, attempt) => void attempts.set(id, [attempt]),
    },
    delivery: { ping: async (_, delivery) => ({ delivery, type: 'ping' }) } as WebhookDelivery,
    sender: {
      async check(url) {
        if (!url.startsWith('https:')) throw new Problem('invalid_webhook_url', 'no')
      },
      send: () => Promise.reject(new Error('nothing is sent here')),
    },
    begin: async (ping) => void begun.push(ping),
    clock: () => 1000,
    random: (size) => new Uint8Array(size).fill(kept.length + 1),
  })
})

test('a webhook belongs to its key, ends with it, and signs with a secret of 32 bytes', async () => {
  const webhook = await service.create(KEY, DOMAIN, ASKED)
  expect(webhook).toEqual({
    ...ASKED,
    id: `wh_${'01'.repeat(12)}`,
    keyHash: 'k',
    status: 'pending',
    secret: `whsec_${Buffer.alloc(32, 1).toString('base64')}`,
    domainKeyHash: 'd',
    createdAt: 1000,
    expiresAt: 9000,
  })
  expect(begun).toEqual([{ webhook: webhook.id, address: '', email: '', attempts: 0, due: 1000 }])
  expect(await service.list(KEY)).toEqual([webhook])
  expect(await service.list(OTHER)).toEqual([])
})

test('a URL that may not be called creates no webhook', async () => {
  const refused = service.create(KEY, DOMAIN, { ...ASKED, url: 'http://t.test/' })
  await expect(refused).rejects.toMatchObject({ code: 'invalid_webhook_url' })
  expect(kept).toEqual([])
})

test('a key has a limited number of webhooks', async () => {
  for (let n = 0; n < WEBHOOKS_PER_KEY; n++) await service.create(KEY, DOMAIN, ASKED)
  await expect(service.create(KEY, DOMAIN, ASKED)).rejects.toMatchObject({
    code: 'webhook_quota_exceeded',
    detail: `A key has at most ${WEBHOOKS_PER_KEY} webhooks. Delete one of them first.`,
  })
  await service.create(OTHER, DOMAIN, ASKED)
})

test('another key cannot find, test or remove it', async () => {
  const { id } = await service.create(KEY, DOMAIN, ASKED)
  for (const [key, which] of [
    [OTHER, id],
    [KEY, 'wh_none'],
  ] as const) {
    for (const call of ['find', 'remove', 'attempts', 'test'] as const) {
      await expect(service[call](key, which)).rejects.toMatchObject({ code: 'webhook_not_found' })
    }
  }
  expect((await service.find(KEY, id)).id).toBe(id)
  expect(attempts.size).toBe(0)
  await service.remove(KEY, id)
  expect(kept).toEqual([])
})

test('a ping is sent under its own id, reported and kept', async () => {
  const { id } = await service.create(KEY, DOMAIN, ASKED)
  const attempt = await service.test(KEY, id)
  expect(attempt).toMatchObject({ type: 'ping', delivery: `msg_${'02'.repeat(12)}` })
  expect(await service.attempts(KEY, id)).toEqual([attempt])
})
