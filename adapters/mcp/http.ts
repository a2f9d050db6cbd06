import { createMcpHandler } from '@modelcontextprotocol/server'
import type { Rest } from './rest.ts'
import { createMcpServer } from './server.ts'

/**
 * MCP over HTTP, stateless, for clients of the specifications of 2026-07-28 and of 2025: answers
 * one POST.
 * @returns takes the request of an authenticated caller and the function by which the tools call
 *   endpoints for it
 */
export function mcpOverHttp(version: string): (request: Request, rest: Rest) => Promise<Response> {
  const handler = createMcpHandler(
    ({ authInfo }) => createMcpServer(version, authInfo!.extra!.rest as Rest),
    {
      legacy: 'stateless',
    },
  )
  return (request, rest) =>
    handler.fetch(request, { authInfo: { token: '', clientId: '', scopes: [], extra: { rest } } })
}
