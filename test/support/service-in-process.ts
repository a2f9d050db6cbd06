import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { readConfig } from '../../local-service/config.ts'
import { startLocalService } from '../../local-service/service.ts'
import type { RunningService } from './service.ts'

/**
 * The one-machine service in the process of the tests, where spies reach it. In a mutation run it takes the place of the
 * one in a process of its own, in which a line that is broken here would be whole.
 */
export async function startService(env: Record<string, string> = {}): Promise<RunningService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'mayfly-'))
  let output = ''
  const config = readConfig({
    MAYFLY_HTTP_PORT: '0',
    MAYFLY_SMTP_PORT: '0',
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
  // No process of its own: what a test would do to one fails.
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
