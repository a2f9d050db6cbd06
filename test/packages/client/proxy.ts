import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listening } from '../../support/http-server.ts'

export interface TestProxy {
  url: string
  /** The requests so far, for example `GET /api/info`. */
  requests: string[]
  close(): Promise<void>
}

interface Behaviour {
  /** Changes the URL of a request to the service. */
  rewrite?(url: URL): void
  /** Answers in place of the service if it returns true. */
  answer?(response: ServerResponse, path: string, request: IncomingMessage): boolean | Promise<boolean>
}

/** Forwards requests to a service and records them. */
export async function startProxy(target: string, { rewrite, answer }: Behaviour = {}): Promise<TestProxy> {
  const requests: string[] = []
  const server = createServer(async (request, response) => {
    const path = request.url ?? '/'
    requests.push(`${request.method} ${path}`)
    if (await answer?.(response, path, request)) return
    const url = new URL(path, target)
    rewrite?.(url)
    const headers: Record<string, string> = {}
    for (const name of ['x-api-key', 'x-domain-key', 'last-event-id', 'content-type']) {
      const value = request.headers[name]
      if (typeof value === 'string') headers[name] = value
    }
    const ended = new AbortController()
    response.once('close', () => ended.abort())
    try {
      const body = request.method === 'POST' ? Buffer.concat(await request.toArray()) : null
      const init = { method: request.method ?? 'GET', headers, body, signal: ended.signal }
      const forwarded = await fetch(url, init)
      const type = forwarded.headers.get('Content-Type') ?? ''
      response.writeHead(forwarded.status, { 'Content-Type': type })
      for await (const chunk of forwarded.body ?? []) response.write(chunk)
      response.end()
    } catch {
      response.destroy()
    }
  })
  const { url, close } = await listening(server)
  return { url, requests, close }
}

/**
 * Starts a server that answers every request itself, for faults that the service does not produce.
 */
export async function startStub(
  answer: (response: ServerResponse, path: string, request: IncomingMessage) => unknown,
): Promise<TestProxy> {
  return startProxy('http://127.0.0.1:9', {
    answer: async (response, path, request) => {
      await answer(response, path, request)
      return true
    },
  })
}

/** Answers with a problem of the API. */
export function refuse(
  response: ServerResponse,
  status: number,
  code: string,
  headers: Record<string, string> = {},
  detail = 'Detail.',
): void {
  response.writeHead(status, { ...headers, 'Content-Type': 'application/problem+json' })
  response.end(JSON.stringify({ code, title: 'Title', detail, status }))
}

export function sendJson(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'Content-Type': 'application/json' })
  response.end(JSON.stringify({ success: true, ...body }))
}
