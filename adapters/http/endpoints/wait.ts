import type * as v from 'valibot'
import { pollForEmail } from '../../../core/events/poll.ts'
import { waitForEmail } from '../../../core/events/wait.ts'
import type { Email } from '../../../core/inbox/email.ts'
import { SECOND_MS } from '../../../core/limits.ts'
import { answers, json } from '../answer.ts'
import { type Call, type Endpoint, endpointsOf, type Inbox } from '../endpoint.ts'
import { readFilter } from '../filter.ts'
import type { LiveService, Service } from '../service.ts'
import { summary, WaitAnswer } from '../wire/email.ts'
import { WaitQuery } from '../wire/requests.ts'

type WaitCall<S> = Call<S, v.InferOutput<typeof WaitQuery>> & { inbox: Inbox }

// a
function waitBy<S extends Service>(find: (call: WaitCall<S>) => Promise<Email | null>): Endpoint<S> {
  return endpointsOf<S>()({
    method: 'GET',
    path: '/api/emails/:address/wait',
    name: 'waitForEmail',
    summary: 'The newest (or oldest) matching email, or the next one to arrive; null after the time-out',
    access: 'api key',
    inbox: 'header',
    query: WaitQuery,
    answers: answers('Does not mark as read', WaitAnswer),
    problems: ['too_many_streams'],
    handle: async (call) => {
      const email = await find(call)
      const { order } = call.query
      return json({ success: true, email: email && summary(email), ...(order && { order }) })
    },
  })
}

export const wait = waitBy<LiveService>(({ service, head, inbox, query }) => {
  const { filter, after } = readFilter(query)
  const wanted = {
    topic: { addresses: [inbox.address], domains: [inbox.registration] },
    filter,
    after,
    oldest: query.order === 'oldest',
    client: head.client,
    timeoutMs: query.timeout * SECOND_MS,
    signal: head.signal,
  }
  return waitForEmail(service.live, wanted, () => found(service, inbox, query))
})

/** The same for a process without a change feed: it polls the store. */
export const polledWait = waitBy<Service>(({ service, head, inbox, query }) => {
  const limits = { timeoutMs: query.timeout * SECOND_MS, signal: head.signal }
  return pollForEmail(limits, () => found(service, inbox, query))
})

function found(
  { mailbox }: Service,
  inbox: Inbox,
  query: v.InferOutput<typeof WaitQuery>,
): Promise<Email | null> {
  const { filter, after } = readFilter(query)
  return query.order === 'oldest'
    ? mailbox.oldest(inbox, filter, after)
    : mailbox.latest(inbox, filter, after)
}
