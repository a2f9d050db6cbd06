import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Clock } from '../../core/clock.ts'
import type { WebhookStore } from '../../core/events/webhooks/ports.ts'
import type { Email } from '../../core/inbox/email.ts'
import type { MessageStore } from '../../core/inbox/ports.ts'
import { FIRST_ID, HOUR_MS, readReplay, sampleMail, sampleWebhook, uniqueAddress } from './sample.ts'

export interface OpenAtMoment {
  emails: MessageStore
  webhooks: WebhookStore
  close(): Promise<void> | void
}

/** What exists until its `expiresAt` and no longer, to the millisecond: a store whose clock is still. */
export function expiryContract(name: string, open: (clock: Clock) => Promise<OpenAtMoment>): void {
  describe(`The moment of expiry: ${name}`, () => {
    let now = Date.now()
    let store: OpenAtMoment

    beforeAll(async () => {
      store = await open(() => now)
    })
    afterAll(() => store.close())

    /** What each method that finds an email says of it, before the last one removes it. */
    const METHODS: Record<string, (email: Email) => Promise<boolean>> = {
      find: async ({ address, id }) => (await store.emails.find(address, id)) !== undefined,
      page: async ({ address }) => (await store.emails.page(address, { limit: 5 })).emails.length > 0,
      'page with a filter': async ({ address, subject }) =>
        (await store.emails.page(address, { limit: 5, filter: { subject } })).emails.length > 0,
      'replay of an address': async ({ address }) =>
        (await readReplay(store.emails.replay({ addresses: [address] }, FIRST_ID, 5))).emails.length > 0,
      'replay of a domain': async ({ address }) => {
        const domains = [address.slice(address.indexOf('@') + 1)]
        return (await readReplay(store.emails.replay({ domains }, FIRST_ID, 5))).emails.length > 0
      },
      'markRead of an unread one': async ({ address, id }) =>
        (await store.emails.markRead(address, id)) !== undefined,
      'markRead of a read one': async ({ address, id }) =>
        (await store.emails.markRead(address, id)) !== undefined,
      remove: async ({ address, id }) => (await store.emails.remove(address, id)) !== undefined,
    }
    const found = async (email: Email) => {
      const names: string[] = []
      for (const [method, finds] of Object.entries(METHODS)) if (await finds(email)) names.push(method)
      return names
    }
    const stored = async () =>
      (await store.emails.store(sampleMail([uniqueAddress()], { retentionMs: HOUR_MS })))[0]!

    test('an email exists for every method a millisecond before it expires', async () => {
      const email = await stored()
      now = email.expiresAt - 1
      expect(await found(email)).toEqual(Object.keys(METHODS))
    })

    test('an email exists for no method at the moment of its expiry', async () => {
      const [email, read] = [await stored(), await stored()]
      await store.emails.markRead(read.address, read.id)
      now = email.expiresAt
      expect([await found(email), await found(read)]).toEqual([[], []])
    })

    test.each([
      ['a millisecond before it expires', 1, 1],
      ['at the moment of its expiry', 0, 0],
    ])('clearing an inbox counts an email %s', async (_, beforeMs, removed) => {
      const email = await stored()
      now = email.expiresAt - beforeMs
      expect((await store.emails.removeAll(email.address)).removed).toBe(removed)
    })

    test.each([
      ['a millisecond before it expires', 1, 1],
      ['at the moment of its expiry', 0, 0],
    ])('a webhook is found, listed and counted %s', async (_, beforeMs, count) => {
      const webhook = sampleWebhook(now)
      await store.webhooks.add(webhook, 1)
      now = webhook.expiresAt - beforeMs
      const known = [await store.webhooks.find(webhook.id), ...(await store.webhooks.list(webhook.keyHash))]
      expect(known.filter((one) => one !== undefined)).toHaveLength(2 * count)
      const another = sampleWebhook(now, { keyHash: webhook.keyHash })
      expect(await store.webhooks.add(another, 1)).toBe(count === 0)
    })
  })
}
