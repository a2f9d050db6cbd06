import { once } from 'node:events'
import type { ProblemCode } from '../../../../core/errors.ts'
import { Problem } from '../../../../core/errors.ts'
import { ownsLocalhost } from '../../../../local-service/config-values.ts'
import { Mayfly, MayflyError } from '../../../client/src/node.ts'
import { type RunningMayfly, startMayfly } from '../start.ts'
import { VERSION } from '../version.ts'
import type { Command } from './command.ts'

const PROBE_MS = 5_000

export const mcp: Command = {
  args: '',
  summary: 'tools for an agent: the Model Context Protocol on standard input and output',
  examples: ['claude mcp add mayfly -- mayfly mcp', 'MAYFLY_URL=https://mail.example.com mayfly mcp'],
  async run({ mayfly }) {
    const own = await startIfMissing(mayfly)
    const client = own === undefined ? mayfly : new Mayfly({ url: own.url, apiKey: own.apiKey })
    const { mcpOverStdio } = await import('../../../../adapters/mcp/stdio.ts')
    const served = mcpOverStdio(VERSION, (method, path, parameters = {}, query = {}) =>
      request(client, {
        method,
        path: path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(parameters[name] ?? '')),
        query,
      }),
    )
    if (own !== undefined) {
      const signals = ['SIGINT', 'SIGTERM'].map((signal) => once(process, signal))
      // Standard output belongs to the protocol.
      console.error(`mayfly ready http=${own.url} smtp=${own.smtp.host}:${own.smtp.port}`)
      await Promise.race([served, ...signals])
      await own.stop()
      process.stdin.destroy()
    }
    return 0
  },
}

/**
 * A host of MCP servers starts one command, so this one brings a service where none answers. Only
 * on this machine: a service elsewhere that does not answer must not be replaced silently.
 */
async function startIfMissing(mayfly: Mayfly): Promise<RunningMayfly | undefined> {
  const missing = await mayfly.request({ path: '/api/info', open: true }, { timeout: PROBE_MS }).then(
    () => false,
    (error: unknown) => error instanceof MayflyError && error.code === 'unreachable',
  )
  const { hostname, port } = new URL(mayfly.url)
  if (!missing || !ownsLocalhost(hostname.replace(/^\[|\]$/g, ''))) return undefined
  const there = { MAYFLY_HTTP_PORT: port || '80' }
  // Each of the two ports may be taken.
  return startMayfly({ ...there, MAYFLY_SMTP_PORT: '1025' })
    .catch(() => startMayfly(there))
    .catch(() => startMayfly())
}

async function request(mayfly: Mayfly, call: Parameters<Mayfly['request']>[0]): Promise<unknown> {
  try {
    return await mayfly.request(call)
  } catch (error) {
    if (!(error instanceof MayflyError)) throw error
    throw new Problem(error.code as ProblemCode, error.message, { cause: error })
  }
}
