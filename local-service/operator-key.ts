import { KeyFile } from '../adapters/key-file/key-file.ts'
import { DAY_MS } from '../core/limits.ts'
import type { Config } from './config.ts'
import { isLoopbackHost } from './config-values.ts'
import type { Logger } from './log.ts'

/**
 * Writes the generated operator's key of a loopback service to the key file of this user, where the
 * SDK and the command line find it. Does nothing for configured keys, which the operator
 * distributes.
 * @param path of the key file; undefined for no file
 * @returns a function that removes the entries
 */
export async function publishOperatorKey(
  config: Config,
  { http, operatorKey }: { http: string; operatorKey: string | undefined },
  path: string | undefined,
  log: Logger,
): Promise<() => Promise<void>> {
  if (
    path === undefined ||
    operatorKey === undefined ||
    config.apiKeys.length > 0 ||
    !isLoopbackHost(config.host)
  ) {
    return async () => {}
  }
  const file = new KeyFile(path, (error) =>
    log.warn({ err: error }, 'the key file could not be written: programs need MAYFLY_API_KEY'),
  )
  const urls = [http, `http://localhost:${new URL(http).port}`, ...(config.baseUrl ? [config.baseUrl] : [])]
  await file.add(urls, operatorKey)
  // The SDK drops entries that are older than a key can be.
  const refresh = setInterval(() => void file.add(urls, operatorKey), DAY_MS).unref()
  return async () => {
    clearInterval(refresh)
    await file.remove(urls, operatorKey)
  }
}
