import { describe, expect, jest, test } from '@jest/globals'
import type { Domain } from '../../../../core/access/ports.ts'
import { type DeliveryParts, WebhookDelivery } from '../../../../core/events/webhooks/delivery.ts'
import {
  TIMED_OUT,
  type Webhook,
  type WebhookAnswer,
  type WebhookJob,
  type WebhookRequest,
  type WebhookTarget,
} from '../../../../core/events/webhooks/ports.ts'
import type { Email } from '../../../../core/inbox/email.ts'

const JOB: WebhookJob = { webhook: 'wh_1', address: 'a@x.test', email: '1', attempts: 0, due: 0 }
const NOW = 1000
const OVER = { next: undefined, attempt: undefined }

/** One attempt at a job; how often the target was called, and which webhooks were removed. */
async function attempted(more: {
  keyExpires?: number
  keyGone?: boolean
  domainGone?: boolean
  target?: WebhookTarget
  domainKey?: string
  expected?: string
  visibleAfter?: string
}) {
  let calls = 0
  const asked: string[] = []
  const removed: string[] = []
  const parts = {
    webhooks: {
      find: async () => ({
        ...WEBHOOK,
        domainKeyHash: more.expected ?? null,
        target: more.target ?? WEBHOOK.target,
      }),
      remove: async (id: string) => void removed.push(id),
    },
    emails: {
      find: async () => ({ email: { id: '1', bodyText: '', links: [], receivedAt: 0 } as unknown as Email }),
    },
    domains: {
      find: async (name: string) => {
        asked.push(name)
        const { domainKey = null, visibleAfter = '0' } = more
        return more.domainGone ? undefined : ({ keyHash: domainKey, visibleAfter } as Domain)
      },
    },
    keys: {
      find: async (hash: string) => {
        asked.push(hash)
        return more.keyGone ? undefined : { expiresAt: more.keyExpires ?? NOW + 1 }
      },
    },
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
  expect(await new WebhookDelivery(parts).attempt(JOB)).toMatchObject(
    calls === 0 ? OVER : { next: undefined },
  )
  expect(asked.sort()).toEqual(['k', more.target === undefined ? 'x.test' : 'y.test'])
  return { calls, removed }
}

test('a webhook with a valid key and an unchanged domain gets its email', async () => {
  expect(await attempted({})).toEqual({ calls: 1, removed: [] })
  expect(await attempted({ domainKey: 'd', expected: 'd' })).toEqual({ calls: 1, removed: [] })
  expect(await attempted({ target: { domain: 'y.test' } })).toEqual({ calls: 1, removed: [] })
  expect(await attempted({ target: { address: 'a@y.test' } })).toEqual({ calls: 1, removed: [] })
})

test.each([
  ['key has expired, although its record still exists', { keyExpires: NOW }],
  ['key is gone', { keyGone: true }],
  ['domain is gone', { domainGone: true }],
  ['domain is gone, and was private', { domainGone: true, expected: 'd' }],
  ['domain became public', { expected: 'd' }],
  ['domain became private', { domainKey: 'd' }],
  ['domain has another key', { domainKey: 'd', expected: 'e' }],
])('a webhook whose %s receives nothing, and ends', async (_what, more) => {
  expect(await attempted(more)).toEqual({ calls: 0, removed: ['wh_1'] })
})

test('a webhook receives no email of an earlier registration, and stays', async () => {
  expect(await attempted({ visibleAfter: JOB.email })).toEqual({ calls: 0, removed: [] })
})

const WEBHOOK = {
  id: 'wh_1',
  keyHash: 'k',
  domainKeyHash: null,
  status: 'live',
  createdAt: 0,
  target: { address: 'a@x.test' },
  url: 'https://t.test/',
  secret: 's',
} as Webhook

/** A delivery whose target gives this answer; what was sent, and which webhooks were removed. */
function answering(answer: WebhookAnswer, gone: 'webhook' | 'email' | undefined = undefined) {
  const sent: WebhookRequest[] = []
  const removed: string[] = []
  const email = { id: '1', receivedAt: 0, bodyText: '', links: [] } as unknown as Email
  const parts = {
    webhooks: {
      find: async () => (gone === 'webhook' ? undefined : WEBHOOK),
      remove: async (id: string) => void removed.push(id),
    },
    emails: { find: async () => (gone === 'email' ? undefined : { email, delivery: 'd' }) },
    domains: { find: async () => ({ keyHash: null, visibleAfter: '0' }) as Domain },
    keys: { find: async () => ({ expiresAt: NOW + 1 }) },
    sender: {
      send: async (request: WebhookRequest) => {
        sent.push(request)
        return answer
      },
    },
    wire: ({ id }: Email) => ({ id }),
    clock: () => NOW,
    random: () => 0,
  } as unknown as DeliveryParts
  return { delivery: new WebhookDelivery(parts), parts, sent, removed }
}

test('the target gets the email, signed for it, under the id of the delivery', async () => {
  const { delivery, sent } = answering({ status: 200, ms: 7 })
  const { next, attempt } = await delivery.attempt(JOB)
  const [{ body, ...request }] = sent as [WebhookRequest]
  expect(request).toEqual({ url: 'https://t.test/', secret: 's', id: 'msg_wh_1_1', at: NOW })
  expect(JSON.parse(body)).toEqual({
    type: 'email.received',
    timestamp: '1970-01-01T00:00:00.000Z',
    data: { domain: 'x.test', email: { id: '1' } },
  })
  expect(next).toBeUndefined()
  const kept = { at: NOW, delivery: 'msg_wh_1_1', type: 'email.received', status: 200, error: null, ms: 7 }
  expect(attempt).toEqual({ ...kept, nextAt: null })
})

test.each<[WebhookAnswer, number | undefined, string[]]>([
  [{ status: 199, ms: 1 }, NOW + 300_000, []],
  [{ status: 200, ms: 1 }, undefined, []],
  [{ status: 299, ms: 1 }, undefined, []],
  [{ status: 300, ms: 1 }, NOW + 300_000, []],
  [{ status: 410, ms: 1 }, undefined, ['wh_1']],
  [{ status: 503, ms: 1, retryAfterMs: 900_000 }, NOW + 900_000, []],
  [{ error: 'no answer', ms: 1 }, NOW + 300_000, []],
])('after %j on the second attempt it is tried again at %s', async (answer, next, gone) => {
  const { delivery, removed } = answering(answer)
  const outcome = await delivery.attempt({ ...JOB, attempts: 1 })
  expect(outcome.next).toBe(next)
  expect(outcome.attempt!.nextAt).toBe(next ?? null)
  expect([outcome.attempt!.status, outcome.attempt!.error]).toEqual(
    'status' in answer ? [answer.status, null] : [null, answer.error],
  )
  expect(removed).toEqual(gone)
})

test.each(['webhook', 'email'] as const)('where the %s is gone, the job is over', async (gone) => {
  const { delivery, sent, removed } = answering({ status: 200, ms: 1 }, gone)
  expect(await delivery.attempt(JOB)).toEqual({ next: undefined, attempt: undefined })
  expect([sent, removed]).toEqual([[], []])
})

test('a ping has no email and is not retried', async () => {
  const { delivery, sent } = answering({ status: 500, ms: 3 })
  const attempt = await delivery.ping(WEBHOOK, 'msg_1')
  const [{ body, ...request }] = sent as [WebhookRequest]
  expect(request).toEqual({ url: 'https://t.test/', secret: 's', id: 'msg_1', at: NOW })
  expect(JSON.parse(body)).toEqual({ type: 'ping', timestamp: '1970-01-01T00:00:01.000Z', data: {} })
  const kept = { at: NOW, delivery: 'msg_1', type: 'ping', status: 500, error: null, ms: 3 }
  expect(attempt).toEqual({ ...kept, nextAt: null })
})

describe('the first ping of a webhook', () => {
  const PING: WebhookJob = { ...JOB, address: '', email: '' }
  const pinging = (answer: WebhookAnswer, status: Webhook['status'] = 'pending') => {
    const activated: string[] = []
    const { delivery, parts, sent, removed } = answering(answer)
    parts.webhooks = {
      ...parts.webhooks,
      find: async () => ({ ...WEBHOOK, status }),
      activate: async (id: string) => void activated.push(id),
    }
    return { delivery, sent, removed, activated }
  }

  test('makes it live when it is answered with 2xx', async () => {
    const { delivery, sent, activated } = pinging({ status: 204, ms: 1 })
    const { next, attempt } = await delivery.attempt(PING)
    expect([next, activated, sent[0]!.id]).toEqual([undefined, ['wh_1'], 'msg_wh_1_ping'])
    expect(attempt).toMatchObject({ type: 'ping', status: 204, nextAt: null })
  })

  test.each<WebhookAnswer>([
    { status: 500, ms: 1 },
    { status: 302, ms: 1 },
    { error: 'no answer', ms: 1 },
  ])('is tried again after %j', async (answer) => {
    const { delivery, activated } = pinging(answer)
    const { next, attempt } = await delivery.attempt(PING)
    expect([next, attempt!.nextAt]).toEqual([NOW + 5_000, NOW + 5_000])
    expect((await delivery.attempt({ ...PING, attempts: 1 })).next).toBe(NOW + 300_000)
    expect(activated).toEqual([])
  })

  test('is tried again no sooner than the target asks', async () => {
    const { delivery } = pinging({ status: 503, ms: 1, retryAfterMs: 900_000 })
    expect((await delivery.attempt(PING)).next).toBe(NOW + 900_000)
  })

  test('ends the webhook when it is answered with 410', async () => {
    const { delivery, activated, removed } = pinging({ status: 410, ms: 1 })
    expect((await delivery.attempt(PING)).next).toBeUndefined()
    expect([activated, removed]).toEqual([[], ['wh_1']])
  })

  test('is not sent to a webhook that is live already', async () => {
    const { delivery, sent } = pinging({ status: 204, ms: 1 }, 'live')
    expect(await delivery.attempt(PING)).toEqual({ next: undefined, attempt: undefined })
    expect(sent).toEqual([])
  })

  test('holds its emails back, unsent and not counted as attempts', async () => {
    const { delivery, sent } = pinging({ status: 204, ms: 1 })
    expect(await delivery.attempt(JOB)).toEqual({ next: NOW + 5_000, attempt: undefined })
    expect(sent).toEqual([])
  })
})

test.each([
  [0, 5_000],
  [20_000, 5_000],
  [24_000, 6_000],
  [3_600_000, 900_000],
  [3_604_000, 900_000],
])('an email of a webhook that is pending for %d ms is held back for %d ms', async (age, ms) => {
  const { delivery, parts } = answering({ status: 204, ms: 1 })
  const pending: Webhook = { ...WEBHOOK, status: 'pending', createdAt: NOW - age }
  parts.webhooks = { ...parts.webhooks, find: async () => pending }
  expect(await delivery.attempt(JOB)).toEqual({ next: NOW + ms, attempt: undefined })
})

test.each([
  [204, ['wh_1'], []],
  [410, [], ['wh_1']],
  [500, [], []],
])('a ping that is answered with %d makes %j live and ends %j', async (status, live, gone) => {
  const activated: string[] = []
  const { delivery, parts, removed } = answering({ status, ms: 1 })
  parts.webhooks = { ...parts.webhooks, activate: async (id) => void activated.push(id) }
  await delivery.ping(WEBHOOK, 'msg_1')
  expect([activated, removed]).toEqual([live, gone])
})

test('an attempt ends even if the sender never settles', async () => {
  jest.useFakeTimers()
  try {
    const { delivery, parts } = answering({ status: 200, ms: 1 })
    parts.sender = { ...parts.sender, send: () => new Promise(() => {}) }
    let hasEnded = false
    const outcome = delivery.attempt(JOB).finally(() => {
      hasEnded = true
    })
    await jest.advanceTimersByTimeAsync(15_999)
    expect(hasEnded).toBe(false)
    await jest.advanceTimersByTimeAsync(1)
    const expected = { status: null, error: TIMED_OUT, ms: 16_000, nextAt: NOW + 5_000 }
    expect((await outcome).attempt).toMatchObject(expected)
  } finally {
    jest.useRealTimers()
  }
})

test('an answer leaves no timer behind', async () => {
  jest.useFakeTimers()
  try {
    await answering({ status: 200, ms: 1 }).delivery.attempt(JOB)
    expect(jest.getTimerCount()).toBe(0)
  } finally {
    jest.useRealTimers()
  }
})
