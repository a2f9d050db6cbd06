import type * as v from 'valibot'
import { parseQuery as parseSearch } from '../../../adapters/catcher-apis/query.ts'
import { MessageView } from '../../../adapters/catcher-apis/view.ts'
import { readFilter } from '../../../adapters/http/filter.ts'
import { parse, parseBody, parseQuery } from '../../../adapters/http/validate.ts'
import * as requests from '../../../adapters/http/wire/requests.ts'
import { AddressWebhook, DomainWebhook } from '../../../adapters/http/wire/webhooks.ts'
import type { Email } from '../../../core/inbox/email.ts'
import { FILTER_NAMES, matches } from '../../../core/inbox/filter.ts'
import type { Run } from './measure.ts'
import type { Target } from './target.ts'

/** Emails that a search examines: one has to be found among them. */
const EMAILS = 20

const PERSON = { name: 'Ann', address: 'a@mayfly.test' }
const email: Email = {
  ...{ id: '01ARZ3NDEKTSV4RRFFQ69G5FAV', address: 'a@mayfly.test', receivedAt: 0, expiresAt: 1, read: false },
  ...{
    from: PERSON,
    to: [PERSON],
    cc: [],
    subject: 'Your code',
    codes: ['123456'],
    links: [],
    actionLink: null,
  },
  ...{ attachmentCount: 0, attachments: [], size: 2000, bodyTextTruncated: false },
  bodyText: 'Thank you for shopping with us. '.repeat(60),
}

const { InboxQuery, WaitQuery, FilterQuery, StreamQuery, AddressStreamQuery } = requests
const QUERIES = { InboxQuery, WaitQuery, FilterQuery, StreamQuery, AddressStreamQuery }
const BODIES = { ...requests, AddressWebhook, DomainWebhook }

/** Queries, bodies and searches of the HTTP interface and of the catcher APIs, as `kind text`. */
export async function queryTarget(): Promise<Target> {
  const query = (fields: (text: string) => [string, string][]) => (text: string) =>
    `query ${new URLSearchParams(fields(text))}`
  const body = (fields: (text: string) => object) => (text: string) => `body ${JSON.stringify(fields(text))}`
  return {
    frames: [
      (text) => `query ${text}`,
      (text) => `search ${text}`,
      (text) => `search ${text.replaceAll(/\s+/g, ' -')}`,
      ...[...FILTER_NAMES, 'since', 'cursor', 'limit', 'events', 'last_event_id'].map((name) =>
        query((text) => [[name, text]]),
      ),
      query((text) => [[text, 'x']]),
      query((text) => text.split(' ').map((also): [string, string] => ['also', also])),
      (text) => `body ${text}`,
      body((text) => ({ [text]: 'x' })),
      body((text) => ({ address: text, purpose: text })),
      body((text) => ({ url: text, address: text, events: [text], filter: { q: text } })),
    ],
    run,
    most: 12,
    // A request line and its header fields have 16 KB.
    sizes: [1_000, 4_000, 14_000],
    plain: (text) => `search ${text}`,
  }
}

const run: Run = async (request) => {
  const space = request.indexOf(' ')
  const [kind, text] = [request.slice(0, space), request.slice(space + 1)]
  if (kind === 'query') readQueries(new URLSearchParams(text))
  else if (kind === 'body') readBodies(text)
  else await search(text)
}

function readQueries(query: URLSearchParams): void {
  for (const schema of Object.values(QUERIES)) {
    const read = quiet(() => parseQuery(schema, query))
    const filter = read && quiet(() => readFilter(read as object))
    if (filter) for (let n = 0; n < EMAILS; n++) matches(email, filter.filter)
  }
}

function readBodies(text: string): void {
  const input = quiet(() => JSON.parse(text) as unknown)
  if (typeof input !== 'object' || input === null) return
  for (const schema of Object.values(BODIES)) {
    if (typeof schema !== 'object' || !('entries' in schema)) continue
    quiet(() => parseBody(schema as never, input))
    quiet(() => parse(schema as v.GenericSchema, input, 'invalid_body'))
  }
}

async function search(text: string): Promise<void> {
  const query = quiet(() => parseSearch(text, 'UTC'))
  if (query === undefined) return
  for (let n = 0; n < EMAILS; n++) {
    const view = new MessageView({ messageId: 'x', read: false, copies: [email] } as never, noBlobs)
    await query.matches(view).catch(() => {})
  }
}

const noBlobs = { open: async () => undefined } as never

function quiet<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
