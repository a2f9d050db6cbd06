import { randomUUID } from 'node:crypto'
import { expect } from '@jest/globals'
import { type OpenStream, openStream } from '../support/event-source.ts'
import { eventually } from '../support/eventually.ts'
import type { Host } from './host.ts'

export const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/
export const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
export const CRLF = '\r\n'

// biome-ignore lint/suspicious/noExplicitAny: the tests read JSON of any shape
export type Json = any

export interface Answer {
  status: number
  headers: Headers
  body: Json
}

/** Sends requests to a running service of any kind, for the suites of its endpoints. */
export class Requests {
  readonly #host: () => Host
  readonly #streams: OpenStream[] = []
  #serial = 0

  /** @param host called for each request because the service starts after the tests are declared */
  constructor(host: () => Host) {
    this.#host = host
  }

  get host(): Host {
    return this.#host()
  }

  /** Returns a client address that no other test uses. */
  freshIp(): string {
    this.#serial++
    return `198.51.${Math.floor(this.#serial / 250)}.${1 + (this.#serial % 250)}`
  }

  async call(path: string, init: RequestInit = {}): Promise<Answer> {
    const response = await fetch(this.host.url + path, { redirect: 'manual', ...init })
    const text = await response.text()
    const isJson = init.method !== 'HEAD' && /json/.test(response.headers.get('content-type') ?? '')
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
  }

  async newKey(ip = this.freshIp()): Promise<string> {
    const { status, body } = await this.call('/api/keys', { method: 'POST', headers: this.host.from(ip) })
    expect(status).toBe(201)
    return body.key
  }

  /** Returns a caller with an API key that no other test uses. */
  async caller(extra: Record<string, string> = {}) {
    const headers = { 'X-API-Key': await this.newKey(), ...extra }
    return (path: string, init: RequestInit = {}) => this.call(path, { headers, ...init })
  }

  async stream(path: string, headers: Record<string, string> = {}): Promise<OpenStream> {
    const opened = await openStream(this.host.url + path, headers)
    this.#streams.push(opened)
    return opened
  }

  closeStreams(): void {
    for (const stream of this.#streams) stream.close()
  }

  /** Delivers a message, and returns its email as soon as the service lists it. */
  async deliver(address: string, raw: string | Buffer): Promise<Json> {
    const known = new Set((await this.inbox(address)).map((email) => email.id))
    await this.host.deliver(raw, [address])
    const isNew = ({ id }: Json) => !known.has(id)
    const emails = await eventually(
      `a new email of ${address}`,
      () => this.inbox(address),
      (seen) => seen.some(isNew),
    )
    return emails.find(isNew)
  }

  /** Reads the list at this path until it holds at least `count` emails, and returns them. */
  async emailsAt(path: string, count: number, headers: Record<string, string> = {}): Promise<Json[]> {
    const { body } = await eventually(
      `${count} emails at ${path}`,
      () => this.call(path, { headers }),
      (seen) => seen.body.emails?.length >= count,
    )
    return body.emails
  }

  async inbox(address: string): Promise<Json[]> {
    const path = `/api/public/emails/${encodeURIComponent(address)}?limit=100`
    return (await this.call(path, { headers: { 'X-Domain-Key': this.host.domainKey } })).body.emails
  }
}

/** The path of an address, or a path below it. */
export function at(address: string, rest = ''): string {
  return `/api/emails/${encodeURIComponent(address)}${rest}`
}

/** A raw message with this subject and text. */
export function plain(subject: string, text: string, headers: string[] = []): string {
  return [
    'From: Shop <shop@example.org>',
    'To: someone@example.net',
    `Subject: ${subject}`,
    `Message-ID: <${randomUUID()}@example.org>`,
    'Date: Sat, 21 Nov 2026 10:00:00 +0100',
    ...headers,
    'Content-Type: text/plain; charset=utf-8',
    '',
    text,
    '',
  ].join(CRLF)
}

/** Expects a problem with the common fields of all problems. */
export function expectProblem(answer: Answer, status: number, code: string): void {
  expect({ status: answer.status, code: answer.body.code }).toEqual({ status, code })
  expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/)
  expect(answer.body).toMatchObject({
    type: `/problems/${code}`,
    title: expect.any(String),
    status,
    detail: expect.any(String),
    success: false,
    request_id: answer.headers.get('x-request-id'),
  })
}

/**
 * Runs `work` until one run begins and ends in the same clock minute, because limits count by clock
 * minute. Each run needs a client of its own.
 */
export async function inOneMinute<T>(work: () => Promise<T>): Promise<T> {
  const minute = () => Math.floor(Date.now() / 60_000)
  for (let run = 0; run < 3; run++) {
    const began = minute()
    const result = await work()
    if (minute() === began) return result
  }
  throw new Error('none of three runs fitted into one clock minute')
}
