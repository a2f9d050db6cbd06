import type { McpHandler } from '../adapters/http/endpoints/mcp.ts'
import manifest from '../package.json' with { type: 'json' }

/** Loads MCP by its first request, because it would take half of the start. */
export async function loadMcp(): Promise<McpHandler> {
  const { mcpOverHttp } = await import('../adapters/mcp/http.ts')
  return mcpOverHttp(manifest.version)
}
