import type { Domain } from '../access/ports.ts'
import { type Email, type EmailFilter, matches } from '../inbox/email.ts'
import type { Live } from './live.ts'

export interface Wait {
  topic: { address: string; domain: Domain }
  filter: EmailFilter
  /** Only emails with greater ids. */
  after: string | undefined
  /** The client's network. */
  client: string
  timeoutMs: number
  /** Ends the wait when it fires, or has fired. */
  signal: AbortSignal
}

/**
 * The newest email that the filter asks for, or else the first such that arrives; null after `timeoutMs`, however
 * long the store takes, or when `signal` fires.
 *
 * @param there what the store has now
 * @throws Problem `too_many_streams`, or what `there` rejects with
 */
export async function waitForEmail(
  live: Live,
  { topic, filter, after, client, timeoutMs, signal }: Wait,
  there: () => Promise<Email | null>,
): Promise<Email | null> {
  if (signal.aborted) return null
  const { promise, resolve, reject } = Promise.withResolvers<Email | null>()
  const nothing = () => resolve(null)
  const close = live.follow(
    { topic, after: undefined, client },
    {
      email: ({ email }) => {
        if (after !== undefined && email.id <= after) return
        if (matches(email, filter)) resolve(email)
      },
      gap: nothing,
      ready: () => undefined,
      end: nothing,
    },
  )
  const timer = setTimeout(nothing, timeoutMs)
  signal.addEventListener('abort', nothing, { once: true })
  there().then((email) => email && resolve(email), reject)
  try {
    return await promise
  } finally {
    close()
    clearTimeout(timer)
    signal.removeEventListener('abort', nothing)
  }
}
