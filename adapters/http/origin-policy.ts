/**
 * Which browser origins may call the API, and which Host headers the service accepts. A service on
 * loopback needs both checks, because every page in a browser of this machine can reach it: from
 * the page's own origin, or as the same origin if the page's host name resolves to 127.0.0.1 (DNS
 * rebinding).
 */
export interface OriginPolicy {
  /** Whether a page of this origin may call. */
  allowsOrigin(origin: string): boolean
  /** Whether the service accepts this Host header. */
  allowsHost(host: string): boolean
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
  /** Whether the service listens on loopback only. */
  isLoopback: boolean
  /** Origins whose pages may call, `*` for all; undefined for the default. */
  origins: string[] | undefined
  /** Further host names of the service, besides those of loopback. */
  names: string[]
  baseUrl: string | undefined
}

export function originPolicyOf({ isLoopback, origins, names, baseUrl }: OriginPolicyOptions): OriginPolicy {
  const anyOrigin = origins === undefined ? !isLoopback : origins.includes('*')
  const ownName = baseUrl === undefined ? undefined : new URL(baseUrl).hostname
  const isAllowed = (origin: string) => origin === baseUrl || origins?.includes(origin)
  return {
    anyOrigin,
    allowsOrigin: (origin) => anyOrigin || isAllowed(origin) || (isLoopback && isLoopbackOrigin(origin)),
    allowsHost: (host) => {
      if (!isLoopback) return true
      const name = nameOf(host)
      return isLoopbackName(name) || name === ownName || names.includes(name)
    },
  }
}

function isLoopbackOrigin(origin: string): boolean {
  return URL.canParse(origin) && isLoopbackName(new URL(origin).hostname)
}

/** Whether the host name of a URL always means this machine. */
export function isLoopbackName(name: string): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(name)
}

/** The name in a Host header (RFC 9110, section 7.2), without its port and final dot. */
function nameOf(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '')
}
