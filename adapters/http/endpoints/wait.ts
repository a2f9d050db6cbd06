import { waitForEmail } from '../../../core/events/wait.ts'
import { SECOND_MS } from '../../../core/limits.ts'
import { answers, json } from '../answer.ts'
import { endpointsOf } from '../endpoint.ts'
import { readFilter } from '../filter.ts'
import type { LiveService } from '../service.ts'
import { summary, WaitAnswer } from '../wire/email.ts'
import { WaitQuery } from '../wire/requests.ts'

// a
export const wait = endpointsOf<LiveService>()({
  method: 'GET',
  path: '/api/emails/:address/wait',
  name: 'waitForEmail',
  summary: 'The newest (or oldest) matching email, or the next one to arrive; null after the time-out',
  access: 'api key',
  inbox: 'header',
  query: WaitQuery,
  answers: answers('Does not mark as read', WaitAnswer),
  problems: ['too_many_streams'],
  handle: async ({ service, head, inbox, query }) => {
    const { filter, after } = readFilter(query)
    const { order, timeout } = query
    const wanted = {
      topic: { addresses: [inbox.address], domains: [inbox.registration] },
      filter,
      after,
      oldest: order === 'oldest',
      client: head.client,
      timeoutMs: timeout * SECOND_MS,
      signal: head.signal,
    }
    const { mailbox } = service
    const email = await waitForEmail(service.live, wanted, () =>
      order === 'oldest' ? mailbox.oldest(inbox, filter, after) : mailbox.latest(inbox, filter, after),
    )
    return json({ success: true, email: email && summary(email), ...(order && { order }) })
  },
})
