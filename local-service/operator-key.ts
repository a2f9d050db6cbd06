import { readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isLoopbackName } from '../core/access/loopback.ts'
import { DAY_MS } from '../core/limits.ts'
import { KeyFile } from '../packages/client/src/key-file.ts'
import type { Config } from './config.ts'
import { isLoopbackHost, ownsLocalhost } from './config-values.ts'
import type { Logger } from './log.ts'
import type { LocalService } from './service.ts'

/** A service waits at most this long for a change of the key file; the change then continues without it. */
const HOLD_UP_MS = 2_000

/**
 * Writes the generated operator's key of a loopback service to the key file of this user, where the
 * SDK and the command line find it, and to `<port>.key` beside it, for a shell. Does nothing for configured keys, which the operator
 * distributes.
 * @param path of the key file; undefined for no file
 * @param holdUpMs how long the start and the stop wait for the file at most
 * @returns a function that removes the entries
 */
export async function publishOperatorKey(
  config: Config,
  { httpUrls, operatorKey }: Pick<LocalService, 'httpUrls' | 'operatorKey'>,
  path: string | undefined,
  log: Logger,
  holdUpMs = HOLD_UP_MS,
): Promise<() => Promise<void>> {
  if (
    path === undefined ||
    operatorKey === undefined ||
    config.apiKeys.length > 0 ||
    !isLoopbackHost(config.host)
  ) {
    return async () => {}
  }
  const change = (work: Promise<void>) =>
    within(
      holdUpMs,
      work.catch((error) =>
        log.warn({ err: error }, 'the key file could not be written: programs need MAYFLY_API_KEY'),
      ),
    )
  const file = new KeyFile(path)
  const { port } = new URL(httpUrls[0]!)
  const plain = join(dirname(path), `${port}.key`)
  const urls = urlsOf(config, httpUrls)
  await change(file.put(urls, operatorKey))
  // Its folder is the one of the key file, whose failure was logged.
  await writeFile(plain, operatorKey, { mode: 0o600 }).catch(() => undefined)
  // The SDK drops entries that are older than a key can be.
  const refresh = setInterval(() => void change(file.put(urls, operatorKey)), DAY_MS).unref()
  return async () => {
    clearInterval(refresh)
    await change(file.remove(urls, operatorKey))
    // A service that took the port meanwhile has written its own.
    const left = await readFile(plain, 'utf8').catch(() => undefined)
    if (left === operatorKey) await rm(plain, { force: true })
  }
}

/** Resolves when the work is done, or after this time. */
async function within(ms: number, work: Promise<void>): Promise<void> {
  const done = new AbortController()
  await Promise.race([work, sleep(ms, undefined, { signal: done.signal, ref: false })])
  done.abort()
}

/**
 * The URLs of this service. None is an address that it does not listen on: another program there
 * would get the key from every client that calls it.
 */
function urlsOf({ host, baseUrl }: Config, httpUrls: string[]): string[] {
  const { port } = new URL(httpUrls[0]!)
  const own = [...httpUrls, ...(ownsLocalhost(host) ? [`http://localhost:${port}`] : [])]
  return baseUrl === undefined || !isOwn(baseUrl, own) ? own : [...own, baseUrl]
}

/** Whether no other user of this machine can listen at the URL. */
function isOwn(baseUrl: string, own: string[]): boolean {
  const { hostname, host } = new URL(baseUrl)
  const listened = host.replace(/^.+\.localhost(?=:|$)/, 'localhost')
  return !isLoopbackName(hostname) || own.some((url) => new URL(url).host === listened)
}
