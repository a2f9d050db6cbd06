import { isIP } from 'node:net'
import { Problem } from '../../core/errors.ts'

/**
 * Which browser origins may call the API, and which Host headers the service accepts. Every page
 * that is open in a browser can send requests to this machine and to its network: from the page's
 * own origin, or as the same origin if the page's host name resolves to this service (DNS
 * rebinding). No setting of MAYFLY_HOST tells that no browser is near: a container listens on all
 * of its addresses, and its port is published on the developer's loopback.
 */
export interface OriginPolicy {
  /** Whether a page of this origin may call the service at this Host. */
  allowsOrigin(origin: string, host: string | undefined): boolean
  /** Whether the service accepts this Host header; HTTP/1.0 has none. */
  allowsHost(host: string | undefined): boolean
  /** Whether pages of every origin may call. Then no response depends on the origin. */
  anyOrigin: boolean
}

/** Allows every origin. That is safe because no browser sends the headers with keys by itself. */
export const OPEN_ORIGIN_POLICY: OriginPolicy = {
  allowsOrigin: () => true,
  allowsHost: () => true,
  anyOrigin: true,
}

export interface OriginPolicyOptions {
  /** Origins whose pages may call besides the service's own, `*` for all; undefined for none. */
  origins: string[] | undefined
  /** Host names of the service: its MX host and the domains of its configuration. */
  names: string[]
  baseUrl: string | undefined
}

export function originPolicyOf({ origins = [], names, baseUrl }: OriginPolicyOptions): OriginPolicy {
  const anyOrigin = origins.includes('*')
  const own = baseUrl === undefined ? undefined : new URL(baseUrl)
  return {
    anyOrigin,
    allowsOrigin: (origin, host) =>
      anyOrigin || origin === own?.origin || origins.includes(origin) || isOriginOf(host, origin),
    allowsHost: (host) => {
      if (host === undefined) return true
      const name = nameOf(host)
      return name !== undefined && (isLocalName(name) || name === own?.hostname || names.includes(name))
    },
  }
}

/**
 * The refusal of a request for a foreign host, or from a page that may not call; undefined for
 * others. Both ways to a stream ask it, so that neither can forget a rule.
 */
export function misdirected(
  originPolicy: OriginPolicy,
  host: string | undefined,
  origin: string | undefined,
): Problem | undefined {
  if (!originPolicy.allowsHost(host)) {
    return new Problem(
      'misdirected_request',
      'This service has no such host name. It answers to IP addresses, names of one label, names below ' +
        '.localhost, .local, .internal, .test, .lan, .home.arpa and .cluster.local, MAYFLY_MX_HOST, ' +
        'MAYFLY_DOMAINS and the host of MAYFLY_BASE_URL.',
    )
  }
  if (origin !== undefined && !originPolicy.allowsOrigin(origin, host)) {
    return new Problem(
      'misdirected_request',
      'Pages of this origin may not call this service. MAYFLY_CORS_ORIGINS names the origins that may.',
    )
  }
  return undefined
}

/** Whether a page of this origin was loaded from this Host, by http or through a proxy by https. */
function isOriginOf(host: string | undefined, origin: string): boolean {
  if (host === undefined || !URL.canParse(origin)) return false
  const { protocol, host: own } = new URL(origin)
  const url = `${protocol}//${host}`
  return /^https?:$/.test(protocol) && URL.canParse(url) && new URL(url).host === own
}

/** Names that no public DNS server answers for (RFC 6761, RFC 6762, RFC 8375, ICANN's .internal). */
const NOT_PUBLIC = /\.(?:localhost|local|internal|test|lan|home\.arpa|cluster\.local)$/

/** Whether no stranger can make the name point to this machine: no public name server has it. */
function isLocalName(name: string): boolean {
  const address = name.replace(/^\[|\]$/g, '')
  return isIP(address) !== 0 || !name.includes('.') || NOT_PUBLIC.test(name)
}

/**
 * The name in a Host header (RFC 9110, section 7.2), without its port and final dot. Undefined for
 * text that no client sends.
 */
function nameOf(host: string): string | undefined {
  return /^(\[[\da-f:.]+\]|[\w-]+(?:\.[\w-]+)*)\.?(?::\d*)?$/.exec(host.toLowerCase())?.[1]
}
