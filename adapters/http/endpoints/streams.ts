import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type * as v from 'valibot'
import { Problem } from '../../../core/errors.ts'
import type { EventType, Topic } from '../../../core/events/follower.ts'
import { isUlid } from '../../../core/ulid.ts'
import { isFollowed } from '../connections.ts'
import { type Call, type Endpoint, endpointsOf, type Inbox } from '../endpoint.ts'
import { EventStream } from '../event-stream.ts'
import type { RequestHead } from '../head.ts'
import { answerHeaders } from '../headers.ts'
import type { LiveService } from '../service.ts'
import { AddressStreamQuery, KeyedStreamQuery, type StreamQuery } from '../wire/requests.ts'

const endpoint = endpointsOf<LiveService>()

type StreamInput = v.InferOutput<typeof StreamQuery>

export const STREAM: Endpoint['answers'] = {
  200: {
    description:
      'A stream of `new-email` events, or of those that `events` names, comma-separated: `new-email`, ' +
      '`email-read`, `email-deleted`, `inbox-cleared`. Of these only new emails have an id and are replayed',
    types: ['text/event-stream'],
    example:
      'retry: 2000\nevent: connected\nid: 01M84WWW9H36WCNK6VY98FDKBA\ndata: {}\n\n' +
      'id: 01M84WWWZ3J1M5Q8C2V7T4N6XG\n' +
      'data: {"type":"new-email","domain":"example.com","email":{"id":"01M84WWWZ3J1M5Q8C2V7T4N6XG"}}\n\n',
  },
}

export const addressStream = endpoint({
  method: 'GET',
  path: '/api/sse/:address',
  isKeyless: true,
  name: 'addressStream',
  tag: 'Streams',
  description:
    'Server-Sent Events for the emails of an address, and of those that `also` names. The first event is `connected`; each email is a message with its id, so a client that reconnects with `Last-Event-ID` misses nothing.',
  summary: 'New emails of one or several addresses as they arrive, and on request other changes of them',
  access: 'public',
  inbox: 'query',
  query: AddressStreamQuery,
  headers: ['Last-Event-ID'],
  answers: STREAM,
  problems: ['too_many_streams'],
  handle: async (call) => openCovered(call, await followed(call)),
})

export const domainsStream = endpoint({
  method: 'GET',
  path: '/api/user-dashboard/sse',
  isKeyless: true,
  name: 'domainsStream',
  tag: 'Streams',
  description:
    'Server-Sent Events for the emails of every domain that was opened with this domain key. If the key of a domain changes, the stream ends.',
  summary: 'The same for every domain that has the domain key',
  access: 'public',
  query: KeyedStreamQuery,
  headers: ['Last-Event-ID'],
  answers: STREAM,
  problems: ['domain_key_missing', 'domain_key_invalid', 'rate_limited', 'too_many_streams'],
  handle: async (call) =>
    openCovered(call, await call.service.domainService.covered(call.query.key, call.head.client)),
})

/**
 * The addresses of the stream and their domains, each address checked as if it were alone.
 * @throws Problem
 */
async function followed({
  service,
  head,
  inbox,
  query,
}: Call<LiveService, { also: string[] }> & { inbox: Inbox }): Promise<Topic> {
  const addresses = new Set([inbox.address])
  const domains = new Map([[inbox.domain, inbox.registration]])
  for (const text of query.also) {
    const { address, domain } = await service.domainService.address(text)
    addresses.add(address)
    if (domains.has(domain)) continue
    const key = head.query.get('key') ?? undefined
    domains.set(domain, await service.domainService.open(domain, key, head.client))
  }
  return { addresses: [...addresses], domains: [...domains.values()] }
}

/**
 * Opens a stream when later changes of its topic arrive in this process.
 * @throws Problem `too_many_streams`, `unavailable`
 */
async function openCovered(call: Call<LiveService, StreamInput>, topic: Topic): Promise<Response> {
  const covering = call.head.method === 'HEAD' ? undefined : call.service.live.cover(topic)
  if (covering !== undefined) await covering
  return openStream(call, topic)
}

/** Opens a stream of the topic. @throws Problem `too_many_streams` */
export function openStream(call: Call<LiveService, StreamInput>, topic: Topic): Response {
  const { head, service } = call
  const after = lastEventId(head, call.query)
  if (head.method === 'HEAD') return new Response(null, { headers: { 'Content-Type': 'text/event-stream' } })
  // Only a Node server has streams.
  const { outgoing } = head.node!
  // The client may have left while the checks ran; then no further event reports it.
  if (outgoing.socket === null || outgoing.destroyed) return RESPONSE_ALREADY_SENT
  const stream = new EventStream(outgoing)
  // No answer can follow a stream on its connection, so the stream ends when another request
  // arrives.
  const giveWay = () => outgoing.end()
  if (isFollowed(outgoing.socket, giveWay)) {
    throw new Problem('too_many_streams', 'Send no further request on the connection of a stream.')
  }
  const startId = after === undefined ? service.live.startId(topic) : undefined
  const { domains } = topic
  const checkStillOpen = async () => {
    await Promise.all(domains.map((domain) => service.domainService.checkStillOpen(domain)))
  }
  const unfollow = service.live.follow(
    { topic, after, startId, events: eventsOf(call.query.events), client: head.client, checkStillOpen },
    stream,
  )
  outgoing.on('close', () => {
    unfollow()
    stream.closed()
  })
  // A change between the check and the subscription was published before this stream subscribed.
  Promise.all(domains.map((domain) => service.domainService.checkFollowed(domain))).catch(() => {
    unfollow()
    stream.end('access changed')
  })
  stream.start(answerHeaders(head.requestId, head.cors), after ?? startId!)
  return RESPONSE_ALREADY_SENT
}

/**
 * The sets of event types that were requested so far: there are few, and thousands of streams share
 * each.
 */
const eventSets = new Map<string, ReadonlySet<EventType>>()

function eventsOf(list: string): ReadonlySet<EventType> | undefined {
  if (list === 'new-email') return undefined
  const sorted = [...new Set(list.split(','))].sort().join()
  const events = eventSets.get(sorted) ?? new Set(sorted.split(',') as EventType[])
  eventSets.set(sorted, events)
  return events
}

/**
 * The last event that the client received. A reconnecting EventSource sends the header, and its
 * polyfills `lastEventId`, so these are newer than what the page's own URL says.
 */
function lastEventId(head: RequestHead, query: StreamInput): string | undefined {
  const header = head.header('Last-Event-ID')
  if (header === undefined || header === '') return query.lastEventId ?? query.last_event_id
  if (!isUlid(header)) throw new Problem('invalid_query', 'The header Last-Event-ID must be an email id.')
  return header
}
