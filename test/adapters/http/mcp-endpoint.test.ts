import { describe, expect, test } from '@jest/globals'
import * as v from 'valibot'
import { type CallEndpoint, type McpHandler, mcp } from '../../../adapters/http/endpoints/mcp.ts'
import { Problem } from '../../../core/errors.ts'
import { ask, CLIENT, endpointOf } from './ask.ts'

const NumberQuery = v.object({ limit: v.optional(v.number()) })

const SERVICE = { apiKeyService: { authenticate: async () => ({ key: {} }) } }

describe('the endpoint of the Model Context Protocol', () => {
  /** Posts to the endpoint. */
  const post = (
    handler: McpHandler,
    { inner = [], headers = {}, body = '{}' }: { inner?: object[]; headers?: object; body?: string } = {},
  ) =>
    ask(SERVICE, [mcp(inner as never, async () => handler)], '/mcp', {
      method: 'POST',
      headers: { Authorization: 'Bearer k', ...headers },
      body,
    })

  test('passes the body and the headers of the protocol to its library, and no others', async () => {
    const requests: { method: string; url: string; headers: object; body: string }[] = []
    const handler: McpHandler = async (request) => {
      const { method, url } = request
      requests.push({ method, url, headers: Object.fromEntries(request.headers), body: await request.text() })
      return Response.json({})
    }
    const headers = { 'Mcp-Method': 'a', 'Mcp-Session-Id': 'b', Accept: 'text/html', Cookie: 'c' }
    await post(handler, { headers, body: '{"jsonrpc":"2.0"}' })
    await post(handler, { headers: { 'Content-Type': 'application/json' } })
    const common = { method: 'POST', url: 'http://mayfly.invalid/mcp' }
    const type = 'text/plain;charset=UTF-8'
    expect(requests).toEqual([
      {
        ...common,
        headers: { 'content-type': type, 'mcp-method': 'a', 'mcp-session-id': 'b', accept: 'text/html' },
        body: '{"jsonrpc":"2.0"}',
      },
      // Without Accept, any type is accepted.
      {
        ...common,
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: '{}',
      },
    ])
  })

  test('loads its library once', async () => {
    let loads = 0
    const endpoint = mcp([], async () => {
      loads++
      return async () => Response.json({})
    })
    const init = { method: 'POST', headers: { Authorization: 'Bearer k' }, body: '{}' }
    for (let n = 0; n < 2; n++) await ask(SERVICE, [endpoint], '/mcp', init)
    expect(loads).toBe(1)
  })

  test.each(['[', ' \n\t[]'])('rejects an array (%j), which would count as one request', async (body) => {
    const handler = async () => Response.json({})
    expect(await post(handler, { body })).toMatchObject({ status: 400, body: { code: 'invalid_body' } })
    expect((await post(handler, { body: `{"a":${body}` })).status).toBe(200)
  })

  describe('a tool call', () => {
    /** Makes one call, and returns its result or error, and the answer to the client. */
    async function called(inner: object[], ...call: Parameters<CallEndpoint>) {
      let result: unknown
      const answer = await post(
        async (_request, callEndpoint) => {
          result = await callEndpoint(...call).catch((error: unknown) => error)
          return Response.json('the protocol’s own answer')
        },
        { inner, headers: { 'X-Domain-Key': 'd', 'X-Request-Id': 'r1' } },
      )
      return { result, status: answer.status, body: answer.body }
    }

    test('calls the endpoint for the same client, without its headers but for the domain key', async () => {
      const path = '/api/x/:id'
      const inner = endpointOf({ path, access: 'api key', query: NumberQuery }, async ({ head, param }) => ({
        id: param('id'),
        path: head.path,
        method: head.method,
        query: head.query.toString(),
        keys: ['X-Domain-Key', 'Authorization', 'X-Request-Id'].map((name) => head.header(name) ?? null),
        caller: [head.client, head.requestId, head.origin, head.signal.aborted],
        body: await head.text(),
      }))
      const { result } = await called([inner], 'GET', path, { id: 'a/ü' }, { limit: 1, from: undefined })
      expect(result).toEqual({
        id: 'a/ü',
        path: '/api/x/a%2F%C3%BC',
        method: 'GET',
        query: 'limit=1',
        keys: ['d', null, null],
        caller: [CLIENT, 'r1', 'http://localhost', false],
        body: '',
      })
      expect((await called([endpointOf({ path: '/api/y' })], 'GET', '/api/y')).result).toEqual({})
    })

    test('of an endpoint that the host does not have is a refusal', async () => {
      const { result } = await called([endpointOf({ method: 'DELETE' })], 'GET', '/api/x')
      expect((result as Error).message).toMatch(/^not_found: /)
    })

    const failing = (error: unknown) =>
      endpointOf({}, () => {
        throw error
      })

    test('that is rejected gets the problem, and answers by itself', async () => {
      const refusal = new Problem('email_not_found', 'x')
      expect(await called([failing(refusal)], 'GET', '/api/x')).toEqual({
        result: refusal,
        status: 200,
        body: 'the protocol’s own answer',
      })
    })

    test('that meets an internal error is a 500 that contains nothing of the error', async () => {
      const { status, body } = await called([failing(new Error('SQLITE_CORRUPT'))], 'GET', '/api/x')
      expect([status, body.code]).toEqual([500, 'internal_error'])
      expect(JSON.stringify(body)).not.toContain('SQLITE')
    })
  })
})
