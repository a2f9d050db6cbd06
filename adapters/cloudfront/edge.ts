import { isIP } from 'node:net'
import { EDGE_HEADERS } from '../aws/env.ts'
import type { OriginSecret } from './origin-secret.ts'

/** Who asks, as CloudFront says. */
export interface Caller {
  /** IP address. */
  address: string
  /** The path as it was sent, percent-encoded; undefined on the way to the stream service, which gets it as it is. */
  path: string | undefined
  /** The host that it was sent to. */
  host: string | undefined
}

type Header = (name: string) => string | undefined

/**
 * The caller of a request that came through CloudFront; undefined for any other request, which is to be refused.
 * Without the secret nothing that it says of itself is believed.
 */
export async function callerOf(header: Header, secret: OriginSecret): Promise<Caller | undefined> {
  return (await secret.accepts(header(EDGE_HEADERS.secret))) ? told(header) : undefined
}

/** The same at once; undefined too where the secret is newer than what was read of it. */
export function knownCallerOf(header: Header, secret: OriginSecret): Caller | undefined {
  return secret.isKnown(header(EDGE_HEADERS.secret)) ? told(header) : undefined
}

function told(header: Header): Caller | undefined {
  const address = addressOf(header(EDGE_HEADERS.viewer) ?? '')
  return address === undefined
    ? undefined
    : { address, path: header(EDGE_HEADERS.path), host: header(EDGE_HEADERS.host) }
}

/**
 * `198.51.100.10:46532` without its port. An IPv6 address is sent without brackets too
 * (docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/adding-cloudfront-headers.html).
 */
function addressOf(viewer: string): string | undefined {
  const address = viewer.slice(0, Math.max(viewer.lastIndexOf(':'), 0)).replace(/^\[(.*)\]$/, '$1')
  return isIP(address) === 0 ? undefined : address
}

/** The answer to whoever passes CloudFront by. It is none of the API's problems: no caller of the API meets it. */
export function refusal(requestId: string): Response {
  const problem = {
    type: '/problems/wrong_door',
    title: 'This is not the address of the service',
    status: 403,
    detail: 'Ask the service at its base URL.',
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
