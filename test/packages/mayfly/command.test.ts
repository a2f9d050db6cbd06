import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { CLIENTS, type McpClient, type Result } from '../../adapters/mcp/clients.ts'
import { listening } from '../../support/http-server.ts'
import { refuse, sendJson, startStub } from '../client/proxy.ts'

const CLI = fileURLToPath(new URL('../../../packages/mayfly/src/cli.ts', import.meta.url))
const ARGUMENTS = ['--disable-warning=ExperimentalWarning', CLI]

/** The command from its sources, where a service is missing or refuses. test/packages/command-line.ts has the rest. */
describe('the command', () => {
  let cache: string

  beforeAll(async () => {
    cache = await mkdtemp(join(tmpdir(), 'mayfly-command-'))
  })
  afterAll(() => rm(cache, { recursive: true, force: true }))

  const environment = (url: string) => ({
    PATH: process.env.PATH ?? '',
    MAYFLY_URL: url,
    MAYFLY_API_KEY: 'mf_x',
    XDG_CACHE_HOME: cache,
  })

  test('watch ends with the reason and exit code 2 when the stream is refused', async () => {
    const stub = await startStub((response, path) => {
      if (path.startsWith('/api/sse/')) refuse(response, 403, 'domain_key_invalid')
      else sendJson(response, { email: null })
    })
    const outcome = await new Promise((resolve) => {
      const args = [...ARGUMENTS, 'watch', 'a@private.test']
      execFile(process.execPath, args, { env: environment(stub.url) }, (error, stdout, stderr) =>
        resolve({ code: error?.code ?? 0, stdout, stderr }),
      )
    })
    await stub.close()
    expect(outcome).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining('Detail.') })
  })

  test('says why its result cannot be written, such as on a full disk', async () => {
    if (process.platform !== 'linux') return console.log('not checked: only Linux has /dev/full')
    const full = await open('/dev/full', 'w')
    const { status, stderr } = spawnSync(process.execPath, [...ARGUMENTS, 'completion', 'bash'], {
      env: environment('http://127.0.0.1:9'),
      stdio: ['ignore', full.fd, 'pipe'],
      encoding: 'utf8',
    })
    await full.close()
    expect([status, stderr]).toEqual([
      3,
      'The result cannot be written to standard output: ENOSPC: no space left on device, write.\n',
    ])
  })

  describe('mcp', () => {
    /** What `mayfly mcp` with this MAYFLY_URL, and without a key, answers to calls of tools. */
    async function called(url: string, ...tools: [name: string, input: object][]): Promise<Result[]> {
      const connect = CLIENTS['of 2026-07-28']
      if (connect === undefined) throw new Error('There is no client of that specification.')
      let client: McpClient | undefined
      try {
        client = await connect({
          command: process.execPath,
          args: [...ARGUMENTS, 'mcp'],
          env: { ...environment(url), MAYFLY_API_KEY: '' },
        })
        const results: Result[] = []
        for (const [name, input] of tools) results.push(await client.call(name, input))
        return results
      } finally {
        await client?.close()
      }
    }

    test('starts no service in place of one on another machine that does not answer', async () => {
      const { url, close } = await listening(createHttpServer())
      await close()
      const elsewhere = url.replace('127.0.0.1', '127.0.0.2')
      expect(await called(elsewhere, ['create_inbox', {}])).toMatchObject([
        { isError: true, content: [{ text: expect.stringContaining(`No service answers at ${elsewhere}`) }] },
      ])
    })

    test('starts a service where none answers at the IPv6 address of this machine', async () => {
      const { url, close } = await listening(createHttpServer())
      await close()
      const there = url.replace('127.0.0.1', '[::1]')
      expect(await called(there, ['create_inbox', {}])).toMatchObject([
        { structuredContent: { address: expect.stringMatching(/@mayfly\.test$/) } },
      ])
    })

    test('creates no key before a tool needs one', async () => {
      const stub = await startStub((response) => sendJson(response, {}))
      expect(await called(stub.url)).toEqual([])
      await stub.close()
      // The client starts the command more than once.
      expect([...new Set(stub.requests)]).toEqual(['GET /api/info'])
    })

    test('starts no service in place of one that fails', async () => {
      const stub = await startStub((response) => refuse(response, 500, 'internal_error'))
      expect(await called(stub.url, ['create_inbox', {}])).toMatchObject([
        { isError: true, content: [{ text: expect.stringContaining('Detail.') }] },
      ])
      await stub.close()
    })

    test('starts a service on another port, with a key of it, when another program has the port', async () => {
      const other = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
      await once(other, 'listening')
      const { port } = other.address() as AddressInfo
      try {
        const address = 'a@mayfly.test'
        const results = await called(
          `http://127.0.0.1:${port}`,
          ['create_inbox', {}],
          ['list_emails', { address }],
        )
        expect(results.map(({ structuredContent }) => structuredContent)).toMatchObject([
          { address: expect.stringMatching(/@mayfly\.test$/) },
          { emails: [] },
        ])
      } finally {
        other.close()
      }
    })
  })
})
