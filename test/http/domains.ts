import { createHash } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { at, expectProblem, type Json, plain, type Requests } from './requests.ts'

/** The lists of domains, and the verification that registers a domain. */
export function domainContract(requests: Requests): void {
  test('2: the verified domains, sorted; private ones do not show their key', async () => {
    const { status, body } = await requests.call('/api/domains')
    expect(status).toBe(200)
    expect(body.success).toBe(true)
    const names = body.domains.map((domain: Json) => domain.domain)
    expect(names).toEqual([...names].sort())
    expect(body.domains).toContainEqual({ domain: requests.host.domain, status: 'verified', private: false })
    expect(body.domains).toContainEqual({
      domain: requests.host.privateDomains[0],
      status: 'verified',
      private: true,
    })
    expect(JSON.stringify(body)).not.toContain(requests.host.domainKey)
  })

  test('3: public domains in random order', async () => {
    const { status, body } = await requests.call('/api/domains/random')
    expect(status).toBe(200)
    expect(body.success).toBe(true)
    expect(body.domain).toBe(body.domains[0].domain)
    expect(body.domains.every((domain: Json) => domain.private === false)).toBe(true)
  })

  test('4: a domain whose MX points elsewhere is not registered', async () => {
    requests.host.dns.set('MX', 'elsewhere.example', ['20 backup.example', '5 mx.elsewhere.example'])
    const { status, body } = await requests.call('/api/domain/verify/elsewhere.example', {
      headers: requests.host.from(requests.freshIp()),
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      success: true,
      domain: 'elsewhere.example',
      verified: false,
      mx: 'mx.elsewhere.example',
      status: 'unverified',
      private: false,
    })
    expect(body.records[0]).toMatchObject({ type: 'MX', name: 'elsewhere.example', found: false })
    expect(body.records[0].value).toContain(requests.host.mxHost)
    expectProblem(await requests.call('/api/public/emails/a%40elsewhere.example'), 404, 'domain_not_found')
  })

  test('4: a domain without any record is not registered', async () => {
    const { body } = await requests.call('/api/domain/verify/nothing.example', {
      headers: requests.host.from(requests.freshIp()),
    })
    expect(body).toMatchObject({
      success: true,
      verified: false,
      mx: requests.host.mxHost,
      status: 'unverified',
    })
  })

  test('4: only the MX with the best preference counts', async () => {
    requests.host.dns.set('MX', 'second.example', [`20 ${requests.host.mxHost}`, '10 other.example'])
    const { body } = await requests.call('/api/domain/verify/second.example', {
      headers: requests.host.from(requests.freshIp()),
    })
    expect(body).toMatchObject({ verified: false, mx: 'other.example' })
  })

  test('4: a domain whose MX points here is registered, becomes private, stays private, and is unregistered', async () => {
    const name = `own-${Date.now().toString(36)}.example`
    const ip = requests.host.from(requests.freshIp())
    const verify = async () => (await requests.call(`/api/domain/verify/${name}`, { headers: ip })).body
    const open = (headers = {}) => requests.call(`/api/public/emails/bot%40${name}`, { headers })

    requests.host.dns.set('MX', name, [`10 ${requests.host.mxHost.toUpperCase()}`])
    const status = requests.host.confirmsAtOnce ? 'verified' : 'pending'
    expect(await verify()).toMatchObject({ verified: true, mx: requests.host.mxHost, status, private: false })
    expect((await open()).status).toBe(200)

    const hash = createHash('sha256').update('s3cret').digest('hex')
    requests.host.dns.set('TXT', `_mayfly.${name}`, [`key-sha256=${hash}`])
    expect(await verify()).toMatchObject({ private: true })
    expectProblem(await open(), 401, 'domain_key_missing')
    expectProblem(await open({ 'X-Domain-Key': 'wrong' }), 403, 'domain_key_invalid')
    expect((await open({ 'X-Domain-Key': 's3cret' })).status).toBe(200)

    // An unreadable record, or a DNS failure, leaves it private.
    requests.host.dns.set('TXT', `_mayfly.${name}`, ['kye=oops'])
    expect(await verify()).toMatchObject({ private: true })
    requests.host.dns.misbehave(`_mayfly.${name}`, 'servfail')
    expect(await verify()).toMatchObject({ code: 'dns_unavailable' })
    expectProblem(await open(), 401, 'domain_key_missing')
    requests.host.dns.misbehave(`_mayfly.${name}`, 'answer')

    requests.host.dns.set('TXT', `_mayfly.${name}`, ['key=plain'])
    expect(await verify()).toMatchObject({ private: true })
    expect((await open({ 'X-Domain-Key': 'plain' })).status).toBe(200)

    // The domain is unregistered only if the record is missing twice, five minutes apart.
    requests.host.dns.set('TXT', `_mayfly.${name}`, [])
    for (let again = 0; again < 2; again++) expect(await verify()).toMatchObject({ private: true })
    expectProblem(await open(), 401, 'domain_key_missing')

    requests.host.dns.set('MX', name, ['10 gone.example'])
    expect(await verify()).toMatchObject({ verified: false, status: 'unverified' })
    expectProblem(await open(), 404, 'domain_not_found')
  })

  test('4: a client that registers a domain again does not get its earlier mail', async () => {
    const name = `again-${Date.now().toString(36)}.example`
    const address = `bot@${name}`
    const asBot = await requests.caller()
    const ip = requests.host.from(requests.freshIp())
    const verify = async () => (await requests.call(`/api/domain/verify/${name}`, { headers: ip })).body
    requests.host.dns.set('MX', name, [`10 ${requests.host.mxHost}`])
    requests.host.dns.set('TXT', `_mayfly.${name}`, ['key=s3cret'])
    expect(await verify()).toMatchObject({ private: true })
    await requests.host.deliver(plain('Private', 'It is 123456.'), [address])
    const list = `/api/public/emails/${encodeURIComponent(address)}`
    const [{ id }] = await requests.emailsAt(list, 1, { 'X-Domain-Key': 's3cret' })

    requests.host.dns.set('MX', name, [])
    requests.host.dns.set('TXT', `_mayfly.${name}`, [])
    await verify()
    requests.host.dns.set('MX', name, [`10 ${requests.host.mxHost}`])
    expect(await verify()).toMatchObject({ verified: true, private: false })
    expect((await requests.call(list)).body.emails).toEqual([])
    expect((await asBot(at(address, '/latest'))).body.email).toBeNull()
    for (const rest of ['', '/raw', '/attachments/0']) {
      expectProblem(await asBot(at(address, `/${id}${rest}`)), 404, 'email_not_found')
    }
    expect((await asBot(at(address), { method: 'DELETE' })).body).toMatchObject({ deleted: 0 })

    await requests.host.deliver(plain('Public', 'Hello.'), [address])
    expect((await requests.emailsAt(list, 1)).map(({ subject }: Json) => subject)).toEqual(['Public'])
  })

  test('4: an unreadable key record is reported, and the domain is not registered', async () => {
    const name = `typo-${Date.now().toString(36)}.example`
    requests.host.dns.set('MX', name, [`10 ${requests.host.mxHost}`])
    requests.host.dns.set('TXT', `_mayfly.${name}`, ['Key=abc'])
    const { body } = await requests.call(`/api/domain/verify/${name}`, {
      headers: requests.host.from(requests.freshIp()),
    })
    expect(body).toMatchObject({ success: true, verified: true, status: 'unverified', private: false })
    expect(body.records.at(-1)).toMatchObject({
      name: `_mayfly.${name}`,
      found: false,
      purpose: expect.stringContaining('lower case'),
    })
    expectProblem(await requests.call(`/api/public/emails/bot%40${name}`), 404, 'domain_not_found')
  })

  test('4: a client address may verify 30 times a minute', async () => {
    const ip = requests.host.from(requests.freshIp())
    const verify = () => requests.call('/api/domain/verify/nothing.example', { headers: ip })
    const statuses: number[] = []
    for (let n = 0; n < 30; n++) statuses.push((await verify()).status)
    expect(new Set(statuses)).toEqual(new Set([200]))
    const refused = await verify()
    expectProblem(refused, 429, 'rate_limited')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    const other = { headers: requests.host.from(requests.freshIp()) }
    expect((await requests.call('/api/domain/verify/nothing.example', other)).status).toBe(200)
  })

  test('4: a DNS failure is reported and changes nothing', async () => {
    requests.host.dns.misbehave('broken.example', 'servfail')
    const answer = await requests.call('/api/domain/verify/broken.example', {
      headers: requests.host.from(requests.freshIp()),
    })
    expectProblem(answer, 503, 'dns_unavailable')
    expect(answer.body).toMatchObject({
      success: false,
      domain: 'broken.example',
      verified: false,
      mx: requests.host.mxHost,
    })
  })

  test('4: a Unicode name is converted to its A-label form; an invalid name is rejected', async () => {
    const { body } = await requests.call(`/api/domain/verify/${encodeURIComponent('bücher.example')}`, {
      headers: requests.host.from(requests.freshIp()),
    })
    expect(body.domain).toBe('xn--bcher-kva.example')
    for (const bad of [
      'localhost',
      '127.0.0.1',
      '-a.example',
      'a..example',
      'a_b.example',
      `${'x'.repeat(64)}.example`,
      '%zz.example',
    ]) {
      expectProblem(await requests.call(`/api/domain/verify/${bad}`), 400, 'invalid_domain')
    }
  })

  test('4: a client may register 20 new domains in 24 hours', async () => {
    const ip = requests.host.from(requests.freshIp())
    for (let i = 0; i < 20; i++) {
      requests.host.dns.set('MX', `n${i}-${process.pid}.quota.example`, [`1 ${requests.host.mxHost}`])
      const { status } = await requests.call(`/api/domain/verify/n${i}-${process.pid}.quota.example`, {
        headers: ip,
      })
      expect(status).toBe(200)
    }
    requests.host.dns.set('MX', 'n20.quota.example', [`1 ${requests.host.mxHost}`])
    const answer = await requests.call('/api/domain/verify/n20.quota.example', { headers: ip })
    expectProblem(answer, 429, 'domain_quota_exceeded')
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    // A domain that is registered already does not count.
    expect(
      (await requests.call(`/api/domain/verify/n0-${process.pid}.quota.example`, { headers: ip })).status,
    ).toBe(200)
  })
}
