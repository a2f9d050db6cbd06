import { isIP } from 'node:net'
import { EDGE_HEADERS } from '../aws/env.ts'
import type { OriginSecret } from './origin-secret.ts'

/** The caller of a request, as CloudFront describes it. */
export interface Caller {
  /** IP address. */
  address: string
  /** The path as the caller sent it, percent-encoded. */
  path: string | undefined
  /** The host as the caller sent it. */
  host: string | undefined
}

type Header = (name: string) => string | undefined

/**
 * Returns the caller of a request that came through CloudFront; undefined for any other request,
 * which must be refused: without the secret, these headers can come from anyone.
 */
export function callerOf(header: Header, secret: OriginSecret): Caller | undefined {
  if (!secret.accepts(header(EDGE_HEADERS.secret))) return undefined
  const address = addressOf(header(EDGE_HEADERS.viewer) ?? '')
  if (address === undefined) return undefined
  return { address, path: header(EDGE_HEADERS.path), host: header(EDGE_HEADERS.host) }
}

/**
 * Returns `198.51.100.10:46532` without its port. CloudFront sends an IPv6 address without brackets
 * too (docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/adding-cloudfront-headers.html).
 */
function addressOf(viewer: string): string | undefined {
  const address = viewer.slice(0, Math.max(viewer.lastIndexOf(':'), 0)).replace(/^\[(.*)\]$/, '$1')
  return isIP(address) === 0 ? undefined : address
}

/** Returns the answer to a request that bypasses CloudFront; no caller of the API receives it. */
export function refusal(requestId: string): Response {
  const problem = {
    type: '/problems/wrong_door',
    title: 'This is not the address of the service',
    status: 403,
    detail: 'Send requests to the base URL of the service.',
    code: 'wrong_door',
    success: false,
    request_id: requestId,
  }
  return new Response(JSON.stringify(problem), {
    status: 403,
    headers: {
      'Content-Type': 'application/problem+json',
      'Cache-Control': 'no-store',
      'X-Request-Id': requestId,
    },
  })
}
