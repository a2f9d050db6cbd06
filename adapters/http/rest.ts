import { randomInt } from 'node:crypto'
import type { Domain } from '../../core/access/ports.ts'
import { Problem } from '../../core/errors.ts'
import {
  API_KEY_REQUESTS_PER_MINUTE,
  API_KEYS_PER_CLIENT_PER_DAY,
  MINUTE_MS,
  SECOND_MS,
} from '../../core/limits.ts'
import { type Endpoint, endpoint } from './endpoint.ts'
import { readFilter } from './filter.ts'
import { handOver, wholeEmail } from './handover.ts'
import { bodyBrokenOff } from './problem.ts'
import * as schemas from './schemas.ts'
import type { Service } from './service.ts'
import { parse } from './validate.ts'

/** The endpoints that answer at once; numbers and letters are those of the contract. */

const json = (description: string, schema: (typeof schemas)[keyof typeof schemas]) =>
  ({ 200: { description, schema } }) as Endpoint<Service>['answers']

// 1
const randomUsername = endpoint<Service, typeof schemas.NoQuery>({
  method: 'GET',
  path: '/api/random-username',
  name: 'randomUsername',
  summary: 'A username that nobody else was given',
  access: 'public',
  query: schemas.NoQuery,
  answers: json('A username', schemas.UsernameAnswer),
  problems: [],
  handle: async ({ c, service }) => c.json({ username: await service.usernames.take() }),
})

// 2
const listDomains = endpoint<Service, typeof schemas.NoQuery>({
  method: 'GET',
  path: '/api/domains',
  name: 'listDomains',
  summary: 'All verified domains',
  access: 'public',
  query: schemas.NoQuery,
  answers: json('Sorted by name', schemas.DomainsAnswer),
  problems: [],
  handle: async ({ c, service }) =>
    c.json({ success: true, domains: (await service.domainService.verified()).map(listed) }),
})

// 3
const randomDomain = endpoint<Service, typeof schemas.NoQuery>({
  method: 'GET',
  path: '/api/domains/random',
  name: 'randomDomain',
  summary: 'The public verified domains in random order',
  access: 'public',
  query: schemas.NoQuery,
  answers: json('`domain` is the first one’s name', schemas.RandomDomainAnswer),
  problems: ['domain_not_found'],
  handle: async ({ c, service }) => {
    const domains = (await service.domainService.verified())
      .filter((domain) => domain.key_hash === null)
      .map(listed)
    shuffle(domains)
    if (domains[0] === undefined)
      throw new Problem('domain_not_found', 'No public domain is registered here.')
    return c.json({ success: true, domain: domains[0].domain, domains })
  },
})

// 4
const verifyDomain = endpoint<Service, typeof schemas.NoQuery>({
  method: 'GET',
  path: '/api/domain/verify/:domain',
  name: 'verifyDomain',
  summary: 'Checks the DNS records of a domain, and registers it if its MX record points here',
  access: 'public',
  query: schemas.NoQuery,
  answers: json('What DNS says, and what is still wanted', schemas.VerificationAnswer),
  problems: ['invalid_domain', 'rate_limited', 'domain_quota_exceeded', 'dns_unavailable'],
  handle: async ({ c, service, client, param }) => {
    const caller = { client, key: c.req.header('X-Domain-Key') }
    return c.json({ success: true, ...(await service.verifier.verify(param('domain'), caller)) })
  },
})

const inboxOf = (
  declaration: Pick<Endpoint<Service>, 'path' | 'name' | 'summary' | 'access' | 'inbox'>,
): Endpoint<Service> =>
  endpoint<Service, typeof schemas.InboxQuery>({
    ...declaration,
    method: 'GET',
    query: schemas.InboxQuery,
    answers: json('Newest first', schemas.InboxAnswer),
    problems: [],
    handle: async ({ c, service, inbox, query }) => {
      const { filter, after } = readFilter(query)
      const request = { limit: query.limit, before: query.cursor, after, filter }
      const { emails, next } = await service.mailbox.list(inbox, request)
      return c.json({ success: true, address: inbox.address, emails, next_cursor: next ?? null })
    },
  })

// 5
const publicInbox = inboxOf({
  path: '/api/public/emails/:address',
  name: 'publicInbox',
  summary: 'The emails of an address, without an API key',
  access: 'public',
  inbox: 'header or query',
})

// 9
const inbox = inboxOf({
  path: '/api/emails/:address',
  name: 'inbox',
  summary: 'The emails of an address',
  access: 'api key',
  inbox: 'header',
})

// 10
const latest = endpoint<Service, typeof schemas.FilterQuery>({
  method: 'GET',
  path: '/api/emails/:address/latest',
  name: 'latestEmail',
  summary: 'The newest email, or null',
  access: 'api key',
  inbox: 'header',
  query: schemas.FilterQuery,
  answers: json('Does not mark as read', schemas.MaybeEmailAnswer),
  problems: [],
  handle: async ({ c, service, inbox, query }) => {
    const { filter, after } = readFilter(query)
    return c.json({ success: true, email: await service.mailbox.latest(inbox, filter, after) })
  },
})

// 11
const readEmail = endpoint<Service, typeof schemas.NoQuery>({
  method: 'GET',
  path: '/api/emails/:address/:id',
  name: 'readEmail',
  summary: 'One email whole; marks it as read',
  access: 'api key',
  inbox: 'header',
  query: schemas.NoQuery,
  answers: json('The email', schemas.WholeEmailAnswer),
  problems: ['email_not_found'],
  handle: async ({ service, inbox, param }) => wholeEmail(await service.mailbox.read(inbox, param('id'))),
})

// 12
const deleteEmail = endpoint<Service, typeof schemas.NoQuery>({
  method: 'DELETE',
  path: '/api/emails/:address/:id',
  name: 'deleteEmail',
  summary: 'Deletes an email and its attachments for good',
  access: 'api key',
  inbox: 'header',
  query: schemas.NoQuery,
  answers: json('It is gone', schemas.DeletedAnswer),
  problems: ['email_not_found'],
  handle: async ({ c, service, inbox, param }) => {
    await service.mailbox.remove(inbox, param('id'))
    return c.json({ success: true, id: param('id') })
  },
})

// b
const clearInbox = endpoint<Service, typeof schemas.NoQuery>({
  method: 'DELETE',
  path: '/api/emails/:address',
  name: 'clearInbox',
  summary: 'Deletes every email of an address',
  access: 'api key',
  inbox: 'header',
  query: schemas.NoQuery,
  answers: json('How many there were', schemas.ClearedAnswer),
  problems: [],
  handle: async ({ c, service, inbox }) =>
    c.json({ success: true, deleted: await service.mailbox.removeAll(inbox) }),
})

const bytesOr302 = (description: string, type: string): Endpoint<Service>['answers'] => ({
  200: { description, type },
  302: { description: 'The bytes are at the Location, for some minutes' },
})

// c
const rawMessage = endpoint<Service, typeof schemas.NoQuery>({
  method: 'GET',
  path: '/api/emails/:address/:id/raw',
  name: 'rawMessage',
  summary: 'The message as it was received',
  access: 'api key',
  inbox: 'header',
  query: schemas.NoQuery,
  answers: bytesOr302('The message', 'message/rfc822'),
  problems: ['email_not_found'],
  handle: async ({ service, inbox, param }) => handOver(await service.mailbox.raw(inbox, param('id'))),
})

// d
const attachment = endpoint<Service, typeof schemas.NoQuery>({
  method: 'GET',
  path: '/api/emails/:address/:id/attachments/:n',
  name: 'attachment',
  summary: 'One attachment',
  access: 'api key',
  inbox: 'header',
  query: schemas.NoQuery,
  answers: bytesOr302('The attachment, under its own content type', '*/*'),
  problems: ['email_not_found', 'attachment_not_found'],
  handle: async ({ service, inbox, param }) =>
    handOver(await service.mailbox.attachment(inbox, param('id'), param('n'))),
})

// e
const keyQuota = endpoint<Service, typeof schemas.NoQuery>({
  method: 'GET',
  path: '/api/keys',
  name: 'keyQuota',
  summary: 'How many API keys this client can still have today',
  access: 'public',
  query: schemas.NoQuery,
  answers: json('The quota', schemas.QuotaAnswer),
  problems: [],
  handle: async ({ c, service, client }) => {
    const { remaining, resets_at } = await service.apiKeyService.quota(client)
    return c.json({
      success: true,
      limit: API_KEYS_PER_CLIENT_PER_DAY,
      remaining,
      resets_at: new Date(resets_at).toISOString(),
    })
  },
})

// f
const newKey = endpoint<Service, typeof schemas.NoQuery>({
  method: 'POST',
  path: '/api/keys',
  name: 'newKey',
  summary: 'A new API key, shown this once',
  access: 'public',
  query: schemas.NoQuery,
  body: schemas.NewKeyBody,
  answers: { 201: { description: 'The key', schema: schemas.NewKeyAnswer } },
  problems: ['key_quota_exceeded'],
  handle: async ({ c, service, client }) => {
    const { purpose } = await readBody(c.req.raw, schemas.NewKeyBody)
    const { key, record, remaining } = await service.apiKeyService.issue(client, purpose)
    const answer = {
      success: true,
      key,
      ...keyFields(record),
      rate_limit: { limit: API_KEY_REQUESTS_PER_MINUTE, window_seconds: MINUTE_MS / SECOND_MS },
      remaining,
    }
    return c.json(answer, 201)
  },
})

// g
const currentKey = endpoint<Service, typeof schemas.NoQuery>({
  method: 'GET',
  path: '/api/keys/current',
  name: 'currentKey',
  summary: 'What is known of the API key that is sent',
  access: 'api key',
  query: schemas.NoQuery,
  answers: json('The key', schemas.KeyAnswer),
  problems: [],
  handle: ({ c, key }) => c.json({ success: true, ...keyFields(key) }),
})

const revokeKey = endpoint<Service, typeof schemas.NoQuery>({
  method: 'DELETE',
  path: '/api/keys/current',
  name: 'revokeKey',
  summary: 'Revokes the API key that is sent',
  access: 'api key',
  query: schemas.NoQuery,
  answers: json('The key is no longer valid', schemas.DoneAnswer),
  problems: [],
  handle: async ({ c, service, key }) => {
    await service.apiKeyService.revoke(key)
    return c.json({ success: true })
  },
})

// h
const health = endpoint<Service, typeof schemas.NoQuery>({
  method: 'GET',
  path: '/api/health',
  name: 'health',
  summary: 'Whether the service and its store answer',
  access: 'public',
  query: schemas.NoQuery,
  answers: json('They do', schemas.HealthAnswer),
  problems: ['unavailable'],
  handle: async ({ c, service }) => {
    await service.check().catch((cause: unknown) => {
      throw new Problem('unavailable', 'The store does not answer. Try again shortly.', {
        retryAfter: 5,
        cause,
      })
    })
    return c.json({ success: true, status: 'ok' })
  },
})

// i
/** The document describes `endpoints` and itself; the library that makes it is loaded when it is first wanted. */
export function openApi(endpoints: Endpoint<never>[]): Endpoint<Service> {
  let document: Promise<unknown> | undefined
  const self: Endpoint<Service> = endpoint<Service, typeof schemas.NoQuery>({
    method: 'GET',
    path: '/api/openapi.json',
    name: 'openApi',
    summary: 'This document',
    access: 'public',
    query: schemas.NoQuery,
    answers: { 200: { description: 'OpenAPI 3.1', type: 'application/json' } },
    problems: [],
    handle: async ({ c }) => {
      document ??= import('./openapi.ts').then((module) => module.openApiDocument([...endpoints, self]))
      return c.json((await document) as object)
    },
  })
  return self
}

/** Order matters where two paths fit: `latest` and `current` are no ids. */
export const REST_ENDPOINTS: Endpoint<Service>[] = [
  randomUsername,
  listDomains,
  randomDomain,
  verifyDomain,
  publicInbox,
  inbox,
  clearInbox,
  latest,
  readEmail,
  deleteEmail,
  rawMessage,
  attachment,
  keyQuota,
  newKey,
  currentKey,
  revokeKey,
  health,
]

function listed({ name, key_hash }: Domain) {
  return { domain: name, status: 'verified', private: key_hash !== null }
}

function keyFields(key: { purpose: string; created_at: number; expires_at: number }) {
  return {
    purpose: key.purpose,
    created_at: new Date(key.created_at).toISOString(),
    expires_at: new Date(key.expires_at).toISOString(),
  }
}

/** Fisher-Yates. */
function shuffle<T>(items: T[]): void {
  for (let i = items.length - 1; i > 0; i--) {
    const j = randomInt(i + 1)
    ;[items[i], items[j]] = [items[j]!, items[i]!]
  }
}

/** A JSON body, or `{}` for none. @throws Problem `invalid_body` */
async function readBody(request: Request, schema: typeof schemas.NewKeyBody) {
  const text = await request.text().catch((error: unknown) => {
    throw bodyBrokenOff(error)
  })
  let input: unknown = {}
  try {
    if (text !== '') input = JSON.parse(text)
  } catch {
    throw new Problem('invalid_body', 'Send no body at all, or a JSON object.')
  }
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new Problem('invalid_body', 'Send no body at all, or a JSON object.')
  }
  return parse(schema, input, 'invalid_body')
}
