import { startDns } from '../support/dns-server.ts'
import { sendMail } from '../support/mail.ts'
import { startService } from '../support/service.ts'
import { httpContract } from './suite.ts'

const MX_HOST = 'mx.mayfly.example'
const DOMAIN_KEY = 'a key with spaces & signs/+'
const PRIVATE_DOMAINS: [string, string] = ['one.private.test', 'two.private.test']

httpContract('one machine', async () => {
  const dns = await startDns()
  const service = await startService({
    MAYFLY_DOMAINS: `mayfly.test,${PRIVATE_DOMAINS.map((domain) => `${domain}=${DOMAIN_KEY}`).join(',')}`,
    MAYFLY_DNS_SERVER: dns.address,
    MAYFLY_MX_HOST: MX_HOST,
    MAYFLY_TRUST_PROXY: '127.0.0.1',
    // The suite uses this setting for every host; test/hostile/callers.test.ts tests the default of
    // the one-machine service.
    MAYFLY_CORS_ORIGINS: '*',
  })
  return {
    url: service.http,
    from: (ip) => ({ 'X-Forwarded-For': `203.0.113.99, ${ip}` }),
    deliver: async (raw, recipients, mailFrom = 'sender@example.org') => {
      await sendMail(service.smtp, { raw, envelope: { from: mailFrom, to: recipients } })
    },
    domain: 'mayfly.test',
    privateDomains: PRIVATE_DOMAINS,
    domainKey: DOMAIN_KEY,
    mxHost: MX_HOST,
    smtp: service.smtp,
    dns,
    confirmsAtOnce: true,
    close: async () => {
      await service.stop()
      await dns.close()
    },
  }
})
