import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigError } from '../../../core/errors.ts'
import { nearestVariable } from '../../../core/nearest.ts'
import { type Inbox, type InboxOptions, Mayfly } from '../../client/src/node.ts'
import { withSqlite } from './platform.ts'
import { configIn, type MayflyConfig, VARIABLES } from './variables.ts'

/** A service inside this process. */
export interface RunningMayfly {
  /** Base URL of the API and the pages. */
  url: string
  /** The address that accepts mail. */
  smtp: { host: string; port: number }
  /** A key without limits, for clients in other processes. */
  apiKey: string
  /** A new address, or the existing one that `address` names. */
  inbox(options?: InboxOptions): Promise<Inbox>
  /** Finishes accepted mail, ends the streams, and removes the temporary store. */
  stop(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Starts a service inside this process, on free ports and with a temporary store. Any number can
 * run side by side. Clients of this process and of others meet no rate limit.
 *
 * @param config variables of docs/configuration.md; empty ones count as not set, and those in the
 *   environment of the process are ignored
 * @throws ConfigError with every fault of `config`; Error in a Node older than 22.13
 * @example
 * await using mayfly = await startMayfly({ MAYFLY_DOMAINS: 'shop.test' })
 * const inbox = await mayfly.inbox()
 * await signUp(inbox.address, mayfly.smtp)
 * const code = await inbox.waitForCode()
 */
export async function startMayfly(config: MayflyConfig = {}): Promise<RunningMayfly> {
  check(config)
  const given = configIn(config)
  const { readConfig, createLogger, startLocalService } = await withSqlite(loadService)
  const folder = given.MAYFLY_DATA_DIR === undefined ? await temporaryFolder() : undefined
  const apiKey = given.MAYFLY_API_KEYS?.split(',')[0]?.trim() || newKey()
  try {
    const settings = readConfig({
      MAYFLY_HTTP_PORT: '0',
      MAYFLY_SMTP_PORT: '0',
      MAYFLY_LOG_LEVEL: 'silent',
      MAYFLY_API_KEYS: apiKey,
      ...(folder && { MAYFLY_DATA_DIR: folder }),
      ...given,
    })
    const service = await startLocalService(settings, await createLogger(settings.logLevel), (error) => {
      throw error
    })
    return running(service, apiKey, () => remove(folder))
  } catch (error) {
    await remove(folder)
    throw error
  }
}

async function loadService() {
  return {
    ...(await import('../../../local-service/config.ts')),
    ...(await import('../../../local-service/log.ts')),
    ...(await import('../../../local-service/service.ts')),
  }
}

function newKey(): string {
  return `mfo_${randomBytes(32).toString('base64url')}`
}

interface Service {
  http: string
  smtp: string
  stop(): Promise<void>
}

function running(service: Service, apiKey: string, removeStore: () => Promise<void>): RunningMayfly {
  const [url, smtp] = [reachable(service.http), reachable(service.smtp)]
  const client = new Mayfly({ url, apiKey })
  const portAt = smtp.lastIndexOf(':') + 1
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= service.stop().then(removeStore)
    return stopped
  }
  return {
    url,
    smtp: { host: smtp.slice(0, portAt - 1).replace(/^\[|\]$/g, ''), port: Number(smtp.slice(portAt)) },
    apiKey,
    inbox: (options) => client.inbox(options),
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

/** An address that a client on this machine can connect to, for one that means every interface. */
function reachable(address: string): string {
  return address.replace('0.0.0.0', '127.0.0.1').replace('[::]', '[::1]')
}

/**
 * A name or a value that is silently ignored, such as MAYFLY_DOMAIN or `false`, would make a test
 * pass for the wrong reason.
 * @throws TypeError, ConfigError
 */
function check(config: MayflyConfig): void {
  if (typeof config !== 'object' || config === null) {
    throw new TypeError(
      `startMayfly() takes an object such as { MAYFLY_DOMAINS: 'shop.test' }, not ${config}.`,
    )
  }
  const names = Object.keys(VARIABLES)
  const faults = Object.keys(config)
    .filter((name) => !names.includes(name))
    .map((name) => `${name} is not a variable of this service; did you mean ${nearestVariable(name, names)}?`)
  for (const [name, value] of Object.entries(config)) {
    if (!['string', 'undefined'].includes(typeof value)) {
      faults.push(`${name} must be a string, as in the environment, not ${JSON.stringify(value)}`)
    }
  }
  if (faults.length > 0) throw new ConfigError(faults)
}

/** Temporary stores that are in use. A process that ends without `stop` removes them. */
const folders = new Set<string>()

/** @internal A folder that is removed with the process at the latest. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'mayfly-'))
  if (folders.size === 0) process.once('exit', removeAll)
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
