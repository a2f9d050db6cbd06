import type { ActionLink, Attachment, Email, WholeEmail } from '../../packages/client/src/wire.ts'
import { problemOf, unreachable } from './problem.ts'

export type { ActionLink, Attachment as FileOfMail, Email, WholeEmail }

export interface Info {
  smtp: { host: string; port: number } | null
  mx: string
  retention_hours: number
}

export interface ListedDomain {
  domain: string
  private: boolean
}

export interface Credentials {
  apiKey?: string | undefined
  domainKey?: string | undefined
}

interface Options extends Credentials {
  method?: 'GET' | 'POST' | 'DELETE'
  body?: unknown
  signal?: AbortSignal | undefined
  /** Goes on although the page is left. */
  keepalive?: boolean
}

/** Asks the service. @throws ApiProblem */
export async function send(path: string, options: Options = {}): Promise<Response> {
  const headers = new Headers()
  if (options.apiKey) headers.set('X-API-Key', options.apiKey)
  if (options.domainKey) headers.set('X-Domain-Key', options.domainKey)
  const init: RequestInit = {
    method: options.method ?? 'GET',
    headers,
    keepalive: options.keepalive ?? false,
  }
  if (options.signal) init.signal = options.signal
  if (options.body !== undefined) {
    headers.set('Content-Type', 'application/json')
    init.body = JSON.stringify(options.body)
  }
  let response: Response
  try {
    response = await fetch(path, init)
  } catch (error) {
    if (options.signal?.aborted) throw error
    throw unreachable()
  }
  if (!response.ok) throw await problemOf(response)
  return response
}

/** The JSON of an answer. @throws ApiProblem */
export async function ask<T>(path: string, options?: Options): Promise<T> {
  const response = await send(path, options)
  try {
    return await response.json()
  } catch {
    // It broke off, or something between this page and the service answered.
    throw unreachable()
  }
}

/** The path of an address, percent-encoded as one segment. */
export function inboxPath(address: string, rest = ''): string {
  return `/api/emails/${encodeURIComponent(address)}${rest}`
}
