import { expect, test } from '@jest/globals'
import { freshAddress } from '../support/mail.ts'
import { type Answer, at, expectProblem, inOneMinute, type Requests } from './requests.ts'

/** API keys and domain keys of requests, and the limit of wrong domain keys. */
export function accessContract(requests: Requests): void {
  test('9 to 12 and a to d need an API key', async () => {
    const address = freshAddress(requests.host.domain)
    const paths = ['', '/latest', '/wait', '/x', '/x/raw', '/x/attachments/0']
    for (const path of paths) {
      const missing = await requests.call(at(address, path))
      expectProblem(missing, 401, 'api_key_missing')
      expect(missing.headers.get('www-authenticate')).toBeTruthy()
    }
    expectProblem(await requests.call(at(address, '/x'), { method: 'DELETE' }), 401, 'api_key_missing')
    expectProblem(await requests.call(at(address), { method: 'DELETE' }), 401, 'api_key_missing')
    const key = await requests.newKey()
    const mistyped = `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`
    for (const bad of ['x', mistyped, `mf_${'a'.repeat(38)}`]) {
      const answer = await requests.call(at(address), { headers: { 'X-API-Key': bad } })
      expectProblem(answer, 401, 'api_key_invalid')
      expect(JSON.stringify(answer.body)).not.toContain(bad.slice(4, 30) || 'mf_')
    }
  })

  test('a private domain requires its key, also at the endpoints with an API key', async () => {
    const address = freshAddress(requests.host.privateDomains[0])
    const asBot = await requests.caller()
    expectProblem(await asBot(at(address)), 401, 'domain_key_missing')
    expectProblem(await asBot(at(address, '/latest')), 401, 'domain_key_missing')
    // Only the endpoints that the specification lists accept the key in the query.
    expectProblem(await asBot(at(address, `?key=${requests.host.domainKey}`)), 401, 'domain_key_missing')
    expectProblem(
      await (await requests.caller({ 'X-Domain-Key': 'no' }))(at(address)),
      403,
      'domain_key_invalid',
    )
    expect(
      (await (await requests.caller({ 'X-Domain-Key': requests.host.domainKey }))(at(address))).status,
    ).toBe(200)
    expectProblem(await requests.call(`/api/public/emails/${address}`), 401, 'domain_key_missing')
    expectProblem(await requests.call(`/api/public/emails/${address}?key=no`), 403, 'domain_key_invalid')
    expect(
      (
        await requests.call(
          `/api/public/emails/${address}?key=${encodeURIComponent(requests.host.domainKey)}`,
        )
      ).status,
    ).toBe(200)
    expect(
      (
        await requests.call(`/api/public/emails/${address}`, {
          headers: { 'X-Domain-Key': requests.host.domainKey },
        })
      ).status,
    ).toBe(200)
    expectProblem(await requests.call(`/api/sse/${address}`), 401, 'domain_key_missing')
    // A stream accepts the key only in the query, as its specification says.
    const keyed = { headers: { 'X-Domain-Key': requests.host.domainKey } }
    expectProblem(await requests.call(`/api/sse/${address}`, keyed), 401, 'domain_key_missing')
    expectProblem(await requests.call(`/api/sse/${address}?key=no`), 403, 'domain_key_invalid')
    expectProblem(await requests.call('/api/user-dashboard/sse'), 401, 'domain_key_missing')
    expectProblem(await requests.call('/api/user-dashboard/sse?key=no'), 403, 'domain_key_invalid')
  })

  test('a client address may send 20 wrong domain keys a minute', async () => {
    const path = `/api/public/emails/a%40${requests.host.privateDomains[0]}`
    const all = `/api/user-dashboard/sse?key=${encodeURIComponent(requests.host.domainKey)}`
    const { wrong, refused, right, stream, other } = await inOneMinute(async () => {
      const ip = requests.host.from(requests.freshIp())
      const open = (key: string, from = ip) =>
        requests.call(path, { headers: { ...from, 'X-Domain-Key': key } })
      const wrong: Answer[] = []
      for (let n = 0; n < 20; n++) wrong.push(await open(`guess ${n}`))
      return {
        wrong,
        refused: await open('guess 20'),
        right: await open(requests.host.domainKey),
        stream: await requests.call(all, { headers: ip }),
        other: await open(requests.host.domainKey, requests.host.from(requests.freshIp())),
      }
    })
    for (const answer of wrong) expectProblem(answer, 403, 'domain_key_invalid')
    for (const answer of [refused, right, stream]) expectProblem(answer, 429, 'rate_limited')
    expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(other.status).toBe(200)
  }, 200_000)
}
