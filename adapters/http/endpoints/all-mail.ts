import { ALL_MAIL } from '../../../core/events/follower.ts'
import { waitForEmail } from '../../../core/events/wait.ts'
import type { AllMailbox } from '../../../core/inbox/all-mailbox.ts'
import type { RefusedMail } from '../../../core/inbox/refusals.ts'
import { SECOND_MS } from '../../../core/limits.ts'
import { answers, json } from '../answer.ts'
import { emailsAnswer, readBytes } from '../emails-answer.ts'
import { type Endpoint, endpointsOf } from '../endpoint.ts'
import { readFilter } from '../filter.ts'
import type { LiveService } from '../service.ts'
import { AllMailAnswer, ClearedAnswer, MaybeEmailAnswer, summary, WaitAnswer } from '../wire/email.ts'
import { RefusalsAnswer, refusalOf } from '../wire/refusals.ts'
import { FilterQuery, InboxQuery, StreamQuery, WaitQuery } from '../wire/requests.ts'
import { openStream, STREAM } from './streams.ts'

/** A host that serves the mail of all addresses to its operator. */
export interface AllMailService extends LiveService {
  allMailbox: AllMailbox
  /** The latest refusals of SMTP and the send APIs, newest first. */
  refusals(): Promise<RefusedMail[]>
}

const endpoint = endpointsOf<AllMailService>()

const allMail = endpoint({
  method: 'GET',
  path: '/api/emails',
  name: 'allMail',
  tag: 'All mail',
  description:
    'Returns the emails of all addresses, private domains included, newest first, a page at a time. Each email names its `address`.',
  summary: 'The emails of all addresses',
  access: 'operator',
  isLarge: true,
  query: InboxQuery,
  answers: answers('Newest first', AllMailAnswer),
  handle: async ({ service, query }) => {
    const { filter, after } = readFilter(query)
    const request = { limit: query.limit, before: query.cursor, after, filter }
    const page = await service.allMailbox.list(request, readBytes(query.text_limit))
    return emailsAnswer({}, page, query.text_limit)
  },
})

const latestOfAll = endpoint({
  method: 'GET',
  path: '/api/emails/latest',
  name: 'latestOfAllMail',
  tag: 'All mail',
  description:
    'Returns the newest email of all addresses that matches the filters, or null if there is none. It stays unread.',
  summary: 'The newest email of all addresses, or null',
  access: 'operator',
  query: FilterQuery,
  answers: answers('Does not mark as read', MaybeEmailAnswer),
  handle: async ({ service, query }) => {
    const { filter, after } = readFilter(query)
    const email = await service.allMailbox.latest(filter, after)
    return json({ success: true, email: email && summary(email) })
  },
})

const waitForAny = endpoint({
  method: 'GET',
  path: '/api/emails/wait',
  name: 'waitForAnyEmail',
  tag: 'All mail',
  description:
    'Answers at once if a matching email of any address exists, otherwise as soon as one arrives, otherwise with `email: null` after `timeout` seconds. The email stays unread.',
  summary: 'The newest (or oldest) matching email of all addresses, or the next one; null after the time-out',
  access: 'operator',
  query: WaitQuery,
  answers: answers('Does not mark as read', WaitAnswer),
  problems: ['too_many_streams'],
  handle: async ({ service: { live, allMailbox }, head, query }) => {
    const { filter, after } = readFilter(query)
    const { order, timeout } = query
    const oldest = order === 'oldest'
    const email = await waitForEmail(
      live,
      {
        topic: ALL_MAIL,
        filter,
        after,
        oldest,
        client: head.client,
        timeoutMs: timeout * SECOND_MS,
        signal: head.signal,
      },
      () => (oldest ? allMailbox.oldest(filter, after) : allMailbox.latest(filter, after)),
    )
    return json({ success: true, email: email && summary(email), ...(order && { order }) })
  },
})

const clearAll = endpoint({
  method: 'DELETE',
  path: '/api/emails',
  name: 'clearAllMail',
  tag: 'All mail',
  description:
    'Deletes every email that matches the filters and existed when the request came. Without a filter it deletes all mail of the service.',
  summary: 'Deletes every email that matches; without a filter, the mail of all addresses',
  access: 'operator',
  query: FilterQuery,
  answers: answers('How many there were', ClearedAnswer),
  handle: async ({ service, query }) => {
    const { filter, after } = readFilter(query)
    return json({ success: true, deleted: await service.allMailbox.removeAll(filter, after) })
  },
})

const allMailStream = endpoint({
  method: 'GET',
  path: '/api/sse',
  name: 'allMailStream',
  tag: 'All mail',
  description:
    'Server-Sent Events for the emails of all addresses. The first event is `connected`; each email is a message with its id, so a client that reconnects with `Last-Event-ID` misses nothing.',
  summary: 'New emails of all addresses as they arrive, and on request other changes of them',
  access: 'operator',
  query: StreamQuery,
  headers: ['Last-Event-ID'],
  answers: STREAM,
  problems: ['too_many_streams'],
  handle: (call) => openStream(call, ALL_MAIL),
})

const refusals = endpoint({
  method: 'GET',
  path: '/api/refusals',
  name: 'refusals',
  tag: 'All mail',
  description:
    'Returns the last 200 recipients and messages that SMTP or a send API refused, with the reply that the sender received. They are kept in memory, and end with the process.',
  summary: 'The latest recipients and messages that SMTP or a send API refused',
  access: 'operator',
  answers: answers('Newest first', RefusalsAnswer),
  handle: async ({ service }) => json({ success: true, refusals: (await service.refusals()).map(refusalOf) }),
})

/** They come before the endpoints of one address, because `latest` is no address. */
export const ALL_MAIL_ENDPOINTS: Endpoint<AllMailService>[] = [
  allMail,
  latestOfAll,
  waitForAny,
  clearAll,
  allMailStream,
  refusals,
]
