/** The custom resource that requests a new revision of the web function, and fails without an answer. */
import { setTimeout as sleep } from 'node:timers/promises'
import { SECOND_MS } from '../core/limits.ts'
import { customResource } from './cloudformation.ts'

/** A program starts within 10 s, or Lambda ends it (web-functions-env-lifecycle.html). */
const PATIENCE_MS = 60 * SECOND_MS
const REQUEST_TIMEOUT_MS = 15 * SECOND_MS
const PAUSE_MS = 2 * SECOND_MS

export const handler = customResource<{ url: string }>(
  'mayfly-endpoint-check',
  async ({ RequestType, ResourceProperties: { url } }) => {
    if (RequestType === 'Delete') return
    await check(url, { clock: Date.now, pause: sleep })
  },
)

interface Time {
  /** Unix ms. */
  clock(): number
  pause(ms: number): Promise<unknown>
}

/**
 * Resolves when the URL answers with a 2xx status.
 * @throws Error with the last answer after a minute without one
 */
export async function check(url: string, { clock, pause }: Time): Promise<void> {
  const end = clock() + PATIENCE_MS
  for (;;) {
    const seen = await look(url)
    if (seen === 'healthy') return
    if (clock() >= end)
      throw new Error(
        `the new revision of the web function does not answer at ${url}: ${seen}. Its log has the reason`,
      )
    await pause(PAUSE_MS)
  }
}

/** Returns `healthy`, or the answer or error instead. */
async function look(url: string): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) })
    const text = await response.text()
    return response.ok ? 'healthy' : `status ${response.status} ${text.slice(0, 200)}`
  } catch (error) {
    return String(error)
  }
}
