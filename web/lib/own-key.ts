import { ask } from './api.ts'
import { credentials } from './credentials.ts'
import { ApiProblem } from './problem.ts'

const PURPOSE = 'Inbox page'

let taking: Promise<string> | undefined

/**
 * The API key of this browser; takes one where there is none, once for all tabs.
 * @param stale a key that the service refused, to be replaced
 * @throws ApiProblem when none can be had
 */
export function ownKey(stale?: string): Promise<string> {
  const known = credentials.apiKey
  if (known !== undefined && known !== stale) return Promise.resolve(known)
  taking ??= inTurn(stale).finally(() => {
    taking = undefined
  })
  return taking
}

async function inTurn(stale: string | undefined): Promise<string> {
  // Browsers give locks to https and localhost only; elsewhere two tabs may take a key each.
  if (navigator.locks === undefined) return take(stale)
  return navigator.locks.request('mayfly-own-key', () => take(stale))
}

async function take(stale: string | undefined): Promise<string> {
  const known = credentials.apiKey
  if (known !== undefined && known !== stale) return known
  const { key } = await ask<{ key: string }>('/api/keys', { method: 'POST', body: { purpose: PURPOSE } })
  credentials.take(key)
  return key
}

/** Asks with the browser's key; with a new one, once, where the service does not know the old one any more. */
export async function withKey<T>(request: (apiKey: string) => Promise<T>): Promise<T> {
  const apiKey = await ownKey()
  try {
    return await request(apiKey)
  } catch (error) {
    const refused = error instanceof ApiProblem && /^api_key_(invalid|expired)$/.test(error.code)
    if (!refused) throw error
    return request(await ownKey(apiKey))
  }
}
