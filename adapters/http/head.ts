import type { IncomingMessage, ServerResponse } from 'node:http'

/** Node's own request and response, where the host is a Node server. */
export interface NodeBindings {
  incoming: IncomingMessage
  outgoing: ServerResponse
}

/** A request as the checks and the handlers see it, from either parser. */
export interface RequestHead {
  method: string
  /** Percent-encoded, as it was sent. */
  path: string
  /** Scheme and host that it was sent to. */
  origin: string
  query: URLSearchParams
  header(name: string): string | undefined
  /** The client's network (core/access/client.ts): what quotas count by. */
  client: string
  requestId: string
  /** The result of `corsHeaders`, for an answer that bypasses the app. */
  cors: Record<string, string>
  /**
   * Aborted when the client has disconnected, even if that was before the first read of this
   * property.
   */
  readonly signal: AbortSignal
  /** The body. Rejects if it is not received completely. */
  text(): Promise<string>
  node?: NodeBindings
}
