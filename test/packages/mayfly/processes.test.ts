import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { listening } from '../../support/http-server.ts'

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

  test('of a service on a free port removes its store', async () => {
    const { stdout } = start(['--http-port', '0', '--smtp-port=0'])
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
    ['its input ends', () => child?.stdin.end()],
    ['SIGTERM', () => child?.kill('SIGTERM')],
  ])('of `mcp` brings a service at MAYFLY_URL, until %s', async (_, end) => {
    const url = `http://127.0.0.1:${await closedPort()}`
    const { stdout, stderr } = start(['mcp'], { MAYFLY_URL: url })
    const output = text(stdout)
    // Standard output belongs to the protocol.
    expect((await printed(stderr, READY))[1]).toBe(url)
    expect(await domainsAt(url)).toEqual(['mayfly.test'])
    end()
    expect(await exit).toEqual([0, null])
    expect([await output, await readdir(temporary)]).toEqual(['', []])
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
})
