import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernHttp,
} from '@modelcontextprotocol/client'
import { StdioClientTransport as ModernStdio } from '@modelcontextprotocol/client/stdio'
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as LegacyStdio } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as LegacyHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

/** The methods of an official client that the tests use, for any version of the protocol. */
export interface McpClient {
  tools(): Promise<{ name: string; annotations?: object; inputSchema: object; outputSchema?: object }[]>
  call(name: string, input: object): Promise<Result>
  /** How the server introduces itself. */
  server(): { name: string; title?: string; version: string } | undefined
  instructions(): string | undefined
  /** The protocol version that client and server have negotiated. */
  version(): string | undefined
  close(): Promise<void>
}

export interface Result {
  isError?: boolean
  content: { type: string; text: string }[]
  structuredContent?: Record<string, unknown>
}

export type Target =
  | { url: string; headers: Record<string, string> }
  | { command: string; args: string[]; env: Record<string, string> }

const INFO = { name: 'test', version: '1' }

export const CLIENTS: Record<string, (target: Target) => Promise<McpClient>> = {
  'of 2026-07-28': async (target) => {
    // By default the client uses the protocol of 2025.
    const client = new ModernClient(INFO, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
    const transport =
      'url' in target
        ? new ModernHttp(new URL(target.url), { requestInit: { headers: target.headers } })
        : new ModernStdio(target)
    await client.connect(transport)
    return of(client, () => client.getNegotiatedProtocolVersion())
  },
  'of 2025': async (target) => {
    const client = new LegacyClient(INFO)
    const transport =
      'url' in target
        ? new LegacyHttp(new URL(target.url), { requestInit: { headers: target.headers } })
        : new LegacyStdio(target)
    await client.connect(transport as never)
    return of(client as never, () => undefined)
  },
}

function of(client: ModernClient, version: () => string | undefined): McpClient {
  return {
    tools: async () => (await client.listTools()).tools as never,
    call: async (name, input) =>
      (await client.callTool({ name, arguments: input as never })) as unknown as Result,
    server: () => client.getServerVersion(),
    instructions: () => client.getInstructions(),
    version,
    close: () => client.close(),
  }
}
