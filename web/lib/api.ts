import type { InferOutput } from 'valibot'
import type { Domain } from '../../adapters/http/wire/access.ts'
import type { InfoAnswer } from '../../adapters/http/wire/info.ts'
import type * as linkCheck from '../../adapters/http/wire/link-check.ts'
import type { ActionLink, Attachment, Email, Person, WholeEmail } from '../../packages/client/src/wire.ts'
import { BASE_PATH } from './base.ts'
import { problemOf, unreachable } from './problem.ts'

export type { ActionLink, Attachment, Email, Person, WholeEmail }

export type Info = InferOutput<typeof InfoAnswer>
/** What the service found when it requested a link. */
export type CheckedLink = InferOutput<typeof linkCheck.CheckedLink>
export type ListedDomain = InferOutput<typeof Domain>

export interface Credentials {
  apiKey?: string | undefined
  domainKey?: string | undefined
}

export interface RequestOptions extends Credentials {
  method?: 'GET' | 'POST' | 'DELETE'
  body?: unknown
  signal?: AbortSignal | undefined
  /** Lets the request finish although the page is closed. */
  keepalive?: boolean
}

/** Sends a request to the service. @throws ApiProblem */
export async function send(path: string, options: RequestOptions = {}): Promise<Response> {
  const headers = new Headers()
  if (options.apiKey) headers.set('X-API-Key', options.apiKey)
  if (options.domainKey) headers.set('X-Domain-Key', options.domainKey)
  const init: RequestInit = {
    method: options.method ?? 'GET',
    headers,
    keepalive: options.keepalive ?? false,
    signal: options.signal ?? null,
  }
  if (options.body !== undefined) {
    headers.set('Content-Type', 'application/json')
    init.body = JSON.stringify(options.body)
  }
  let response: Response
  try {
    response = await fetch(BASE_PATH + path, init)
  } catch {
    throw unreachable()
  }
  if (!response.ok) throw await problemOf(response)
  return response
}

/** Sends a request and returns the JSON of the answer. @throws ApiProblem */
export async function ask<T>(path: string, options?: RequestOptions): Promise<T> {
  const response = await send(path, options)
  try {
    return await response.json()
  } catch {
    // The connection broke, or a proxy between this page and the service answered with something else.
    throw unreachable()
  }
}

/** The API path of an address, percent-encoded as one segment. */
export function inboxPath(address: string, rest = ''): string {
  return `/api/emails/${encodeURIComponent(address)}${rest}`
}

export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1)
}
