import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { KEYLESS_REQUESTS_PER_MINUTE, MINUTE_MS } from '../../core/limits.ts'
import { type RunningService, startService } from '../support/service.ts'

const OPERATOR = 'the-key-of-the-operator'

describe('requests without an API key', () => {
  let service: RunningService

  beforeAll(async () => {
    service = await startService({
      MAYFLY_TRUST_PROXY: '127.0.0.1',
      MAYFLY_API_KEYS: OPERATOR,
      MAYFLY_CATCHER_APIS: 'open',
    })
  })
  afterAll(() => service.stop())

  const from = (ip: string, more: Record<string, string> = {}) => ({ 'X-Forwarded-For': ip, ...more })
  const get = async (path: string, headers: Record<string, string>) => {
    const answer = await fetch(service.http + path, { headers })
    await answer.body?.cancel()
    return answer
  }

  const list = '/api/public/emails/bot@mayfly.test'
  const limited = [list, '/api/sse/bot@mayfly.test', '/api/user-dashboard/sse?key=x']
  /** Of the read APIs of other catchers, whose refusals are plain text. */
  const catcher = '/api/v1/messages'

  /**
   * Uses up the requests of a client address, and checks that further ones are refused. Begins again
   * with another address if a clock minute began in between, because the count did too.
   * @returns the address, and another one
   */
  async function exhausted(): Promise<[one: string, other: string]> {
    for (let n = 1; ; n++) {
      const one = `198.51.100.${n}`
      const minute = Math.floor(Date.now() / MINUTE_MS)
      const statuses: number[] = []
      for (let sent = 0; sent < KEYLESS_REQUESTS_PER_MINUTE; sent += 20) {
        const batch = await Promise.all(Array.from({ length: 20 }, () => get(list, from(one))))
        statuses.push(...batch.map(({ status }) => status))
      }
      const refused = await Promise.all(limited.map((path) => get(path, from(one))))
      const unread = await get(catcher, from(one))
      if (Math.floor(Date.now() / MINUTE_MS) !== minute) continue
      expect(statuses).toEqual(Array(KEYLESS_REQUESTS_PER_MINUTE).fill(200))
      expect(refused.map(({ status }) => status)).toEqual([429, 429, 429])
      expect(unread.status).toBe(429)
      for (const { headers } of refused) expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0)
      return [one, `198.51.100.${n + 100}`]
    }
  }

  test('are limited for each client address, on lists and streams together', async () => {
    const [one, other] = await exhausted()
    expect((await get(list, from(other))).status).toBe(200)
    expect((await get(catcher, from(other))).status).toBe(200)
    // Other endpoints, the operator and callers on this machine have no such limit.
    expect((await get('/api/domains', from(one))).status).toBe(200)
    expect((await get(list, from(one, { 'X-API-Key': OPERATOR }))).status).toBe(200)
    expect((await get(list, {})).status).toBe(200)
  })
})
