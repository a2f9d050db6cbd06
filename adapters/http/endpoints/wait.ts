import { waitForEmail } from '../../../core/events/wait.ts'
import type { Page } from '../../../core/inbox/ports.ts'
import { SECOND_MS } from '../../../core/limits.ts'
import { answers, json } from '../answer.ts'
import { endpointsOf } from '../endpoint.ts'
import { readFilter } from '../filter.ts'
import type { LiveService } from '../service.ts'
import { summary, WaitAnswer } from '../wire/email.ts'
import { WaitQuery } from '../wire/requests.ts'

/** Emails among which the record of a wait names those that did not match. */
const LATEST = 20

export const wait = endpointsOf<LiveService>()({
  method: 'GET',
  path: '/api/emails/:address/wait',
  name: 'waitForEmail',
  tag: 'Emails',
  description:
    'Answers at once if a matching email exists, otherwise as soon as one arrives, otherwise with `email: null` after `timeout` seconds. Pass the id of the last email as `since` to wait for the next one. The email stays unread.',
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
    const { mailbox, activity } = service
    const ended = activity?.waits(inbox.address, wanted)
    const email = await waitForEmail(service.live, wanted, () =>
      order === 'oldest' ? mailbox.oldest(inbox, filter, after) : mailbox.latest(inbox, filter, after),
    )
    if (ended !== undefined) {
      const done = ({ emails }: Pick<Page, 'emails'>) => ended(email, emails)
      void mailbox.list(inbox, { limit: LATEST }).then(done, () => done({ emails: [] }))
    }
    return json({ success: true, email: email && summary(email), ...(order && { order }) })
  },
})
