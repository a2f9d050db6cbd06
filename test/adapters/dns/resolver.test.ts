import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { dnsResolver } from '../../../adapters/dns/resolver.ts'
import { startDns, type TestDns } from '../../support/dns-server.ts'

describe('the resolver', () => {
  let dns: TestDns
  beforeAll(async () => {
    dns = await startDns()
  })
  afterAll(() => dns.close())

  test('returns the target of a CNAME in lower case, as it is compared', async () => {
    dns.set('CNAME', 'key._domainkey.acme.test', ['Key.DKIM.AmazonSES.com'])
    const resolver = dnsResolver([dns.address])
    expect(await resolver.cname('key._domainkey.acme.test')).toEqual(['key.dkim.amazonses.com'])
    expect(await resolver.cname('other.acme.test')).toEqual([])
  })

  test('returns the records of a name, and none of a name that has others only or does not exist', async () => {
    dns.set('MX', 'mail.acme.test', ['10 mx.acme.test'])
    dns.set('TXT', 'text.acme.test', ['a=b'])
    const { mx, txt, cname } = dnsResolver([dns.address])
    expect(await mx('mail.acme.test')).toEqual([{ preference: 10, exchange: 'mx.acme.test' }])
    expect(await txt('text.acme.test')).toEqual(['a=b'])
    for (const answer of [
      mx('text.acme.test'),
      txt('mail.acme.test'),
      cname('mail.acme.test'),
      mx('no.acme.test'),
    ])
      expect(await answer).toEqual([])
  })

  test('reports that a server has no answer, which is not "no record"', async () => {
    dns.misbehave('broken.acme.test', 'servfail')
    const { mx, txt, cname } = dnsResolver([dns.address])
    for (const ask of [mx, txt, cname])
      await expect(ask('broken.acme.test')).rejects.toMatchObject({
        code: 'dns_unavailable',
        detail: 'DNS gave no answer for broken.acme.test. Nothing was changed; try again.',
        retryAfter: 10,
        cause: { code: 'ESERVFAIL' },
      })
  })
})
