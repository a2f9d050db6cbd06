import { setTimeout as sleep } from 'node:timers/promises'
import type { Email } from '../inbox/email.ts'

/** A query a second costs a store next to nothing, and whoever waits here is a program that asks for seconds. */
const PERIOD_MS = 1000

/**
 * As `waitForEmail`, in a process that is told of no changes: asks `there` again and again, until it has one, for
 * `timeoutMs` or until `signal` fires.
 */
export async function pollForEmail(
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
  there: () => Promise<Email | null>,
): Promise<Email | null> {
  for (let waited = 0; ; waited += PERIOD_MS) {
    const email = await there()
    const left = timeoutMs - waited
    if (email !== null || left <= 0 || signal.aborted) return email
    await sleep(Math.min(PERIOD_MS, left), undefined, { signal }).catch(() => {})
  }
}
