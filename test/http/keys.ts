import { expect, test } from '@jest/globals'
import { type Answer, expectProblem, inOneMinute, type Requests, TIME } from './requests.ts'

/** API keys: issuing, quotas and rates. */
export function keyContract(requests: Requests): void {
  test('e, f, g: keys are created, described and revoked', async () => {
    const ip = requests.host.from(requests.freshIp())
    expect((await requests.call('/api/keys', { headers: ip })).body).toEqual({
      success: true,
      limit: 5,
      remaining: 5,
      resets_at: expect.stringMatching(TIME),
    })
    const before = Date.now()
    const issued = await requests.call('/api/keys', {
      method: 'POST',
      headers: { ...ip, 'Content-Type': 'application/json' },
      body: JSON.stringify({ purpose: 'CI ✓' }),
    })
    expect(issued.status).toBe(201)
    expect(issued.body).toEqual({
      success: true,
      key: expect.stringMatching(/^mf_[0-9A-Za-z]{38}$/),
      purpose: 'CI ✓',
      created_at: expect.stringMatching(TIME),
      expires_at: expect.stringMatching(TIME),
      rate_limit: { limit: 120, window_seconds: 60 },
      remaining: 4,
    })
    const { key, purpose, created_at: createdAt, expires_at: expiresAt } = issued.body
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(30 * 86_400_000)
    const quota = (await requests.call('/api/keys', { headers: ip })).body
    expect(quota.remaining).toBe(4)
    expect(Date.parse(quota.resets_at)).toBeGreaterThan(before + 86_000_000)

    const headers = { 'X-API-Key': key }
    const current = await requests.call('/api/keys/current', { headers })
    expect(current.body).toEqual({ success: true, purpose, created_at: createdAt, expires_at: expiresAt })
    expect(current.headers.get('ratelimit-limit')).toBe('120')
    expect(current.headers.get('ratelimit-remaining')).toBe('119')
    expect(Number(current.headers.get('ratelimit-reset'))).toBeLessThanOrEqual(60)
    expect((await requests.call('/api/keys/current', { method: 'DELETE', headers })).body).toEqual({
      success: true,
    })
    expectProblem(await requests.call('/api/keys/current', { headers }), 401, 'api_key_invalid')
    expectProblem(await requests.call('/api/keys/current'), 401, 'api_key_missing')
  })

  test('f: 5 keys for a client; an IPv6 /64 counts as one client, and a forged header changes nothing', async () => {
    for (const addresses of [
      ['203.0.113.7'],
      ['2001:db8:1:2::1', '2001:db8:1:2:ffff::2', '2001:0db8:0001:0002:0:0:0:3'],
    ]) {
      const answers: Answer[] = []
      for (let i = 0; i < 6; i++) {
        const ip = addresses[i % addresses.length]!
        answers.push(await requests.call('/api/keys', { method: 'POST', headers: requests.host.from(ip) }))
      }
      expect(answers.map((answer) => answer.status)).toEqual([201, 201, 201, 201, 201, 429])
      expectProblem(answers[5]!, 429, 'key_quota_exceeded')
      expect(Number(answers[5]!.headers.get('retry-after'))).toBeGreaterThan(80_000)
    }
  })

  test('f: invalid bodies are rejected', async () => {
    const post = (body: string) =>
      requests.call('/api/keys', { method: 'POST', headers: requests.host.from(requests.freshIp()), body })
    for (const body of [
      '{',
      '[]',
      'null',
      '"x"',
      '{"purpose":1}',
      '{"purpos":"x"}',
      '{"_":1}',
      '{"__proto__":{"purpose":"x"}}',
      JSON.stringify({ purpose: 'x'.repeat(101) }),
    ]) {
      expectProblem(await post(body), 400, 'invalid_body')
    }
    expectProblem(await post(JSON.stringify({ purpose: 'x'.repeat(20_000) })), 413, 'body_too_large')
    expect((await post(JSON.stringify({ purpose: '😀'.repeat(100) }))).status).toBe(201)
    expect((await post('{}')).status).toBe(201)
  })

  test('the 121st request in a clock minute is 429', async () => {
    const answers = await inOneMinute(async () => {
      const headers = { 'X-API-Key': await requests.newKey() }
      return Promise.all(Array.from({ length: 200 }, () => requests.call('/api/keys/current', { headers })))
    })
    const accepted = answers.filter((answer) => answer.status === 200)
    const refused = answers.filter((answer) => answer.status === 429)
    expect([accepted.length, refused.length]).toEqual([120, 80])
    expectProblem(refused[0]!, 429, 'rate_limited')
    expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(refused[0]!.headers.get('ratelimit-remaining')).toBe('0')
    expect(
      accepted.map((answer) => Number(answer.headers.get('ratelimit-remaining'))).sort((a, b) => a - b),
    ).toEqual(Array.from({ length: 120 }, (_, i) => i))
  }, 200_000)
}
