/**
 * Which pages may call, and by which names. A service on loopback has no client address to tell callers apart by,
 * and every page that its user visits can reach it: from its own origin, or, where its name is made to resolve to
 * 127.0.0.1 (DNS rebinding), as if it were of this origin.
 */
export interface Visitors {
  /** Whether a page of this origin may call. */
  mayCall(origin: string): boolean
  /** Whether the service goes by this name: a Host header. */
  isOurs(host: string): boolean
  /** Whether pages of any origin may call, so that no answer depends on it. */
  anyOrigin: boolean
}

/** Open to all: whoever calls proves itself by a header that no browser adds by itself. */
export const ALL_VISITORS: Visitors = { mayCall: () => true, isOurs: () => true, anyOrigin: true }

export interface VisitorSettings {
  /** Whether the service listens on loopback only. */
  isLoopback: boolean
  /** Origins whose pages may call, `*` for all; undefined for the default. */
  origins: string[] | undefined
  /** Host names that the service goes by, beside those of loopback. */
  names: string[]
  baseUrl: string | undefined
}

export function visitorsOf({ isLoopback, origins, names, baseUrl }: VisitorSettings): Visitors {
  const anyOrigin = origins === undefined ? !isLoopback : origins.includes('*')
  const allowed = new Set([...(origins ?? []), ...(baseUrl === undefined ? [] : [baseUrl])])
  const own = new Set([...names, ...(baseUrl === undefined ? [] : [new URL(baseUrl).hostname])])
  return {
    anyOrigin,
    mayCall: (origin) => anyOrigin || allowed.has(origin) || (isLoopback && isLoopbackOrigin(origin)),
    isOurs: (host) => {
      if (!isLoopback) return true
      const name = nameOf(host)
      return isLoopbackName(name) || own.has(name)
    },
  }
}

function isLoopbackOrigin(origin: string): boolean {
  return URL.canParse(origin) && isLoopbackName(new URL(origin).hostname)
}

/** Whether a host name, as a URL has it, is always of this machine. */
export function isLoopbackName(name: string): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(name)
}

/** The name in a Host header (RFC 9110, section 7.2), without its port and final dot. */
function nameOf(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '')
}
