import type { Email } from '../../core/inbox/email.ts'
import type { Attachment, Bodies, Detail } from '../../core/mail/message.ts'
import { problemOf, unreachable } from './problem.ts'

export type { Email }

export interface FileOfMail extends Attachment {
  url: string
}

export interface WholeEmail extends Email, Omit<Detail, 'attachments'>, Bodies {
  attachments: FileOfMail[]
  raw_url: string
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
}

/** Asks the service. @throws ApiProblem */
export async function send(path: string, options: Options = {}): Promise<Response> {
  const headers = new Headers()
  if (options.apiKey) headers.set('X-API-Key', options.apiKey)
  if (options.domainKey) headers.set('X-Domain-Key', options.domainKey)
  const init: RequestInit = { method: options.method ?? 'GET', headers }
  if (options.body !== undefined) {
    headers.set('Content-Type', 'application/json')
    init.body = JSON.stringify(options.body)
  }
  let response: Response
  try {
    response = await fetch(path, init)
  } catch {
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
