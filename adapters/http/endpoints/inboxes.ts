import type { Page } from '../../../core/inbox/ports.ts'
import { LIST_BYTES, LIST_READ_BYTES, SUMMARY_TEXT_BYTES } from '../../../core/limits.ts'
import { answers, json, jsonText } from '../answer.ts'
import { type Access, type DomainKeySource, type Endpoint, endpoint } from '../endpoint.ts'
import { readFilter } from '../filter.ts'
import { ClearedAnswer, InboxAnswer, MarkedAnswer, MaybeEmailAnswer, summary } from '../wire/email.ts'
import { FilterQuery, InboxQuery } from '../wire/requests.ts'

function list<A extends Access, I extends DomainKeySource>(
  declaration: Pick<Endpoint, 'path' | 'name' | 'summary' | 'isKeyless'> & { access: A; inbox: I },
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
      // More is read only if the answer leaves out much of it.
      const readBytes = query.text_limit < SUMMARY_TEXT_BYTES ? LIST_READ_BYTES : LIST_BYTES
      const page = await service.mailbox.list(inbox, request, readBytes)
      return pageOf(inbox.address, page, query.text_limit)
    },
  })
}

/** A page as JSON, of as many of its emails as fit into LIST_BYTES, and of one at least. */
function pageOf(address: string, { emails, next }: Page, textLimit: number): Response {
  const pieces: string[] = []
  let bytes = 0
  for (const email of emails) {
    const piece = JSON.stringify(summary(email, textLimit))
    bytes += Buffer.byteLength(piece) + 1
    if (pieces.length > 0 && bytes > LIST_BYTES) break
    pieces.push(piece)
  }
  const isWhole = pieces.length === emails.length
  const cursor = isWhole ? next : emails[pieces.length - 1]?.id
  const head = JSON.stringify({ success: true, address }).slice(0, -1)
  return jsonText(`${head},"emails":[${pieces.join()}],"next_cursor":${JSON.stringify(cursor ?? null)}}`)
}

// 5
export const publicInbox = list({
  path: '/api/public/emails/:address',
  name: 'publicInbox',
  summary: 'The emails of an address, without an API key',
  access: 'public',
  isKeyless: true,
  inbox: 'header or query',
})

// 9
export const inbox = list({
  path: '/api/emails/:address',
  name: 'inbox',
  summary: 'The emails of an address',
  access: 'api key',
  inbox: 'header',
})

// 10
export const latest = endpoint({
  method: 'GET',
  path: '/api/emails/:address/latest',
  name: 'latestEmail',
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

// m
export const readInbox = endpoint({
  method: 'POST',
  path: '/api/emails/:address/read',
  name: 'readInbox',
  summary: 'Marks every email of an address as read',
  access: 'api key',
  inbox: 'header',
  answers: answers('How many were unread', MarkedAnswer),
  handle: async ({ service, inbox }) =>
    json({ success: true, marked: await service.mailbox.markAllRead(inbox) }),
})

// b
export const clearInbox = endpoint({
  method: 'DELETE',
  path: '/api/emails/:address',
  name: 'clearInbox',
  summary: 'Deletes every email of an address',
  access: 'api key',
  inbox: 'header',
  answers: answers('How many there were', ClearedAnswer),
  handle: async ({ service, inbox }) =>
    json({ success: true, deleted: await service.mailbox.removeAll(inbox) }),
})
