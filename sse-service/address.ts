import { ConfigError } from '../core/errors.ts'

/**
 * The variable by which Lambda tells a web function where to listen: `host:port`, with or without a
 * scheme.
 */
const LAMBDA_ENDPOINT = 'AWS_LAMBDA_HTTP_ENDPOINT'

/**
 * Returns the address to listen on: the one that Lambda assigns to a web function, otherwise all
 * interfaces.
 * @throws ConfigError
 */
export function listenAddress(
  env: Record<string, string | undefined>,
  port: number,
): { host: string; port: number } {
  const endpoint = env[LAMBDA_ENDPOINT]
  if (endpoint === undefined || endpoint === '') return { host: '0.0.0.0', port }
  const url = URL.parse(endpoint.includes('://') ? endpoint : `http://${endpoint}`)
  if (url === null || url.port === '')
    throw new ConfigError([`${LAMBDA_ENDPOINT} must be host:port, not "${endpoint}"`])
  return { host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(url.port) }
}
