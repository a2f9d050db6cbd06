import { beforeEach, expect, test } from '@jest/globals'
import { WebhookStore } from '../../web/webhooks/webhook-store.ts'

/** What each request is answered with; others succeed. */
let refused: RegExp
let requests: string[]

beforeEach(() => {
  refused = /nothing/
  requests = []
  Object.assign(globalThis, {
    fetch: async (path: string, { method }: RequestInit) => {
      requests.push(`${method} ${path}`)
      if (!refused.test(`${method} ${path}`)) return Response.json({ webhooks: [], deliveries: [] })
      return Response.json(
        { code: 'rate_limited', title: 'Too many', detail: '' },
        { status: 429, headers: { 'Content-Type': 'application/problem+json' } },
      )
    },
  })
})

test('a deletion that fails says why', async () => {
  refused = /DELETE/
  const store = new WebhookStore()
  await store.remove('w1')
  expect([store.problem?.code, requests]).toEqual(['rate_limited', ['DELETE /api/webhooks/w1']])
  refused = /nothing/
  await store.remove('w1')
  expect([store.problem, store.webhooks]).toEqual([undefined, []])
})

test('a ping that is refused says why', async () => {
  refused = /POST/
  const store = new WebhookStore()
  await store.ping('w1')
  expect(store.problem?.code).toBe('rate_limited')
  expect(store.deliveries.has('w1')).toBe(false)
  refused = /nothing/
  await store.ping('w1')
  expect([store.problem, store.deliveries.get('w1')]).toEqual([undefined, []])
})
