import { beforeEach, describe, expect, test } from '@jest/globals'
import {
  deleteWebhook,
  getWebhook,
  listWebhooks,
  newWebhook,
  testWebhook,
  webhookDeliveries,
} from '../../../adapters/http/endpoints/webhooks.ts'
import type { Webhook } from '../../../core/events/webhooks/ports.ts'
import { WEBHOOKS_PER_KEY } from '../../../core/limits.ts'
import { ask, CLIENT } from './ask.ts'

const OPERATOR = 'key-of-the-operator'
const AT = Date.UTC(2026, 10, 21)
const ENDPOINTS = [newWebhook, listWebhooks, getWebhook, deleteWebhook, testWebhook, webhookDeliveries]

const WEBHOOK: Webhook = {
  id: 'w1',
  keyHash: 'a hash',
  url: 'https://a.example/hook',
  status: 'pending',
  secret: 'whsec_x',
  target: { address: 'a@x.test' },
  filter: { subject: 'code' },
  domainKeyHash: null,
  createdAt: AT,
  expiresAt: AT + 1000,
}
const SHOWN = {
  id: 'w1',
  url: 'https://a.example/hook',
  status: 'pending',
  address: 'a@x.test',
  subject: 'code',
  created_at: '2026-11-21T00:00:00.000Z',
  expires_at: '2026-11-21T00:00:01.000Z',
}
const ATTEMPT = {
  at: AT,
  delivery: 'msg_1',
  type: 'ping',
  status: 204,
  error: null,
  ms: 5,
  nextAt: null,
}

describe('the endpoints of webhooks', () => {
  /** The calls of the service, and the domain that it opens. */
  let calls: unknown[][]
  let keyHash: string | null

  beforeEach(() => {
    calls = []
    keyHash = null
  })

  const call = (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
    const recorded =
      (name: string, result: unknown) =>
      async ({ purpose }: { purpose: string }, ...rest: unknown[]) => {
        calls.push([name, purpose, ...rest])
        return result
      }
    const service = {
      apiKeyService: {
        authenticate: async (key: string) => ({ key: { purpose: key } }),
        isOperator: ({ purpose }: { purpose: string }) => purpose === OPERATOR,
      },
      domainService: {
        open: async (...opened: unknown[]) => {
          calls.push(['open', ...opened])
          return { keyHash }
        },
      },
      webhooks: {
        create: recorded('create', WEBHOOK),
        list: recorded('list', [WEBHOOK]),
        find: recorded('find', WEBHOOK),
        remove: recorded('remove', undefined),
        test: recorded('test', ATTEMPT),
        attempts: recorded('attempts', [{ ...ATTEMPT, nextAt: AT + 2000 }]),
      },
    }
    return ask(service, ENDPOINTS, `/api/webhooks${path}`, {
      method,
      headers: { 'X-API-Key': 'k', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
  }
  const { url } = WEBHOOK

  test('a webhook of an address is created within the limit of its key, and its secret is shown once', async () => {
    const body = { url, address: 'A@X.test', subject: 'code', has: 'code' }
    const made = await call('POST', '', body, { 'X-Domain-Key': 'd' })
    expect([made.status, made.body]).toEqual([201, { success: true, ...SHOWN, secret: 'whsec_x' }])
    const settings = { url, target: { address: 'a@x.test' }, filter: { subject: 'code', has: 'code' } }
    expect(calls).toEqual([
      ['open', 'x.test', 'd', CLIENT],
      ['create', 'k', { keyHash: null }, settings, WEBHOOKS_PER_KEY],
    ])
  })

  test('the operator has no limit, and receives the mail of a public domain', async () => {
    expect((await call('POST', '', { url, domain: 'X.test' }, { 'X-API-Key': OPERATOR })).status).toBe(201)
    expect(calls).toEqual([
      ['open', 'x.test', undefined, CLIENT],
      [
        'create',
        OPERATOR,
        { keyHash: null },
        { url, target: { domain: 'x.test' }, filter: {} },
        Number.MAX_SAFE_INTEGER,
      ],
    ])
  })

  test('another key receives the mail of a whole domain only if the domain is private', async () => {
    keyHash = 'a hash'
    expect((await call('POST', '', { url, domain: 'x.test' }, { 'X-Domain-Key': 'd' })).status).toBe(201)
    keyHash = null
    for (const [headers, status, code] of [
      [{}, 401, 'domain_key_missing'],
      [{ 'X-Domain-Key': 'd' }, 403, 'domain_key_invalid'],
    ] as const) {
      const refused = await call('POST', '', { url, domain: 'x.test' }, headers)
      expect(refused).toMatchObject({ status, body: { code } })
      expect(refused.body.detail).toMatch(/^All mail of a public domain is sent to its operator only\./)
    }
    expect((await call('POST', '', { url, address: 'a@x.test' })).status).toBe(201)
  })

  test('exactly one of address and domain is given', async () => {
    for (const target of [{}, { address: 'a@x.test', domain: 'x.test' }]) {
      expect(await call('POST', '', { url, ...target })).toMatchObject({
        status: 400,
        body: { code: 'invalid_body', detail: 'Name either an "address" or a "domain".' },
      })
    }
    expect(calls).toEqual([])
  })

  test('webhooks are shown without their secrets', async () => {
    expect((await call('GET', '')).body).toEqual({ success: true, webhooks: [SHOWN] })
    expect((await call('GET', '/w1')).body).toEqual({ success: true, ...SHOWN })
    expect(calls).toEqual([
      ['list', 'k'],
      ['find', 'k', 'w1'],
    ])
  })

  test('a webhook is removed and tested, and its attempts have their times', async () => {
    const attempt = {
      time: '2026-11-21T00:00:00.000Z',
      webhook_id: 'msg_1',
      type: 'ping',
      status: 204,
      error: null,
      ms: 5,
      next_attempt_at: null as string | null,
    }
    expect((await call('DELETE', '/w1')).body).toEqual({ success: true, id: 'w1' })
    expect((await call('POST', '/w1/test')).body).toEqual({ success: true, delivery: attempt })
    expect((await call('GET', '/w1/deliveries')).body).toEqual({
      success: true,
      deliveries: [{ ...attempt, next_attempt_at: '2026-11-21T00:00:02.000Z' }],
    })
    expect(calls).toEqual(['remove', 'test', 'attempts'].map((name) => [name, 'k', 'w1']))
  })
})
