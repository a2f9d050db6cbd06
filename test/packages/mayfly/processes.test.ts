import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { listening } from '../../support/http-server.ts'
import { listens } from '../../support/ports.ts'

const CLI = fileURLToPath(new URL('../../../packages/mayfly/src/cli.ts', import.meta.url))
const PACKAGE = new URL('../../../packages/mayfly/src/index.ts', import.meta.url).href

type Process = ChildProcessByStdio<Writable, Readable, Readable>

/** Outside of the temporary folder of a process, which must be empty in the end. */
const CACHE = join(tmpdir(), 'node-compile-cache')
const READY = /^mayfly ready http=(\S+) smtp=(\S+)$/m

/** The command as a process of its own: its signals, its variables, and what it leaves behind. */
describe('the process', () => {
  let folder: string
  let temporary: string
  let child: Process | undefined
  /** The exit code and the signal of the child. */
  let exit: Promise<unknown[]>

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mayfly-processes-'))
    temporary = join(folder, 'tmp')
    await mkdir(temporary)
  })
  afterEach(async () => {
    child?.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  })

  function start(args: string[], env: Record<string, string> = {}, program = [CLI]) {
    const variables = {
      PATH: process.env.PATH ?? '',
      TMPDIR: temporary,
      XDG_CACHE_HOME: folder,
      NODE_COMPILE_CACHE: CACHE,
      ...env,
    }
    child = spawn(process.execPath, [...program, ...args], { env: variables, stdio: 'pipe' })
    exit = once(child, 'exit')
    return child
  }

  /** The first match in what a stream prints. */
  async function printed(stream: Readable, pattern: RegExp): Promise<RegExpExecArray> {
    let all = ''
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
      all += chunk
      const match = pattern.exec(all)
      if (match !== null) return match
    }
    throw new Error(`The stream ended without ${pattern}:\n${all}`)
  }

  async function closedPort(): Promise<string> {
    const { url, close } = await listening(createServer())
    await close()
    return new URL(url).port
  }

  /** If another process has the port already, the port is taken as well. */
  async function takeSmtpPort(): Promise<Server> {
    const server = createTcpServer().listen(1025, '127.0.0.1')
    await once(server, 'listening').catch(() => {})
    return server
  }

  async function domainsAt(url: string): Promise<string[]> {
    const answer = (await (await fetch(`${url}/api/domains`)).json()) as { domains: { domain: string }[] }
    return answer.domains.map(({ domain }) => domain)
  }

  test('of a service keeps its mail in the folder of its port, and obeys options before variables', async () => {
    const port = await closedPort()
    const env = { MAYFLY_HTTP_PORT: port, MAYFLY_DOMAINS: 'variable.test', MAYFLY_SMTP_PORT: '0' }
    const { stdout } = start(['--domains', 'option.test'], env)
    const [, url = ''] = await printed(stdout, READY)
    expect([url, await domainsAt(url)]).toEqual([`http://127.0.0.1:${port}`, ['option.test']])
    child?.kill('SIGTERM')
    expect(await exit).toEqual([0, null])
    expect(existsSync(join(folder, `mayfly/data-${port}/mayfly.db`))).toBe(true)
    expect(await readdir(temporary)).toEqual([])
  })

  test('of a service whose user has no home folder removes its store', async () => {
    const noHome = `import os from 'node:os'
      import { syncBuiltinESMExports } from 'node:module'
      os.homedir = () => { throw new Error('no home') }
      syncBuiltinESMExports()`
    const preload = `--import=data:text/javascript,${encodeURIComponent(noHome)}`
    const options = ['--http-port', await closedPort(), '--smtp-port=0']
    const { stdout } = start(options, { NODE_OPTIONS: preload, XDG_CACHE_HOME: '' })
    await printed(stdout, READY)
    expect(await readdir(temporary)).toEqual([expect.stringMatching(/^mayfly-/)])
    child?.kill('SIGINT')
    expect(await exit).toEqual([0, null])
    expect(await readdir(temporary)).toEqual([])
  })

  test('of `run` survives SIGINT, forwards SIGTERM, and passes the exit code on', async () => {
    const program = `trap "exit 5" TERM
      echo "$MAYFLY_URL $SMTP_HOST:$SMTP_PORT $MAYFLY_DOMAINS $1"
      while kill -0 $PPID; do sleep 0.05; done`
    const env = { MAYFLY_DOMAINS: 'variable.test' }
    // Without a warning about SQLite on standard error.
    const { stdout, stderr } = start(
      ['run', '--host', '127.0.0.2', '--', 'sh', '-c', program, 'sh', '--help'],
      env,
    )
    const [, url = ''] = await printed(stdout, /^(\S+) 127\.0\.0\.2:\d+ variable\.test --help$/m)
    expect(await domainsAt(url)).toEqual(['variable.test'])
    expect(await readdir(temporary)).toEqual([expect.stringMatching(/^mayfly-/)])
    child?.kill('SIGINT')
    child?.kill('SIGTERM')
    expect([await exit, await text(stderr)]).toEqual([[5, null], ''])
    expect(await readdir(temporary)).toEqual([])
  })

  test.each([
    ['128 and the signal that ended its program', ['sh', '-c', 'kill -TERM $$'], 143, /^$/],
    ['127 for a program that does not exist', ['/none/program'], 127, /^`\/none\/program` did not start: /],
  ])('of `run` has the exit code of a shell: %s', async (_, program, code, reason) => {
    const { stderr } = start(['run', '--', ...program])
    expect([await text(stderr), await exit]).toEqual([expect.stringMatching(reason), [code, null]])
  })

  test('of `run` prefers an option to its variable', async () => {
    const program =
      "fetch(process.env.MAYFLY_URL + '/api/domains').then((answer) => answer.text()).then(console.log)"
    const { stdout } = start(['run', '--domains', 'option.test', '--', process.execPath, '-e', program], {
      MAYFLY_DOMAINS: 'variable.test',
    })
    expect(await text(stdout)).toMatch(/"domains":\[\{"domain":"option\.test"[^}]*\}\]/)
    expect(await exit).toEqual([0, null])
  })

  test('of `run` says which program has its port, and why it has no store', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const { stderr } = start(['run', '--http-port', String(port), '--', 'true'])
    expect([await text(stderr), await exit]).toEqual([
      expect.stringMatching(
        new RegExp(`^listen EADDRINUSE: .*:${port}\nPort ${port} is held by .*\nA service on loopback .*\n$`),
      ),
      [3, null],
    ])
    other.close()
    const { stderr: refused } = start(['run', '--data-dir', '/dev/null/data', '--', 'true'])
    expect([await text(refused), await exit]).toEqual([
      expect.stringMatching(/^[^\n]*data[^\n]*\n$/),
      [3, null],
    ])
  })

  test.each([
    ['127.0.0.1', 'its input ends', () => child?.stdin.end()],
    ['localhost', 'SIGTERM', () => child?.kill('SIGTERM')],
    ['[::1]', 'SIGINT', () => child?.kill('SIGINT')],
  ])('of `mcp` brings a service at MAYFLY_URL on %s, until %s', async (host, _, end) => {
    const port = await closedPort()
    const other = await takeSmtpPort()
    const { stdout, stderr } = start(['mcp'], { MAYFLY_URL: `http://${host}:${port}` })
    const output = text(stdout)
    // Standard output belongs to the protocol.
    const [, url] = await printed(stderr, READY)
    expect(url).toBe(`http://127.0.0.1:${port}`)
    expect(await domainsAt(`http://127.0.0.1:${port}`)).toEqual(['mayfly.test'])
    end()
    expect(await exit).toEqual([0, null])
    expect([await output, await readdir(temporary)]).toEqual(['', []])
    other.close()
  })

  test('of `mcp` answers the requests that it has read, also if its input has ended', async () => {
    const { stdin, stdout } = start(['mcp'], { MAYFLY_URL: `http://127.0.0.1:${await closedPort()}` })
    const request = (id: number, method: string, params: object) =>
      JSON.stringify({ jsonrpc: '2.0', id, method, params })
    const clientInfo = { name: 'script', version: '1' }
    const wait = { address: 'a@mayfly.test', timeout: 1 }
    stdin.end(
      [
        request(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }),
        request(2, 'tools/call', { name: 'wait_for_email', arguments: wait }),
        request(3, 'tools/call', { name: 'wait_for_email', arguments: wait }),
        // A cancelled request gets no answer, so nothing waits for it.
        JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 3 } }),
        '',
      ].join('\n'),
    )
    const answers = (await text(stdout)).trimEnd().split('\n')
    expect(answers.map((line) => JSON.parse(line))).toMatchObject([
      { id: 1, result: { serverInfo: { name: 'mayfly' } } },
      { id: 2, result: { structuredContent: { found: false } } },
    ])
    expect(await exit).toEqual([0, null])
  })

  test('of `mcp` accepts mail at the usual port, unless another program has it', async () => {
    // Another test may have the port for a moment, and may be gone before this one can see that.
    const seen: boolean[] = []
    while (seen.length < 5 && !seen.includes(true)) {
      const { stderr } = start(['mcp'], { MAYFLY_URL: `http://127.0.0.1:${await closedPort()}` })
      const [, , smtp] = await printed(stderr, READY)
      seen.push(smtp === '127.0.0.1:1025' || (await listens(1025)))
      child?.kill('SIGTERM')
      expect(await exit).toEqual([0, null])
    }
    expect(seen).toContain(true)
  })

  test.each([
    ['the service', []],
    ['`run`', ['run', '--', 'true']],
    ['`mcp`', ['mcp']],
  ])('of %s says which Node it needs, in one without SQLite', async (_, args) => {
    const without = 'data:text/javascript,process.getBuiltinModule=()=>undefined'
    const env = { NODE_OPTIONS: `--import=${without}`, MAYFLY_URL: `http://127.0.0.1:${await closedPort()}` }
    const { stdout, stderr } = start(args, env)
    expect([await text(stdout), await text(stderr), await exit]).toEqual([
      '',
      `The service needs Node 22.13 or newer, for its SQLite; this is ${process.version}.\n`,
      [3, null],
    ])
  })

  test('of a program has no store left when `startMayfly` has failed', async () => {
    const program = `import { readdirSync } from 'node:fs'
      import { startMayfly } from '${PACKAGE}'
      const reason = await startMayfly({ MAYFLY_HTTP_PORT: 'x' }).catch(({ name }) => name)
      console.log(reason, readdirSync('${temporary}'))`
    const { stdout } = start([program], {}, ['--input-type=module', '--eval'])
    expect([await text(stdout), await exit]).toEqual(['ConfigError []\n', [0, null]])
  })

  test('of a program that gives a folder makes no temporary one', async () => {
    const program = `import { readdirSync } from 'node:fs'
      import { startMayfly } from '${PACKAGE}'
      const service = await startMayfly({ MAYFLY_DATA_DIR: '${join(folder, 'data')}' })
      console.log(readdirSync('${temporary}'))
      await service.stop()`
    const { stdout } = start([program], {}, ['--input-type=module', '--eval'])
    expect([await text(stdout), await exit]).toEqual(['[]\n', [0, null]])
  })

  test('of a program with a service prints no line of its log', async () => {
    // The answer of the service is 503, which the log of another service has as an error.
    const program = `import { startMayfly } from '${PACKAGE}'
      const service = await startMayfly()
      const body = JSON.stringify({ address: 'a+smtp.451@mayfly.test' })
      const { status } = await fetch(service.url + '/api/test-mail', { method: 'POST', body })
      console.log(status)
      await service.stop()`
    const { stdout } = start([program], {}, ['--input-type=module', '--eval'])
    expect([await text(stdout), await exit]).toEqual(['503\n', [0, null]])
  })
})
