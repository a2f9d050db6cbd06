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
})
