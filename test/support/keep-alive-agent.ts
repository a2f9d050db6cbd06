import { Agent } from 'node:http'

/**
 * An Agent that closes an idle connection before the service does. Without a `timeout`, Node's
 * Agent ignores the Keep-Alive header (https://nodejs.org/api/http.html#new-agentoptions), and a
 * request that is sent at the moment in which the service closes the connection fails with "socket
 * hang up".
 */
export function keepAliveAgent(localAddress: string, maxSockets = Number.POSITIVE_INFINITY): Agent {
  return new Agent({ keepAlive: true, timeout: 60_000, localAddress, maxSockets })
}
