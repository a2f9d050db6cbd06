import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../../local-service/config.ts'
import { createLogger } from '../../../local-service/log.ts'
import { startLocalService } from '../../../local-service/service.ts'
import { type Inbox, type InboxOptions, Mayfly } from '../../client/src/index.ts'

/** A service inside of this process. */
export interface RunningMayfly {
  /** Base URL of the API and the pages. */
  url: string
  /** Where it takes mail. */
  smtp: { host: string; port: number }
  /** A key of the service, for clients in other processes. */
  apiKey: string
  /** A new address, or the one that is named. */
  inbox(options?: InboxOptions): Promise<Inbox>
  /** Finishes what is accepted, ends the streams, and removes the temporary store. */
  stop(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Temporary stores that are in use: a process that ends without `stop` takes them with it. */
const folders = new Set<string>()

/**
 * Starts a service on free ports with a temporary store. As many as are wanted run side by side.
 * @param config variables of docs/configuration.md, such as `{ MAYFLY_DOMAINS: 'shop.test' }`; those of the process
 *   count for nothing
 * @throws ConfigError with every fault of `config`
 */
export async function startMayfly(config: Record<string, string> = {}): Promise<RunningMayfly> {
  const folder = config.MAYFLY_DATA_DIR === undefined ? await temporaryFolder() : undefined
  const settings = readConfig({
    MAYFLY_HTTP_PORT: '0',
    MAYFLY_SMTP_PORT: '0',
    MAYFLY_LOG_LEVEL: 'silent',
    ...(folder && { MAYFLY_DATA_DIR: folder }),
    ...config,
  })
  const service = await startLocalService(settings, await createLogger(settings.logLevel), (error) => {
    throw error
  })
  const client = new Mayfly({ url: service.http, apiKey: await newKey(service.http) })
  const [, host, port] = /^(.*):(\d+)$/.exec(service.smtp)!
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= service.stop().then(() => remove(folder))
    return stopped
  }
  return {
    url: service.http,
    smtp: { host: host!.replace(/^\[|\]$/g, ''), port: Number(port) },
    apiKey: await client.apiKey(),
    inbox: (options) => client.inbox(options),
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

async function newKey(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/keys`, { method: 'POST' })
  return ((await answer.json()) as { key: string }).key
}

async function temporaryFolder(): Promise<string> {
  if (folders.size === 0) process.once('exit', removeAll)
  const folder = await mkdtemp(join(tmpdir(), 'mayfly-'))
  folders.add(folder)
  return folder
}

async function remove(folder: string | undefined): Promise<void> {
  if (folder === undefined) return
  await rm(folder, { recursive: true, force: true })
  folders.delete(folder)
  if (folders.size === 0) process.off('exit', removeAll)
}

function removeAll(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
}
