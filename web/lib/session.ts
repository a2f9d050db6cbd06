import { ask, type Credentials } from './api.ts'
import { credentials } from './credentials.ts'
import { ApiProblem } from './problem.ts'
import { BrowserStorage } from './storage.ts'

/** When the session of this browser ends. The session itself is a cookie that no script can read. */
const SESSION_ENDS = 'mayfly.session-ends'
const storage = new BrowserStorage('localStorage')

let opening: Promise<void> | undefined

/**
 * Sends a request that needs access to whole emails: with the page session of this browser, which is opened when it
 * is first needed and replaced when the service no longer knows it. If no session can be had, with the API key that
 * the user of this browser entered. @throws ApiProblem
 */
export async function withAccess<T>(request: (access: Credentials) => Promise<T>): Promise<T> {
  try {
    if (!isSessionValid()) await openSession()
    return await request({})
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error
    const { apiKey } = credentials
    if (error.code === 'rate_limited' && apiKey !== undefined) return request({ apiKey })
    if (!error.code.startsWith('api_key_')) throw error
    await openSession()
    return request({})
  }
}

/** Opens a session in advance, so that a request that is sent while the page closes needs only itself. */
export function prepareAccess(): void {
  if (!isSessionValid()) openSession().catch(() => {})
}

function isSessionValid(): boolean {
  return Number(storage.get(SESSION_ENDS)) > Date.now()
}

function openSession(): Promise<void> {
  opening ??= ask<{ expires_at: string }>('/api/session', { method: 'POST' })
    .then(({ expires_at }) => storage.set(SESSION_ENDS, String(Date.parse(expires_at))))
    .finally(() => {
      opening = undefined
    })
  return opening
}
