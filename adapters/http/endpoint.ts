import type * as v from 'valibot'
import type { ApiKey, Domain } from '../../core/access/ports.ts'
import type { Address } from '../../core/address.ts'
import type { ProblemCode } from '../../core/errors.ts'
import type { RequestHead } from './head.ts'
import type { HeaderName } from './openapi/headers.ts'
import type { Tag } from './openapi/tags.ts'
import type { Service } from './service.ts'
import { NoQuery } from './wire/requests.ts'

/** Where an inbox endpoint reads the key of a private domain. */
export type DomainKeySource = 'header' | 'query' | 'header or query'

/**
 * An API key is sent as X-API-Key; `bearer`: as `Authorization: Bearer`, since clients of MCP know
 * no other. `operator`: an operator's key, or the page session of a service that only programs of
 * this machine can call.
 */
export type Access = 'public' | 'api key' | 'bearer' | 'operator'

export interface Answer {
  description: string
  /** Of an answer in JSON. */
  schema?: v.GenericSchema
  /** Media types other than JSON of a schema; without both, the answer has no body. */
  types?: string[]
  /** Of an answer that is not JSON. */
  example?: string
  /** In addition to those that all answers with its status have. */
  headers?: HeaderName[]
}

/** Request headers that endpoints read, in addition to those with keys. */
export type RequestHeader = 'Last-Event-ID' | 'Range'

export type Inbox = Pick<Address, 'address' | 'domain'> & { registration: Domain }

/**
 * The argument of an endpoint's handler: a request that has passed every check that the endpoint
 * declares.
 */
export interface Call<S, Q> {
  service: S
  head: RequestHead
  query: Q
  /** A path parameter, percent-decoded once. */
  param(name: string): string
  /** For an endpoint with `inbox`. */
  inbox?: Inbox
  /** For an endpoint whose access is not `public`. */
  key?: ApiKey
}

type QuerySchema = v.ObjectSchema<v.ObjectEntries, undefined>

/**
 * The declaration of one endpoint, from which the router, the checks and the OpenAPI document are
 * derived.
 */
export interface Endpoint<S = Service> {
  method: 'GET' | 'POST' | 'DELETE'
  /** Path with `:parameters`. */
  path: string
  /** The operation's name in the OpenAPI document. */
  name: string
  summary: string
  tag: Tag
  /** What a client may expect, in whole sentences. */
  description: string
  access: Access
  /**
   * The path's `:address` must be on a registered domain, whose key is taken from here if it is
   * private.
   */
  inbox?: DomainKeySource
  /** X-Domain-Key is read, though no `:address` is in the path. */
  domainKey?: true
  /**
   * Requests are counted by client address (KEYLESS_REQUESTS_PER_MINUTE), because they have no API
   * key.
   */
  isKeyless?: true
  /** Answers may have a megabyte, so few of them are produced at the same time. */
  isLarge?: true
  /** It changes something although it is a GET, so pages of other sites may not call it (CSRF). */
  changesState?: true
  query: QuerySchema
  headers?: RequestHeader[]
  /** For endpoints that take a body. */
  body?: v.GenericSchema
  answers: Record<number, Answer>
  /** Refusals in addition to those that `access`, `inbox`, `query` and `body` imply. */
  problems: ProblemCode[]
  handle(call: Call<S, unknown>): Response | Promise<Response>
}

type Declaration<S, Q extends QuerySchema, A extends Access, I extends DomainKeySource | undefined> = Omit<
  Endpoint<S>,
  'query' | 'problems' | 'access' | 'inbox' | 'handle'
> & {
  access: A
  inbox?: I
  /** None unless given. */
  query?: Q
  problems?: ProblemCode[]
  handle(
    call: Call<S, v.InferOutput<Q>> &
      (A extends 'api key' | 'bearer' | 'operator' ? { key: ApiKey } : unknown) &
      (I extends DomainKeySource ? { inbox: Inbox } : unknown),
  ): Response | Promise<Response>
}

/**
 * Returns the function that declares endpoints of a service. The types of a handler's call include
 * its query, and the key and inbox where the endpoint has them.
 */
export function endpointsOf<S>() {
  return <
    Q extends QuerySchema = typeof NoQuery,
    A extends Access = Access,
    I extends DomainKeySource | undefined = undefined,
  >(
    declaration: Declaration<S, Q, A, I>,
  ): Endpoint<S> =>
    // The checks of admit.ts guarantee what these types promise to a handler.
    ({ query: NoQuery, problems: [], ...declaration }) as unknown as Endpoint<S>
}

export const endpoint = endpointsOf<Service>()
