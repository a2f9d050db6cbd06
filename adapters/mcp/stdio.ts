import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Rest } from './rest.ts'
import { createMcpServer } from './server.ts'

/** MCP on standard input and output, until the client closes them. */
export function mcpOverStdio(version: string, rest: Rest): void {
  serveStdio(() => createMcpServer(version, rest))
}
