import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { KEYLESS_REQUESTS_PER_MINUTE, MINUTE_MS } from '../../core/limits.ts'
import { type RunningService, startService } from '../support/service.ts'

const OPERATOR = 'the-key-of-the-operator'

describe('requests without an API key', () => {
  let service: RunningService

  beforeAll(async () => {
    service = await startService({ MAYFLY_TRUST_PROXY: '127.0.0.1', MAYFLY_API_KEYS: OPERATOR })
  })
  afterAll(() => service.stop())

  const from = (ip: string, more: Record<string, string> = {}) => ({ 'X-Forwarded-For': ip, ...more })
  const get = async (path: string, headers: Record<string, string>) => {
    const answer = await fetch(service.http + path, { headers })
    await answer.body?.cancel()
    return answer
  }

  test('are limited for each client address, on lists and streams together', async () => {
    // No clock minute may begin during the requests.
    const left = MINUTE_MS - (Date.now() % MINUTE_MS)
    if (left < 20_000) await sleep(left)
    const [one, other] = ['198.51.100.1', '198.51.100.2']
    const list = '/api/public/emails/bot@mayfly.test'
    const statuses = new Map<number, number>()
    for (let n = 0; n < KEYLESS_REQUESTS_PER_MINUTE; n += 20) {
      const batch = await Promise.all(Array.from({ length: 20 }, () => get(list, from(one))))
      for (const { status } of batch) statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    expect(Object.fromEntries(statuses)).toEqual({ 200: KEYLESS_REQUESTS_PER_MINUTE })
    for (const path of [list, '/api/sse/bot@mayfly.test', '/api/user-dashboard/sse?key=x']) {
      const refused = await get(path, from(one))
      expect([path, refused.status]).toEqual([path, 429])
      expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0)
    }
    expect((await get(list, from(other))).status).toBe(200)
    // Other endpoints, the operator and callers on this machine have no such limit.
    expect((await get('/api/domains', from(one))).status).toBe(200)
    expect((await get(list, from(one, { 'X-API-Key': OPERATOR }))).status).toBe(200)
    expect((await get(list, {})).status).toBe(200)
  })
})
