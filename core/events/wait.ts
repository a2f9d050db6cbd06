import type { Email } from '../inbox/email.ts'
import { type EmailFilter, matches } from '../inbox/filter.ts'
import type { Topic } from './follower.ts'
import type { Live } from './live.ts'

export interface Wait {
  topic: Topic
  filter: EmailFilter
  /** Only emails with greater ids. */
  after: string | undefined
  /**
   * Whether the oldest matching email wins. An email that arrives during the look-up then waits for
   * its result.
   */
  oldest?: boolean
  /** The client's network. */
  client: string
  timeoutMs: number
  /** Ends the wait when it fires, or has fired. */
  signal: AbortSignal
}

/**
 * Returns the matching email in the store, otherwise the first one that arrives; null after
 * `timeoutMs`, even if the store has not answered by then, or when `signal` fires.
 *
 * @param there finds the email in the store
 * @throws Problem `too_many_streams`, or the rejection of `there`
 */
export async function waitForEmail(
  live: Live,
  { topic, filter, after, oldest = false, client, timeoutMs, signal }: Wait,
  there: () => Promise<Email | null>,
): Promise<Email | null> {
  if (signal.aborted) return null
  const covering = live.cover(topic)
  if (covering !== undefined) await covering
  if (signal.aborted) return null
  const { promise, resolve, reject } = Promise.withResolvers<Email | null>()
  const nothing = () => resolve(null)
  let arrived: Email | null = null
  let looked = !oldest
  const close = live.follow(
    { topic, after: undefined, client },
    {
      email: ({ email }) => {
        if (after !== undefined && email.id <= after) return
        if (!matches(email, filter)) return
        arrived ??= email
        if (looked) resolve(arrived)
      },
      gap: nothing,
      ready: () => undefined,
      end: nothing,
    },
  )
  live.waits++
  const timer = setTimeout(nothing, timeoutMs)
  signal.addEventListener('abort', nothing)
  there().then((email) => {
    looked = true
    if (email !== null || arrived !== null) resolve(email ?? arrived)
  }, reject)
  try {
    return await promise
  } finally {
    live.waits--
    close()
    clearTimeout(timer)
    signal.removeEventListener('abort', nothing)
  }
}
