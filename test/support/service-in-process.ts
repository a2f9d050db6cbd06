import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { readConfig } from '../../local-service/config.ts'
import { startLocalService } from '../../local-service/service.ts'
import type { RunningService } from './service.ts'

/**
 * The one-machine service in the process of the tests, where spies reach it. A mutation run uses it
 * instead of the service in a separate process, where a mutant would not exist.
 */
export async function startService(env: Record<string, string> = {}): Promise<RunningService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'mayfly-'))
  let output = ''
  const config = readConfig({
    MAYFLY_HTTP_PORT: '0',
    MAYFLY_SMTP_PORT: '0',
    // Most tests need a service that knows which domains exist.
    MAYFLY_CATCH_ALL: 'off',
    MAYFLY_DATA_DIR: dataDir,
    ...env,
  })
  const service = await startLocalService(
    config,
    pino(
      { level: config.logLevel },
      {
        write(line) {
          output += line
        },
      },
    ),
    (error) => {
      throw error
    },
  )
  const [, host, port] = /^(.*):(\d+)$/.exec(service.smtp)!
  // There is no separate process: a test that would signal one fails.
  const instead = { pid: -1, exitCode: null as number | null }
  const stop = async () => {
    instead.exitCode = 0
    await service.stop()
    await rm(dataDir, { recursive: true, force: true })
    return 0
  }
  return {
    http: service.http,
    smtp: { host: host!, port: Number(port) },
    dataDir,
    process: instead as RunningService['process'],
    output: () => output,
    stop,
    kill: async () => void (await stop()),
  }
}
