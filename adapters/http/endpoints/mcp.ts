import type { ApiKey } from '../../../core/access/ports.ts'
import { Problem } from '../../../core/errors.ts'
import { LIST_BYTES } from '../../../core/limits.ts'
import { answerTo } from '../admit.ts'
import { type Endpoint, endpointsOf } from '../endpoint.ts'
import type { RequestHead } from '../head.ts'
import { bodyBrokenOff } from '../problem.ts'
import type { Service } from '../service.ts'
import { McpAnswer, McpFailure, McpRequest } from '../wire/mcp.ts'
import { boundedJson } from './bounded-json.ts'

/** Bytes of an answer that are read: more than a list has, and than the tools show of an email. */
const ANSWER_BYTES = 2 * LIST_BYTES

type Query = Record<string, string | number | undefined>

/** Calls one of the endpoints for the same caller. @throws Problem */
export type CallEndpoint = (
  method: 'GET' | 'DELETE',
  path: string,
  parameters?: Record<string, string>,
  query?: Query,
) => Promise<unknown>

/** Answers a request of the protocol, whose tools call endpoints. */
export type McpHandler = (request: Request, call: CallEndpoint) => Promise<Response>

const ANSWERS: Endpoint['answers'] = {
  200: {
    description: 'The JSON-RPC answer, as JSON or as the one event of a stream',
    schema: McpAnswer,
    types: ['text/event-stream'],
  },
  202: { description: 'A notification, which has no answer' },
  400: { description: 'A message that is not valid', schema: McpFailure },
  404: { description: 'A method that does not exist', schema: McpFailure },
  406: {
    description: 'The client accepts neither `application/json` nor `text/event-stream`',
    schema: McpFailure,
  },
  415: { description: 'The content type is not `application/json`', schema: McpFailure },
}

/** The request headers that the protocol reads. */
const HEADERS = ['Accept', 'Content-Type', 'Mcp-Method', 'Mcp-Name', 'Mcp-Protocol-Version', 'Mcp-Session-Id']

/**
 * The Model Context Protocol. Its tools call `endpoints` for the caller that this endpoint has
 * admitted.
 * @param load loads the handler at the first request: its library takes longer to load than the
 *   service
 */
export function mcp<S extends Service>(
  endpoints: Endpoint<S>[],
  load: () => Promise<McpHandler>,
): Endpoint<S> {
  let handler: Promise<McpHandler> | undefined
  return endpointsOf<S>()({
    method: 'POST',
    path: '/mcp',
    name: 'mcp',
    tag: 'Agents',
    description:
      'One JSON-RPC message of the Model Context Protocol in each request; the server keeps no session. A call of a tool counts against the limit of the API key. `tools/list` names the tools.',
    summary: 'Model Context Protocol, stateless: tools for agents',
    access: 'bearer',
    domainKey: true,
    body: McpRequest,
    answers: ANSWERS,
    async handle({ service, head, key }) {
      handler ??= load()
      const body = await head.text().catch((error: unknown) => {
        throw bodyBrokenOff(error)
      })
      refuseBatch(body)
      const request = protocolRequest(head, body)
      let fault: unknown
      const answer = await (await handler)(request, async (...call) => {
        try {
          return await callEndpoint(service, endpoints, { head, key }, ...call)
        } catch (error) {
          if (!(error instanceof Problem)) fault = error
          throw error
        }
      })
      // The protocol would answer with the text of the fault, so the app answers as for any other
      // endpoint.
      if (fault !== undefined) throw fault
      return answer
    },
  })
}

/** Returns the request as the protocol's library takes it. */
function protocolRequest(head: RequestHead, body: string): Request {
  const headers = new Headers()
  for (const name of HEADERS) {
    const value = head.header(name)
    if (value !== undefined) headers.set(name, value)
  }
  // The library requires the names of both types and would refuse curl, which accepts any type.
  if (/\*\/\*/.test(headers.get('Accept') ?? '*/*'))
    headers.set('Accept', 'application/json, text/event-stream')
  return new Request('http://mayfly.invalid/mcp', { method: 'POST', headers, body, signal: head.signal })
}

/**
 * A batch would be counted as one request of its key, whatever it calls.
 * @throws Problem `invalid_body`
 */
function refuseBatch(body: string): void {
  if (!/^\s*\[/.test(body)) return
  throw new Problem('invalid_body', 'Send one JSON-RPC message in each request, not an array of them.')
}

async function callEndpoint<S extends Service>(
  service: S,
  endpoints: Endpoint<S>[],
  { head, key }: { head: RequestHead; key: ApiKey },
  method: string,
  path: string,
  parameters: Record<string, string> = {},
  query: Query = {},
): Promise<unknown> {
  const endpoint = endpoints.find((candidate) => candidate.method === method && candidate.path === path)
  if (endpoint === undefined) {
    throw new Problem('not_found', 'This service does not list the mail of all addresses. Pass an address.')
  }
  if (endpoint.access === 'operator' && !service.apiKeyService.isOperator(key)) {
    throw new Problem(
      'operator_key_required',
      'Pass an address: a key that anyone can get opens no other mail.',
    )
  }
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const inner: RequestHead = {
    method,
    path: path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(parameters[name]!)),
    query: new URLSearchParams(given.map(([name, value]) => [name, String(value)])),
    header: (name) => (name === 'X-Domain-Key' ? head.header(name) : undefined),
    origin: head.origin,
    client: head.client,
    requestId: head.requestId,
    cors: head.cors,
    signal: head.signal,
    text: async () => '',
  }
  // The request around this call has authenticated the key and counted one request of it.
  const response = await answerTo(service, { ...endpoint, access: 'public' }, inner, () => {})
  return boundedJson(response, ANSWER_BYTES)
}
