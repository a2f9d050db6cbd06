import type { ServerResponse } from 'node:http'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context } from 'hono'
import { Problem } from '../../core/errors.ts'
import type { Topic } from '../../core/events/live.ts'
import { SECOND_MS } from '../../core/limits.ts'
import { isUlid } from '../../core/ulid.ts'
import { type Call, type Endpoint, endpoint } from './endpoint.ts'
import { EventStream, KEEP_ALIVE_PERIOD_MS } from './event-stream.ts'
import { readFilter } from './filter.ts'
import { CORS_HEADERS, commonHeaders } from './headers.ts'
import { KeepAlive } from './keep-alive.ts'
import * as schemas from './schemas.ts'
import type { LiveService } from './service.ts'

/** The endpoints that go on: they need a Node server and the announcements of the store. */

const keepAlive = new KeepAlive(KEEP_ALIVE_PERIOD_MS, 12)

const STREAM: Endpoint<LiveService>['answers'] = {
  200: { description: 'A stream of `new-email` events', type: 'text/event-stream' },
}

// 6, 7
const addressStream = endpoint<LiveService, typeof schemas.StreamQuery>({
  method: 'GET',
  path: '/api/sse/:address',
  name: 'addressStream',
  summary: 'New emails of an address, as they arrive',
  access: 'public',
  inbox: 'query',
  query: schemas.StreamQuery,
  answers: STREAM,
  problems: ['too_many_streams'],
  handle: (call) => openStream(call, { address: call.inbox.address, domain: call.inbox.registration }),
})

// 8
const domainsStream = endpoint<LiveService, typeof schemas.KeyedStreamQuery>({
  method: 'GET',
  path: '/api/user-dashboard/sse',
  name: 'domainsStream',
  summary: 'New emails of every domain that has the domain key',
  access: 'public',
  query: schemas.KeyedStreamQuery,
  answers: STREAM,
  problems: ['domain_key_missing', 'domain_key_invalid', 'rate_limited', 'too_many_streams'],
  handle: async (call) =>
    openStream(call, await call.service.domainService.covered(call.query.key, call.client)),
})

// a
const waitForEmail = endpoint<LiveService, typeof schemas.WaitQuery>({
  method: 'GET',
  path: '/api/emails/:address/wait',
  name: 'waitForEmail',
  summary: 'The newest matching email, or the next one to arrive; null after the time-out',
  access: 'api key',
  inbox: 'header',
  query: schemas.WaitQuery,
  answers: { 200: { description: 'Does not mark as read', schema: schemas.MaybeEmailAnswer } },
  problems: ['too_many_streams'],
  handle: async ({ c, service, client, inbox, query }) => {
    const { filter, after } = readFilter(query)
    const email = await service.live.wait(
      { address: inbox.address, domain: inbox.registration },
      { filter, after },
      { client, timeoutMs: query.timeout * SECOND_MS, signal: c.req.raw.signal },
      () => service.mailbox.latest(inbox, filter, after),
    )
    return c.json({ success: true, email })
  },
})

/** `wait` stands before the REST endpoints, for it is no id. */
export const LIVE_ENDPOINTS: Endpoint<LiveService>[] = [addressStream, domainsStream, waitForEmail]

function openStream(call: Call<LiveService, { last_event_id?: string }>, topic: Topic): Response {
  const { c, service, client, requestId } = call
  const after = lastEventId(c, call.query.last_event_id)
  if (c.req.method === 'HEAD') return new Response(null, { headers: { 'Content-Type': 'text/event-stream' } })
  const response = (c.env as { outgoing: ServerResponse }).outgoing
  const stream = new EventStream(response, keepAlive)
  const startId = after === undefined ? service.live.now() : undefined
  const unfollow = service.live.follow({ topic, after, client }, stream)
  response.once('close', () => {
    unfollow()
    stream.closed()
  })
  const domains = 'address' in topic ? [topic.domain] : topic.domains
  // What changed between the check and the subscription was announced to nobody here.
  Promise.all(domains.map((domain) => service.domainService.checkStillOpen(domain))).catch(() => {
    unfollow()
    stream.end('access changed')
  })
  stream.start({ ...commonHeaders(requestId), ...CORS_HEADERS }, startId)
  return RESPONSE_ALREADY_SENT
}

/** What the client saw last. The header is what a reconnecting EventSource sends, so it is the newer one. */
function lastEventId(c: Context, query: string | undefined): string | undefined {
  const header = c.req.header('Last-Event-ID')
  if (header === undefined || header === '') return query
  if (!isUlid(header)) throw new Problem('invalid_query', 'The header Last-Event-ID must be an email id.')
  return header
}
