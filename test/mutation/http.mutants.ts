import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../local-service/config.ts'
import { createLogger } from '../../local-service/log.ts'
import { startLocalService } from '../../local-service/service.ts'
import { httpContract } from '../http/suite.ts'
import { startDns } from '../support/dns-server.ts'
import { sendMail } from '../support/mail.ts'

/** The service in the process of the tests: a line that is broken here only would not be broken in another one. */
httpContract('one machine, in this process', async () => {
  const dns = await startDns()
  const mxHost = 'mx.mayfly.example'
  const domainKey = 'a key with spaces & signs/+'
  const privateDomains: [string, string] = ['one.private.test', 'two.private.test']
  const dir = await mkdtemp(join(tmpdir(), 'mayfly-mutation-'))
  const service = await startLocalService(
    readConfig({
      MAYFLY_HTTP_PORT: '0',
      MAYFLY_SMTP_PORT: '0',
      MAYFLY_DATA_DIR: dir,
      MAYFLY_DOMAINS: `mayfly.test,${privateDomains.map((name) => `${name}=${domainKey}`).join(',')}`,
      MAYFLY_DNS_SERVER: dns.address,
      MAYFLY_MX_HOST: mxHost,
      MAYFLY_TRUST_PROXY: '127.0.0.1',
      MAYFLY_CORS_ORIGINS: '*',
    }),
    await createLogger('silent'),
    (error) => {
      throw error
    },
  )
  const [, host, port] = /^(.*):(\d+)$/.exec(service.smtp)!
  const smtp = { host: host!, port: Number(port) }
  return {
    url: service.http,
    from: (ip) => ({ 'X-Forwarded-For': `203.0.113.99, ${ip}` }),
    deliver: async (raw, recipients, mailFrom = 'sender@example.org') => {
      await sendMail(smtp, { raw, envelope: { from: mailFrom, to: recipients } })
    },
    domain: 'mayfly.test',
    privateDomains,
    domainKey,
    mxHost,
    smtp,
    dns,
    confirmsAtOnce: true,
    close: async () => {
      await service.stop()
      await dns.close()
      await rm(dir, { recursive: true, force: true })
    },
  }
})
