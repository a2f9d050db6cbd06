import { setTimeout as sleep } from 'node:timers/promises'
import type { Email } from '../inbox/email.ts'

/** One query a second costs the store little, and a program waits for seconds anyway. */
const PERIOD_MS = 1000

/**
 * Does what `waitForEmail` does in a process without a change feed: calls `there` every second
 * until it returns an email, until `timeoutMs` have passed, or until `signal` fires.
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
