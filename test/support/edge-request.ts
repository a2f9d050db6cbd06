import type { HttpApiResult } from '../../adapters/apigateway/http-api.ts'
import { EDGE_HEADERS } from '../../adapters/aws/env.ts'

export type HttpHandler = (event: object) => Promise<HttpApiResult>

/** The secret with which CloudFront proves where a request came from, in tests of one handler. */
export const EDGE_SECRET = 'origin-secret'

/** An id as an HTTP API makes it. */
export const GATEWAY_REQUEST_ID = 'JKJaXmPLvHcESHA='

export interface EdgeRequest {
  method?: string
  path: string
  headers?: Record<string, string>
  /** Sent as JSON. */
  sent?: object | undefined
}

/**
 * Calls a handler with the event that API Gateway makes of a request through CloudFront, and returns
 * the status and the JSON of the answer.
 */
export async function askThroughEdge(handler: HttpHandler, request: EdgeRequest) {
  const { statusCode, body, isBase64Encoded } = await handler(edgeEvent(request))
  const text = isBase64Encoded ? Buffer.from(body, 'base64').toString() : body
  return { statusCode, answer: JSON.parse(text) }
}

/** The event that API Gateway makes of a request through CloudFront. */
export function edgeEvent({ method = 'GET', path, headers, sent }: EdgeRequest): object {
  return {
    rawPath: path,
    rawQueryString: '',
    headers: {
      [EDGE_HEADERS.secret]: EDGE_SECRET,
      [EDGE_HEADERS.viewer]: '192.0.2.1:50000',
      [EDGE_HEADERS.path]: path,
      ...headers,
    },
    isBase64Encoded: false,
    requestContext: { requestId: GATEWAY_REQUEST_ID, http: { method } },
    ...(sent && { body: JSON.stringify(sent) }),
  }
}
