import { beforeEach, expect, test } from '@jest/globals'
import { FILTER_NAMES, type FilterName } from '../../core/inbox/filter.ts'
import { WebhookStore } from '../../web/webhooks/webhook-store.ts'

const NO_FILTERS = Object.fromEntries(FILTER_NAMES.map((name) => [name, ''])) as Record<FilterName, string>
const EMPTY = { ...NO_FILTERS, domainKey: '' }

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

test('a webhook is created for an address or a domain, with the conditions that were entered', async () => {
  const bodies: unknown[] = []
  const keys: (string | null)[] = []
  Object.assign(globalThis, {
    fetch: async (path: string, { method, body, headers }: RequestInit) => {
      requests.push(`${method} ${path}`)
      if (body) bodies.push(JSON.parse(String(body)))
      if (body) keys.push(new Headers(headers).get('X-Domain-Key'))
      return Response.json({ id: 'w2', secret: 'whsec_1', webhooks: [{ id: 'w1' }, { id: 'w2' }] })
    },
  })
  const store = new WebhookStore()
  const none = { ...EMPTY, from: ' ' }
  expect(await store.create({ ...none, url: 'https://a.test', target: 'bot@b.test' })).toBe(true)
  expect([store.created, store.webhooks?.map(({ id }) => id)]).toEqual([
    { id: 'w2', secret: 'whsec_1' },
    ['w2', 'w1'],
  ])
  const all = { ...none, from: 'ann', subject: 'hello', has: 'code', domainKey: 'sesame' }
  await store.create({ ...all, url: 'https://a.test', target: 'b.test' })
  expect(bodies).toEqual([
    { url: 'https://a.test', address: 'bot@b.test' },
    { url: 'https://a.test', domain: 'b.test', from: 'ann', subject: 'hello', has: 'code' },
  ])
  expect(keys).toEqual([null, 'sesame'])
  expect(requests).toEqual(Array(2).fill(['POST /api/webhooks', 'GET /api/webhooks']).flat())
})

test('a webhook that is refused says why until that is dismissed or another attempt works', async () => {
  refused = /POST/
  const store = new WebhookStore()
  let drawn: unknown
  store.subscribe(() => {
    drawn = store.problem?.code
  })
  const values = { ...EMPTY, url: 'https://a.test', target: 'b.test' }
  expect([await store.create(values), store.created, drawn]).toEqual([false, undefined, 'rate_limited'])
  store.dismiss()
  expect(drawn).toBeUndefined()
  await store.create(values)
  expect(drawn).toBe('rate_limited')
  refused = /nothing/
  await store.load()
  expect([drawn, store.webhooks]).toEqual([undefined, []])
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

test.each<[string, (store: WebhookStore) => Promise<void>, (store: WebhookStore) => unknown]>([
  ['webhooks', (store) => store.load(), ({ webhooks }) => webhooks],
  ['deliveries', (store) => store.loadDeliveries('w1'), ({ deliveries }) => deliveries.get('w1')],
])('a list of %s that a later one overtook changes nothing', async (name, load, shown) => {
  const [list, failure] = [Promise.withResolvers<Response>(), Promise.withResolvers<Response>()]
  const listed = (id: string) => Response.json({ [name]: [{ id }] })
  const answers = [list.promise, listed('new'), failure.promise, listed('newest')]
  Object.assign(globalThis, { fetch: async () => answers.shift() })
  const store = new WebhookStore()
  const first = load(store)
  await load(store)
  list.resolve(listed('old'))
  await first
  expect(shown(store)).toEqual([{ id: 'new' }])
  const second = load(store)
  await load(store)
  failure.resolve(Response.json({ code: 'unavailable', title: '', detail: '' }, { status: 503 }))
  await second
  expect([shown(store), store.problem]).toEqual([[{ id: 'newest' }], undefined])
})
