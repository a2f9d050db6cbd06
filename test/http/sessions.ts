import { expect, test } from '@jest/globals'
import { freshAddress } from '../support/mail.ts'
import { at, expectProblem, plain, type Requests } from './requests.ts'

const OWN = { 'Sec-Fetch-Site': 'same-origin' }

/**
 * Tests page sessions and requests from pages of other sites (docs/contract.md, "The operator" and
 * "Limits and headers").
 */
export function pageSessionContract(requests: Requests): void {
  const open = (headers: Record<string, string> = {}) =>
    requests.call('/api/session', { method: 'POST', headers: { ...OWN, ...headers } })

  async function cookieOf(ip = requests.freshIp()): Promise<string> {
    const answer = await open(requests.host.from(ip))
    expect(answer.status).toBe(201)
    return answer.headers.get('set-cookie')!.split(';')[0]!
  }

  test('a page of this service opens a session, whose secret is only in the cookie', async () => {
    const ip = requests.freshIp()
    const answer = await open(requests.host.from(ip))
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      success: true,
      expires_at: expect.any(String),
      rate_limit: { limit: 600, window_seconds: 60 },
    })
    const lifetime = Date.parse(answer.body.expires_at) - Date.now()
    expect(lifetime).toBeGreaterThan(23.9 * 3_600_000)
    expect(lifetime).toBeLessThanOrEqual(24 * 3_600_000)
    const cookie = answer.headers.get('set-cookie')!
    expect(cookie).toMatch(
      /^mayfly_session(_\d+)?=mfs_\d{13}-[\w-]{22}-[\w-]{43}; Path=\/api; Max-Age=86\d{3}; HttpOnly; SameSite=Strict/,
    )
    // The session uses none of the five keys of the client address.
    const quota = await requests.call('/api/keys', { headers: requests.host.from(ip) })
    expect(quota.body.remaining).toBe(5)
  })

  test('a page that already has a session keeps it', async () => {
    const Cookie = await cookieOf()
    const again = await open({ Cookie })
    expect(again.headers.get('set-cookie')!.split(';')[0]).toBe(Cookie)
  })

  test('a session reads whole emails, raw messages and attachments, marks and deletes', async () => {
    const address = freshAddress(requests.host.domain)
    const { id } = await requests.deliver(address, plain('By session', 'the text'))
    const headers = { ...OWN, Cookie: await cookieOf() }
    const read = await requests.call(at(address, `/${id}`), { headers })
    expect(read.body.email).toMatchObject({ id, read: true, body_text: expect.stringContaining('the text') })
    expect(read.headers.get('RateLimit-Limit')).toBe('600')
    const raw = await requests.call(at(address, `/${id}/raw`), { headers })
    expect([200, 302]).toContain(raw.status)
    const marked = await requests.call(at(address, '/read'), { method: 'POST', headers })
    expect(marked.body).toEqual({ success: true, marked: 0 })
    const deleted = await requests.call(at(address, `/${id}`), { method: 'DELETE', headers })
    expect(deleted.body).toEqual({ success: true, id })
  })

  test('a session alone does not open a private domain', async () => {
    const address = freshAddress(requests.host.privateDomains[0])
    const headers = { ...OWN, Cookie: await cookieOf() }
    expectProblem(await requests.call(at(address), { headers }), 401, 'domain_key_missing')
    const opened = { ...headers, 'X-Domain-Key': requests.host.domainKey }
    expect((await requests.call(at(address), { headers: opened })).status).toBe(200)
  })

  test('a session is valid only in requests of its own origin, and at endpoints of an inbox', async () => {
    const Cookie = await cookieOf()
    const path = at(freshAddress(requests.host.domain))
    for (const site of ['cross-site', 'same-site', 'none']) {
      const answer = await requests.call(path, { headers: { Cookie, 'Sec-Fetch-Site': site } })
      expectProblem(answer, 401, 'api_key_missing')
      expectProblem(
        await requests.call('/api/session', { method: 'POST', headers: { 'Sec-Fetch-Site': site } }),
        403,
        'cross_site',
      )
    }
    expectProblem(await requests.call(path, { headers: { Cookie } }), 401, 'api_key_missing')
    const headers = { ...OWN, Cookie }
    expectProblem(await requests.call('/api/keys/current', { headers }), 401, 'api_key_missing')
    expectProblem(await requests.call('/api/webhooks', { headers }), 401, 'api_key_missing')
    const token = Cookie.split('=')[1]!
    expectProblem(await requests.call(path, { headers: { 'X-API-Key': token } }), 401, 'api_key_invalid')
  })

  test('an unknown session, or an API key as a session, is rejected', async () => {
    const [name] = (await cookieOf()).split('=')
    const path = at(freshAddress(requests.host.domain))
    for (const token of [
      `mfs_${'A'.repeat(43)}`,
      `mfs_9999999999999-${'A'.repeat(22)}-${'A'.repeat(43)}`,
      await requests.newKey(),
      'x',
    ]) {
      const headers = { ...OWN, Cookie: `other=1; ${name}=${token}` }
      expectProblem(await requests.call(path, { headers }), 401, 'api_key_expired')
    }
  })

  test('the requests of all sessions of a client address are counted together; a new page always gets one', async () => {
    const from = requests.host.from(requests.freshIp())
    const path = at(freshAddress(requests.host.domain))
    const cookies = []
    for (let n = 0; n < 70; n++) {
      const answer = await open(from)
      expect(answer.status).toBe(201)
      cookies.push(answer.headers.get('set-cookie')!.split(';')[0]!)
    }
    expect(new Set(cookies).size).toBe(70)
    const left = []
    for (const Cookie of [cookies[0]!, cookies[69]!]) {
      const answer = await requests.call(path, { headers: { ...OWN, ...from, Cookie } })
      left.push(Number(answer.headers.get('RateLimit-Remaining')))
    }
    // A new clock minute may have begun in between.
    expect([
      [599, 598],
      [599, 599],
    ]).toContainEqual(left)
  })

  test('a page of another site changes nothing without an API key', async () => {
    const cross = { 'Sec-Fetch-Site': 'cross-site' }
    const key = await requests.newKey()
    const address = freshAddress(requests.host.domain)
    expectProblem(await requests.call('/api/keys', { method: 'POST', headers: cross }), 403, 'cross_site')
    expectProblem(
      await requests.call(`/api/domain/verify/${requests.host.domain}`, { headers: cross }),
      403,
      'cross_site',
    )
    expect((await requests.call(`/api/public${at(address).slice(4)}`, { headers: cross })).status).toBe(200)
    const headers = { ...cross, 'X-API-Key': key }
    expect((await requests.call(at(address), { method: 'DELETE', headers })).status).toBe(200)
  })

  test('m: every email of an address is marked as read, once', async () => {
    const address = freshAddress(requests.host.domain)
    for (const subject of ['one', 'two', 'three']) await requests.deliver(address, plain(subject, 'text'))
    const call = await requests.caller()
    const [newest] = await requests.inbox(address)
    await call(at(address, `/${newest.id}`))
    expect(
      (
        await call(at(address, '/read'), {
          method: 'POST',
          headers: { 'X-API-Key': await requests.newKey() },
        })
      ).body,
    ).toEqual({ success: true, marked: 2 })
    expect((await requests.inbox(address)).map(({ read }) => read)).toEqual([true, true, true])
    expect((await call(at(address))).body.emails).toHaveLength(3)
  })
}
