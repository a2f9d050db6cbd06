/**
 * Whether a host name, as a URL has it, always means this machine (RFC 6761, section 6.3).
 * core/access/client.ts has the same for the IP addresses of connections. The clients, which are packages of their
 * own, repeat this; test/packages/loopback.json has the examples that all of them pass.
 */
export function isLoopbackName(name: string): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(name)
}
