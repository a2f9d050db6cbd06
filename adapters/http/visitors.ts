/**
 * Which pages may call, and under which host names. On loopback all callers have the same address,
 * and every page that its user visits can reach the service: from its own origin, or as if it were
 * of this origin, if the page's name resolves to 127.0.0.1 (DNS rebinding).
 */
export interface Visitors {
  /** Whether a page of this origin may call. */
  mayCall(origin: string): boolean
  /** Whether the service answers to this Host header. */
  isOurs(host: string): boolean
  /** Whether pages of every origin may call, so that no answer depends on the origin. */
  anyOrigin: boolean
}

/** Open to all origins: keys are in headers that no browser adds by itself. */
export const ALL_VISITORS: Visitors = { mayCall: () => true, isOurs: () => true, anyOrigin: true }

export interface VisitorSettings {
  /** Whether the service listens on loopback only. */
  isLoopback: boolean
  /** Origins whose pages may call, `*` for all; undefined for the default. */
  origins: string[] | undefined
  /** Further host names of the service, besides those of loopback. */
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
