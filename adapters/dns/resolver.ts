import { Resolver } from 'node:dns/promises'
import type { Dns } from '../../core/access/ports.ts'
import { Problem } from '../../core/errors.ts'

/** Error codes of c-ares for a definite "there is no such record". */
const NO_RECORD = new Set(['ENODATA', 'ENOTFOUND'])

/** Time-out of one try; c-ares queries each server for this long before it uses the next. */
const TIMEOUT_MS = 2000
const TRIES = 2

/**
 * Returns a DNS resolver based on Node's.
 * @param servers `ip` or `ip:port` each; empty for the system's
 */
export function dnsResolver(servers: string[]): Dns {
  // A resolver for each query, because c-ares fails all queries of a resolver when one answer is
  // malformed.
  const resolver = () => {
    const own = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES })
    if (servers.length > 0) own.setServers(servers)
    return own
  }
  return {
    mx: async (name) =>
      (await answered(name, resolver().resolveMx(name))).map(({ priority, exchange }) => ({
        preference: priority,
        exchange,
      })),
    txt: async (name) =>
      (await answered(name, resolver().resolveTxt(name))).map((strings) => strings.join('')),
    cname: async (name) =>
      (await answered(name, resolver().resolveCname(name))).map((target) =>
        target.toLowerCase().replace(/\.$/, ''),
      ),
  }
}

async function answered<T>(name: string, answer: Promise<T[]>): Promise<T[]> {
  try {
    return await answer
  } catch (error) {
    if (NO_RECORD.has((error as NodeJS.ErrnoException).code ?? '')) return []
    throw new Problem('dns_unavailable', `DNS gave no answer for ${name}. Nothing was changed; try again.`, {
      retryAfter: 10,
      cause: error,
    })
  }
}
