import { Agent } from 'node:http'

/**
 * An Agent that lets go of an idle connection before the service does. Without a `timeout` of its own Node's does not
 * heed the answer's Keep-Alive (https://nodejs.org/api/http.html#new-agentoptions): a request that is sent in the moment
 * in which the service closes the connection fails with "socket hang up".
 */
export function keepAliveAgent(localAddress: string, maxSockets = Number.POSITIVE_INFINITY): Agent {
  return new Agent({ keepAlive: true, timeout: 60_000, localAddress, maxSockets })
}
