import type { Authenticated, RateWindow } from '../../core/access/api-keys.ts'
import type { ApiKey } from '../../core/access/ports.ts'
import { Problem } from '../../core/errors.ts'
import { refuseBody, refuseBodyOfGet } from './body.ts'
import type { Call, DomainKeySource, Endpoint, Inbox } from './endpoint.ts'
import type { RequestHead } from './head.ts'
import { sessionTokenIn, takesPageSession } from './page-session.ts'
import { isSent } from './sent.ts'
import type { Service } from './service.ts'
import { parseQuery } from './validate.ts'

/**
 * Answers a request that passes the checks of its endpoint.
 * @param counted see `admit`
 * @throws Problem
 */
export async function answerTo<S extends Service>(
  service: S,
  endpoint: Endpoint<S>,
  head: RequestHead,
  counted: (rate: RateWindow) => void,
): Promise<Response> {
  const call = await admit(service, endpoint, head, counted)
  const answer = await endpoint.handle(call)
  // Access may have changed before the handler read the store.
  if (call.inbox !== undefined && !isSent(answer)) {
    await service.domainService.checkStillOpen(call.inbox.registration)
  }
  return answer
}

/**
 * Runs every check that an endpoint declares. Authentication comes first, so that a caller without
 * a key learns neither which addresses exist nor which queries are valid.
 *
 * @param counted receives the key's rate window, also when the request is refused for it
 * @throws Problem
 */
async function admit<S extends Service>(
  service: S,
  endpoint: Endpoint<S>,
  head: RequestHead,
  counted: (rate: RateWindow) => void,
): Promise<Call<S, unknown>> {
  const param = pathParameters(endpoint.path, head.path)
  const call: Call<S, unknown> = { service, head, param, query: undefined }
  if (endpoint.isKeyless && !isOperator(service, head)) service.keylessRate.admit(head.client)
  if (endpoint.access !== 'public') {
    const isForOperator = endpoint.access === 'operator'
    const credential = credentialOf(service, endpoint, head)
    call.key = authenticate(await (isForOperator ? credential.catch(adviseOperator) : credential), counted)
    if (isForOperator) refuseStranger(service, head, call.key)
  }
  if (endpoint.inbox !== undefined) call.inbox = await openInbox(service, head, param, endpoint.inbox)
  const isKeyInQuery = endpoint.inbox === 'query' || endpoint.inbox === 'header or query'
  call.query = parseQuery(endpoint.query, head.query, isKeyInQuery ? ['key'] : [])
  const parameters = Object.keys(endpoint.query.entries)
  if (endpoint.method === 'GET') refuseBodyOfGet(head, parameters)
  else if (endpoint.body === undefined) await refuseBody(head, parameters)
  return call
}

function bearerIn(head: RequestHead): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(head.header('Authorization') ?? '')?.[1]
}

/** No limit applies to the operator, who may send the key where none is needed. */
function isOperator(service: Service, head: RequestHead): boolean {
  const key = head.header('X-API-Key')
  return key !== undefined && service.apiKeyService.isOperatorKey(key)
}

/**
 * The caller by its API key or, where the endpoint takes one and no key is sent, by its page
 * session.
 */
function credentialOf(
  service: Service,
  endpoint: Endpoint<never>,
  head: RequestHead,
): Promise<Authenticated> {
  const { access } = endpoint
  const key = access === 'bearer' ? bearerIn(head) : head.header('X-API-Key')
  const session = key === undefined && takesPageSession(endpoint, service) ? sessionTokenIn(head) : undefined
  return session === undefined
    ? service.apiKeyService.authenticate(key)
    : service.pageSessions.authenticate(session, head.client)
}

function authenticate({ key, rate, admitted }: Authenticated, counted: (rate: RateWindow) => void): ApiKey {
  if (rate === undefined) return key
  counted(rate)
  if (admitted) return key
  throw new Problem('rate_limited', `A key has ${rate.limit} requests a minute. Wait for the next minute.`, {
    retryAfter: rate.reset,
  })
}

/** A free key, which the advice about keys offers, would be refused here. */
function adviseOperator(error: unknown): never {
  if (!(error instanceof Problem)) throw error
  throw new Problem(error.code, error.detail, { adviceOf: 'operator_key_required' })
}

/** A page session was accepted only where it is the operator's. */
function refuseStranger({ apiKeyService }: Service, head: RequestHead, key: ApiKey): void {
  if (head.header('X-API-Key') === undefined || apiKeyService.isOperator(key)) return
  throw new Problem('operator_key_required', 'A key that anyone can get does not open all mail.')
}

async function openInbox(
  service: Service,
  head: RequestHead,
  param: (name: string) => string,
  source: DomainKeySource,
): Promise<Inbox> {
  const { address, domain } = await service.domainService.address(param('address'))
  const registration = await service.domainService.open(domain, keyOf(head, source), head.client)
  return { address, domain, registration }
}

function keyOf(head: RequestHead, source: DomainKeySource): string | undefined {
  const header = source === 'query' ? undefined : head.header('X-Domain-Key')
  return header ?? (source === 'header' ? undefined : (head.query.get('key') ?? undefined))
}

/**
 * Returns the parameters of a path, percent-decoded exactly once: `%2540` is `%40`, and `%2F` in an
 * address is a part of it.
 * @throws Problem `invalid_address`, `invalid_domain` or `invalid_query` for a malformed encoding
 */
function pathParameters(pattern: string, path: string): (name: string) => string {
  const segments = path.split('/')
  const positions = pattern.split('/')
  return (name) => {
    try {
      return decodeURIComponent(segments[positions.indexOf(`:${name}`)]!)
    } catch {
      const code =
        name === 'address' ? 'invalid_address' : name === 'domain' ? 'invalid_domain' : 'invalid_query'
      throw new Problem(code, `The path parameter "${name}" is not percent-encoded UTF-8.`)
    }
  }
}
