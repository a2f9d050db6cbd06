import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, test } from '@jest/globals'
import { ended, type RunningService, startService } from '../support/service.ts'
import { npmPackage, npmVersion } from './installed.ts'
import { acceptedOnly, recordRow } from './row.ts'

const NAME = '@modelcontextprotocol/conformance'
const KEY = 'the-key-of-the-operator'

/** A check of a scenario, as the suite writes it. */
interface Check {
  id: string
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
  errorMessage?: string
}

describe('the conformance suite of the Model Context Protocol', () => {
  let service: RunningService
  let withKey: Server
  let dir: string

  beforeAll(async () => {
    service = await startService({ MAYFLY_API_KEYS: KEY })
    withKey = await startWithKey(service.http)
    dir = await mkdtemp(join(tmpdir(), 'mayfly-mcp-conformance-'))
  })
  afterAll(async () => {
    withKey?.closeAllConnections()
    withKey?.close()
    await service?.stop()
    await rm(dir, { recursive: true, force: true })
  })

  test('every scenario for servers passes, or its difference is accepted', async () => {
    const url = `http://127.0.0.1:${(withKey.address() as AddressInfo).port}/mcp`
    const program = join(npmPackage(NAME), 'dist/index.js')
    const args = [program, 'server', '--url', url, '--suite', 'all', '-o', dir]
    const { output } = await ended(spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] }))
    const scenarios = globSync(join(dir, '*/checks.json')).map((file) => ({
      // server-<scenario>-<time>
      scenario: /server-([\w-]+)-\d{4}-\d\d-\d\dT[^/]+\/checks\.json$/.exec(file)![1]!,
      checks: JSON.parse(readFileSync(file, 'utf8')) as Check[],
    }))
    if (scenarios.length === 0) throw new Error(output)
    const failed = scenarios.filter(({ checks }) => checks.some(({ status }) => status === 'FAILURE'))
    const accepted = acceptedOnly(failed.map(({ scenario, checks }) => `${scenario}: ${faultsOf(checks)}`))
    recordRow({
      suite: 'MCP conformance',
      version: `npm ${NAME} ${npmVersion(NAME)}`,
      examined: `${scenarios.length} scenarios for servers, ${scenarios.length - failed.length} pass`,
      accepted,
      failedIn030: 'nothing',
    })
  })
})

/** The first sentence of each check that failed. */
function faultsOf(checks: Check[]): string {
  return checks
    .filter(({ status }) => status === 'FAILURE')
    .map(({ id, errorMessage }) => errorMessage?.split('. ')[0] ?? id)
    .join('; ')
}

/** A proxy that adds the key, because the suite sends none. */
async function startWithKey(target: string): Promise<Server> {
  const server = createServer((incoming, outgoing) => {
    const { url = '', method, headers } = incoming
    const options = { method, headers: { ...headers, authorization: `Bearer ${KEY}` } }
    const forwarded = request(target + url, options, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(outgoing)
    })
    forwarded.on('error', () => outgoing.destroy())
    incoming.pipe(forwarded)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return server
}
