import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
} from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Rest } from './rest.ts'
import { createMcpServer } from './server.ts'

/**
 * MCP on standard input and output. Resolves when the client has closed its end and every request
 * that was read is answered.
 */
export function mcpOverStdio(version: string, rest: Rest): Promise<void> {
  const transport = new AnsweringTransport()
  serveStdio(() => createMcpServer(version, rest), { transport })
  return transport.closed
}

/**
 * Closes only when every request that was read is answered. A script may end its input right after
 * its last request.
 */
class AnsweringTransport extends StdioServerTransport {
  readonly #closed = Promise.withResolvers<void>()
  readonly closed = this.#closed.promise
  /** The ids of the requests without an answer. */
  readonly #open = new Set<unknown>()
  #isEnding = false

  override async start(): Promise<void> {
    const receive = this.onmessage
    this.onmessage = (message) => {
      // A subscription gets its answer only when the server closes.
      if (isJSONRPCRequest(message) && message.method !== 'subscriptions/listen') this.#open.add(message.id)
      receive?.(message)
      // A request that is cancelled gets no answer.
      if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled') {
        this.#settle(message.params?.requestId)
      }
    }
    await super.start()
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    try {
      await super.send(message)
    } finally {
      if (isJSONRPCResponse(message)) this.#settle(message.id)
    }
  }

  override async close(): Promise<void> {
    this.#isEnding = true
    if (this.#open.size > 0) return
    await super.close()
    this.#closed.resolve()
  }

  #settle(id: unknown): void {
    this.#open.delete(id)
    if (this.#isEnding) void this.close()
  }
}
