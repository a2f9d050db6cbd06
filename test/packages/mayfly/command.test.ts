import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { CLIENTS, type McpClient } from '../../adapters/mcp/clients.ts'
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

  describe('mcp', () => {
    /** Calls a tool of `mayfly mcp` with this MAYFLY_URL. */
    async function createInbox(url: string) {
      const connect = CLIENTS['of 2026-07-28']
      if (connect === undefined) throw new Error('There is no client of that specification.')
      let client: McpClient | undefined
      try {
        client = await connect({
          command: process.execPath,
          args: [...ARGUMENTS, 'mcp'],
          env: environment(url),
        })
        return await client.call('create_inbox', {})
      } finally {
        await client?.close()
      }
    }

    async function closedPort(): Promise<string> {
      const { url, close } = await listening(createHttpServer())
      await close()
      return new URL(url).port
    }

    test('starts no service in place of one on another machine that does not answer', async () => {
      const url = `http://127.0.0.2:${await closedPort()}`
      expect(await createInbox(url)).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining(`No service answers at ${url}`) }],
      })
    })

    test('starts a service on other ports when another program has the usual ones', async () => {
      const other = createServer().listen(2525, '127.0.0.1')
      // If another process has the port already, the port is taken as well.
      await once(other, 'listening').catch(() => {})
      try {
        const { structuredContent } = await createInbox(`http://127.0.0.1:${await closedPort()}`)
        expect(structuredContent).toMatchObject({ address: expect.stringMatching(/@mayfly\.test$/) })
      } finally {
        other.close()
      }
    })
  })
})
