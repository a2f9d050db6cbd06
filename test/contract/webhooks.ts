import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Webhook, WebhookAttempt, WebhookStore } from '../../core/events/webhooks/ports.ts'
import type { Open, Opened } from './opened.ts'
import { sampleWebhook, uniqueAddress, uniqueHash } from './sample.ts'

const LIMIT = 20

/** The obligations of WebhookStore in core/events/webhooks/ports.ts. */
export function webhooksContract(name: string, open: Open<{ webhooks: WebhookStore }>): void {
  describe(`Webhooks: ${name}`, () => {
    let store: Opened<{ webhooks: WebhookStore }>
    let webhooks: WebhookStore

    beforeAll(async () => {
      store = await open()
      webhooks = store.webhooks
    })
    afterAll(() => store.close())

    const sample = (change: Partial<Webhook> = {}) =>
      sampleWebhook(store.clock(), { filter: { subject: 'code', has: 'code' }, ...change })

    const attempt = (at: number): WebhookAttempt => ({
      at,
      delivery: 'msg_1',
      type: 'ping',
      status: 204,
      error: null,
      ms: 3,
      nextAt: null,
    })

    test('finds and lists a webhook as it was added', async () => {
      const webhook = sample({ target: { domain: 'mayfly.test' }, domainKeyHash: uniqueHash() })
      expect(await webhooks.add(webhook, LIMIT)).toBe(true)
      expect(await webhooks.find(webhook.id)).toEqual(webhook)
      expect(await webhooks.list(webhook.keyHash)).toEqual([webhook])
      expect(await webhooks.list(uniqueHash())).toEqual([])
      expect(await webhooks.find('wh_of_nobody')).toBeUndefined()
    })

    test('makes a pending webhook live, and is idempotent', async () => {
      const webhook = sample({ status: 'pending' })
      await webhooks.add(webhook, LIMIT)
      expect(await webhooks.find(webhook.id)).toEqual(webhook)
      for (let n = 0; n < 2; n++) await webhooks.activate(webhook.id)
      expect(await webhooks.find(webhook.id)).toEqual({ ...webhook, status: 'live' })
      expect(await webhooks.list(webhook.keyHash)).toEqual([{ ...webhook, status: 'live' }])
      await webhooks.activate('wh_of_nobody')
    })

    test('limits the webhooks of a key, however many are added at once', async () => {
      const keyHash = uniqueHash()
      const many = Array.from({ length: LIMIT + 5 }, (_, i) =>
        sample({ keyHash, createdAt: store.clock() + i }),
      )
      const added = await Promise.all(many.map((webhook) => webhooks.add(webhook, LIMIT)))
      expect(added.filter(Boolean)).toHaveLength(LIMIT)
      const [first, ...others] = await webhooks.list(keyHash)
      expect(others).toHaveLength(LIMIT - 1)
      await webhooks.remove(first!.id)
      expect(await webhooks.add(sample({ keyHash }), LIMIT)).toBe(true)
    })

    test('lists the webhooks of a key in the order of their creation, and loses only the removed one', async () => {
      const keyHash = uniqueHash()
      const target = { address: uniqueAddress() }
      const now = store.clock()
      const added = [2, 7, 3, 1, 9, 8, 4, 6, 5].map((n) => sample({ keyHash, target, createdAt: now + n }))
      for (const webhook of added) expect(await webhooks.add(webhook, LIMIT)).toBe(true)
      const other = sample({ target })
      await webhooks.add(other, LIMIT)
      const [first, second, ...others] = added.toSorted((a, b) => a.createdAt - b.createdAt)
      expect(await webhooks.list(keyHash)).toEqual([first, second, ...others])
      await webhooks.remove(second!.id)
      expect(await webhooks.list(keyHash)).toEqual([first, ...others])
      expect(await webhooks.list(other.keyHash)).toEqual([other])
    })

    test('removes a webhook with its attempts, and is idempotent', async () => {
      const webhook = sample()
      await webhooks.add(webhook, LIMIT)
      await webhooks.record(webhook.id, attempt(1))
      await webhooks.remove(webhook.id)
      await webhooks.remove(webhook.id)
      expect(await webhooks.find(webhook.id)).toBeUndefined()
      expect(await webhooks.list(webhook.keyHash)).toEqual([])
      expect(await webhooks.attempts(webhook.id)).toEqual([])
    })

    test('removes several at once without losing others that are added meanwhile', async () => {
      const keyHash = uniqueHash()
      const many = Array.from({ length: 12 }, () => sample({ keyHash }))
      const [before, meanwhile] = [many.slice(0, 6), many.slice(6)]
      for (const webhook of before) await webhooks.add(webhook, LIMIT)
      await Promise.all([
        ...before.map(({ id }) => webhooks.remove(id)),
        ...meanwhile.map((webhook) => webhooks.add(webhook, LIMIT)),
      ])
      for (const { id } of before) expect(await webhooks.find(id)).toBeUndefined()
      const ids = (of: Webhook[]) => of.map(({ id }) => id).sort()
      expect(ids(await webhooks.list(keyHash))).toEqual(ids(meanwhile))
    })

    test('keeps no attempt for a removed webhook', async () => {
      const webhook = sample()
      await webhooks.add(webhook, LIMIT)
      await webhooks.remove(webhook.id)
      await webhooks.record(webhook.id, attempt(1))
      expect(await webhooks.find(webhook.id)).toBeUndefined()
      expect(await webhooks.attempts(webhook.id)).toEqual([])
    })

    test('keeps the latest hundred attempts, newest first', async () => {
      const webhook = sample()
      await webhooks.add(webhook, LIMIT)
      expect(await webhooks.attempts(webhook.id)).toEqual([])
      const ats = async () => (await webhooks.attempts(webhook.id)).map(({ at }) => at)
      for (let at = 1; at <= 3; at++) await webhooks.record(webhook.id, attempt(at))
      expect(await ats()).toEqual([3, 2, 1])
      for (let at = 4; at <= 103; at++) await webhooks.record(webhook.id, attempt(at))
      const kept = await webhooks.attempts(webhook.id)
      expect(kept.map(({ at }) => at)).toEqual(Array.from({ length: 100 }, (_, i) => 103 - i))
      expect(kept[0]).toEqual(attempt(103))
    })

    test('does not find or count an expired webhook', async () => {
      const keyHash = uniqueHash()
      const webhook = sample({ keyHash, expiresAt: store.clock() + 100_000 })
      await webhooks.add(webhook, 1)
      store.advance(50_000)
      expect(await webhooks.find(webhook.id)).toEqual(webhook)
      expect(await webhooks.add(sample({ keyHash }), 1)).toBe(false)
      store.advance(60_000)
      expect(await webhooks.find(webhook.id)).toBeUndefined()
      expect(await webhooks.list(keyHash)).toEqual([])
      expect(await webhooks.add(sample({ keyHash }), 1)).toBe(true)
    })
  })
}
