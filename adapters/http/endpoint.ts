import type { Context } from 'hono'
import type * as v from 'valibot'
import type { ApiKey, Domain } from '../../core/access/ports.ts'
import type { ProblemCode } from '../../core/errors.ts'
import type { Address } from '../../core/mail/address.ts'

/** Where an inbox endpoint takes the key of a private domain from. */
export type DomainKeySource = 'header' | 'query' | 'header or query'

export interface Answer {
  description: string
  /** JSON, unless `type` says otherwise. */
  schema?: v.GenericSchema
  type?: string
}

/** What an endpoint's handler is given: a request that has passed every check that the endpoint declares. */
export interface Call<S, Q> {
  c: Context
  service: S
  /** The client's network (core/client.ts). */
  client: string
  query: Q
  /** A path parameter, percent-decoded once. */
  param(name: string): string
  /** For an endpoint with `inbox`. */
  inbox: Address & { registration: Domain }
  /** For an endpoint with `access: 'api key'`. */
  key: ApiKey
  requestId: string
}

type QuerySchema = v.ObjectSchema<v.ObjectEntries, undefined>

/**
 * One endpoint, declared: the router, the checks before the handler, and the OpenAPI document are all made of
 * this one description.
 */
export interface Endpoint<S, Q extends QuerySchema = QuerySchema> {
  method: 'GET' | 'POST' | 'DELETE'
  /** Path with `:parameters`. */
  path: string
  /** The operation's name in the OpenAPI document. */
  name: string
  summary: string
  access: 'public' | 'api key'
  /** The path's `:address` must be on a registered domain, whose key is taken from here if it is private. */
  inbox?: DomainKeySource
  query: Q
  /** For endpoints that take a body. */
  body?: v.GenericSchema
  answers: Record<number, Answer>
  /** Refusals beside those that `access`, `inbox`, `query` and `body` imply. */
  problems: ProblemCode[]
  handle(call: Call<S, v.InferOutput<Q>>): Response | Promise<Response>
}

/** Declares an endpoint with its query's type known to its handler. */
export function endpoint<S, Q extends QuerySchema>(declaration: Endpoint<S, Q>): Endpoint<S> {
  return declaration as unknown as Endpoint<S>
}
