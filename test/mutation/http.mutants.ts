import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../local-service/config.ts'
import { createLogger } from '../../local-service/log.ts'
import { startLocalService } from '../../local-service/service.ts'
import { localContract } from '../http/local.ts'

/** The service in the process of the tests: a line that is broken here only would not be broken in another one. */
localContract('one machine, in this process', async (env) => {
  const dir = await mkdtemp(join(tmpdir(), 'mayfly-mutation-'))
  const service = await startLocalService(
    readConfig({ ...env, MAYFLY_HTTP_PORT: '0', MAYFLY_SMTP_PORT: '0', MAYFLY_DATA_DIR: dir }),
    await createLogger('silent'),
    (error) => {
      throw error
    },
  )
  const [, host, port] = /^(.*):(\d+)$/.exec(service.smtp)!
  return {
    http: service.http,
    smtp: { host: host!, port: Number(port) },
    stop: async () => {
      await service.stop()
      await rm(dir, { recursive: true, force: true })
      return 0
    },
  }
})
