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
  /** For an answer that is written past the app: what `corsHeaders` gives. */
  cors: Record<string, string>
  /** Aborted when the client has left, also if that was before this property was read. */
  readonly signal: AbortSignal
  /** The body. Rejects when it does not come in whole. */
  text(): Promise<string>
  node?: NodeBindings
}
