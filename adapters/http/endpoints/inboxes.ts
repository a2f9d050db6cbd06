import { answers, json } from '../answer.ts'
import { emailsAnswer, readBytes } from '../emails-answer.ts'
import { type Access, type DomainKeySource, type Endpoint, endpoint } from '../endpoint.ts'
import { readFilter } from '../filter.ts'
import { ClearedAnswer, InboxAnswer, MarkedAnswer, MaybeEmailAnswer, summary } from '../wire/email.ts'
import { FilterQuery, InboxQuery } from '../wire/requests.ts'

function list<A extends Access, I extends DomainKeySource>(
  declaration: Pick<Endpoint, 'path' | 'name' | 'summary' | 'tag' | 'description' | 'isKeyless'> & {
    access: A
    inbox: I
  },
): Endpoint {
  return endpoint({
    ...declaration,
    method: 'GET',
    isLarge: true,
    inbox: declaration.inbox as DomainKeySource,
    query: InboxQuery,
    answers: answers('Newest first', InboxAnswer),
    handle: async ({ service, inbox, query }) => {
      const { filter, after } = readFilter(query)
      const request = { limit: query.limit, before: query.cursor, after, filter }
      const page = await service.mailbox.list(inbox, request, readBytes(query.text_limit))
      return emailsAnswer({ address: inbox.address }, page, query.text_limit)
    },
  })
}

export const publicInbox = list({
  path: '/api/public/emails/:address',
  name: 'publicInbox',
  tag: 'Emails',
  description:
    'Returns the emails of an address, newest first, a page at a time. An address of a registered domain without mail is an empty inbox, not an error. Anyone can read a public address, so use a private domain for what matters.',
  summary: 'The emails of an address, without an API key',
  access: 'public',
  isKeyless: true,
  inbox: 'header or query',
})

export const inbox = list({
  path: '/api/emails/:address',
  name: 'inbox',
  tag: 'Emails',
  description:
    'Returns the emails of an address, newest first, a page at a time. `next_cursor` continues, and is null at the end. Emails that are listed stay unread.',
  summary: 'The emails of an address',
  access: 'api key',
  inbox: 'header',
})

export const latest = endpoint({
  method: 'GET',
  path: '/api/emails/:address/latest',
  name: 'latestEmail',
  tag: 'Emails',
  description:
    'Returns the newest email that matches the filters, or null if there is none yet. It stays unread. Use `waitForEmail` to wait for one instead of asking repeatedly.',
  summary: 'The newest email, or null',
  access: 'api key',
  inbox: 'header',
  query: FilterQuery,
  answers: answers('Does not mark as read', MaybeEmailAnswer),
  handle: async ({ service, inbox, query }) => {
    const { filter, after } = readFilter(query)
    const email = await service.mailbox.latest(inbox, filter, after)
    return json({ success: true, email: email && summary(email) })
  },
})

export const readInbox = endpoint({
  method: 'POST',
  path: '/api/emails/:address/read',
  name: 'readInbox',
  tag: 'Emails',
  description: 'Marks every email of the address as read.',
  summary: 'Marks every email of an address as read',
  access: 'api key',
  inbox: 'header',
  answers: answers('How many were unread', MarkedAnswer),
  handle: async ({ service, inbox }) =>
    json({ success: true, marked: await service.mailbox.markAllRead(inbox) }),
})

export const clearInbox = endpoint({
  method: 'DELETE',
  path: '/api/emails/:address',
  name: 'clearInbox',
  tag: 'Emails',
  description:
    'Deletes every email of the address with its raw message and attachments. They cannot be restored.',
  summary: 'Deletes every email of an address',
  access: 'api key',
  inbox: 'header',
  answers: answers('How many there were', ClearedAnswer),
  handle: async ({ service, inbox }) =>
    json({ success: true, deleted: await service.mailbox.removeAll(inbox) }),
})
