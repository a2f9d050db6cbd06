import { randomBytes } from 'node:crypto'
import { openStore } from '../../adapters/sqlite/store.ts'
import { hashKey, mintApiKey } from '../../core/access/api-keys.ts'
import { DAY_MS } from '../../core/limits.ts'

/**
 * Stores API keys for a service that is not running yet: one allows 120 requests in a clock minute,
 * and a client address gets five a day, far fewer than a benchmark needs.
 */
export async function prepareKeys(dataDir: string, count: number): Promise<string[]> {
  const store = await openStore({ dir: dataDir })
  const keys = Array.from({ length: count }, () => mintApiKey(randomBytes))
  const createdAt = Date.now()
  await Promise.all(
    keys.map((key) =>
      store.keys.add({
        hash: hashKey(key),
        purpose: 'benchmark',
        createdAt,
        expiresAt: createdAt + DAY_MS,
      }),
    ),
  )
  await store.close()
  return keys
}
