import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { Mayfly } from '../../packages/client/src/node.ts'
import { eventually } from '../support/eventually.ts'
import { listening } from '../support/http-server.ts'
import { sendMail } from '../support/mail.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const { load } = createRequire(import.meta.url)('js-yaml') as { load(text: string): unknown }

interface Action {
  inputs: Record<string, { default?: string }>
  outputs: Record<string, unknown>
  runs: { using: string; main: string; post: string }
}

const STUBBORN = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('ready')`
const NO_PAUSES = `
  import { syncBuiltinESMExports } from 'node:module'
  import timers from 'node:timers/promises'
  timers.setTimeout = async () => {}
  syncBuiltinESMExports()
`

/** Runs the scripts as a runner does: a checkout without node_modules, with inputs and files in the environment. */
describe('the GitHub action', () => {
  let folder: string
  let checkout: string
  let action: Action

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mayfly-action-'))
    checkout = join(folder, 'checkout')
    await cp(join(ROOT, 'action'), join(checkout, 'action'), { recursive: true })
    await cp(join(ROOT, 'action.yml'), join(checkout, 'action.yml'))
    for (const name of ['ENV', 'OUTPUT', 'STATE']) await writeFile(join(folder, name), '')
    action = load(await readFile(join(checkout, 'action.yml'), 'utf8')) as Action
  })
  afterEach(async () => {
    // A test that failed must not leave its service running.
    const { pid } = await written('STATE')
    if (pid !== undefined && isRunning(Number(pid))) process.kill(Number(pid), 'SIGKILL')
    await rm(folder, { recursive: true, force: true })
  })

  async function run(script: string, env: Record<string, string>): Promise<{ code: number; stdout: string }> {
    const inputs = Object.entries(action.inputs).map(([name, input]) => [
      `INPUT_${name.toUpperCase()}`,
      input.default ?? '',
    ])
    const files = ['ENV', 'OUTPUT', 'STATE'].map((name) => [`GITHUB_${name}`, join(folder, name)])
    const state = Object.entries(await written('STATE')).map(([name, value]) => [`STATE_${name}`, value])
    return new Promise((resolve) => {
      execFile(
        process.execPath,
        [join(checkout, script)],
        {
          cwd: folder,
          env: {
            PATH: process.env.PATH,
            RUNNER_TEMP: folder,
            XDG_CACHE_HOME: join(folder, 'cache'),
            ...Object.fromEntries([...inputs, ...files, ...state]),
            ...env,
          },
        },
        (error, stdout) => resolve({ code: (error?.code as number | undefined) ?? 0, stdout }),
      )
    })
  }

  /** The values that the scripts have written to one of the runner's files. */
  async function written(name: string): Promise<Record<string, string>> {
    const lines = (await readFile(join(folder, name), 'utf8')).split('\n')
    return Object.fromEntries(
      lines.flatMap((line) => [/^(\w+)=(.*)$/.exec(line)?.slice(1) ?? []].filter((pair) => pair.length > 0)),
    )
  }

  test.each(['INPUT_CONFIG', 'MAYFLY_API_KEYS'])('accepts the keys of %s beside its own', async (name) => {
    const key = 'key-of-another-program'
    const value = name === 'INPUT_CONFIG' ? `MAYFLY_API_KEYS=${key}` : key
    const ports = { INPUT_HTTP_PORT: '0', INPUT_SMTP_PORT: '0' }
    expect(await run(action.runs.main, { ...ports, [name]: value })).toMatchObject({ code: 0 })
    const { MAYFLY_URL: url = '', MAYFLY_API_KEY: own = '' } = await written('ENV')
    for (const apiKey of [own, key]) expect(await new Mayfly({ url, apiKey }).mails()).toEqual([])
    await run(action.runs.post, {})
  })

  test('starts the service for later steps, stops it after the job, and prints its log', async () => {
    const ports = { INPUT_HTTP_PORT: '0', INPUT_SMTP_PORT: '0' }
    const config = { INPUT_DOMAINS: 'shop.test', INPUT_CONFIG: 'MAYFLY_LOG_LEVEL=debug\n\n' }
    // Variables of the job are variables of the service.
    const main = await run(action.runs.main, { ...ports, ...config, MAYFLY_RETENTION_HOURS: '1' })
    expect(main).toMatchObject({ code: 0, stdout: expect.stringContaining('Mayfly answers at http://') })
    const {
      MAYFLY_URL: url = '',
      MAYFLY_API_KEY: apiKey = '',
      SMTP_HOST: host = '',
      SMTP_PORT,
    } = await written('ENV')
    const output = await written('OUTPUT')
    expect(Object.keys(output).sort()).toEqual(Object.keys(action.outputs).sort())
    const { folder: stored = '', pid } = await written('STATE')
    expect(output).toEqual({ url, smtp_host: host, smtp_port: SMTP_PORT, pid })
    expect(main.stdout).toBe(
      `::add-mask::${apiKey}\nMayfly answers at ${url} and accepts mail at ${host}:${SMTP_PORT}.\n`,
    )
    expect(existsSync(join(stored, 'data/mayfly.db'))).toBe(true)
    // A runner that ends the process group of a step does not end the service.
    expect(await processGroup(pid)).toBe(pid)

    // A later step.
    const inbox = await new Mayfly({ url, apiKey }).inbox()
    expect(inbox.address).toMatch(/@shop\.test$/)
    await sendMail({ host, port: Number(SMTP_PORT) }, { to: inbox.address, text: 'Your code is 739105.' })
    expect(await inbox.waitForCode()).toBe('739105')
    const unlimited = await fetch(`${url}/api/emails/${inbox.address}`, { headers: { 'X-API-Key': apiKey } })
    expect([unlimited.status, unlimited.headers.get('RateLimit-Limit')]).toEqual([200, null])
    expect(await (await fetch(`${url}/api/info`)).json()).toMatchObject({ retention_hours: 1 })

    const post = await run(action.runs.post, {})
    // SIGTERM and not SIGKILL: the service stores the mail that it has accepted.
    expect(post.code).toBe(0)
    expect(post.stdout).toMatch(
      /^::group::.*\n.*mayfly ready http=.*In a browser:.*stopping.*\n::endgroup::\n$/s,
    )
    expect([isRunning(Number(output.pid)), existsSync(stored)]).toEqual([false, false])
  })

  test('has the ports that are given; a value of the input `config` may contain `=`', async () => {
    const [http = '', smtp = ''] = await closedPorts()
    const ports = { INPUT_HTTP_PORT: http, INPUT_SMTP_PORT: smtp }
    const config = '\n  MAYFLY_DOMAINS=private.test=a=b\nMAYFLY_HOST=127.0.0.2'
    await run(action.runs.main, { ...ports, INPUT_CONFIG: config })
    const { MAYFLY_URL: url = '', ...others } = await written('ENV')
    expect([url, others]).toMatchObject([
      `http://127.0.0.2:${http}`,
      { SMTP_HOST: '127.0.0.2', SMTP_PORT: smtp },
    ])
    const read = (key: string) =>
      fetch(`${url}/api/public/emails/x@private.test`, { headers: { 'X-Domain-Key': key } })
    expect([(await read('a=b')).status, (await read('b')).status]).toEqual([200, 403])
    await run(action.runs.post, {})
  })

  test('a wrong configuration fails the step with all its faults', async () => {
    const { code, stdout } = await run(action.runs.main, { INPUT_HTTP_PORT: 'http', INPUT_DOMAINS: 'x' })
    expect(code).toBe(1)
    expect(stdout).toMatch(
      /^::error title=Mayfly did not start::The service ended with code 78\..*MAYFLY_HTTP_PORT.*MAYFLY_DOMAINS/m,
    )
    const { folder: stored = '' } = await written('STATE')
    expect(existsSync(stored)).toBe(true)
    const post = await run(action.runs.post, {})
    expect(post).toEqual({ code: 0, stdout: expect.stringContaining('MAYFLY_HTTP_PORT must be') })
    expect(existsSync(stored)).toBe(false)
  })

  test('a service that a signal ends while it starts fails the step', async () => {
    const dying = "NODE_OPTIONS=--import=data:text/javascript,process.kill(process.pid,'SIGKILL')"
    const { code, stdout } = await run(action.runs.main, { INPUT_CONFIG: dying })
    expect([code, stdout]).toEqual([1, expect.stringContaining('::The service was ended by SIGKILL.%0A')])
    expect((await run(action.runs.post, {})).code).toBe(0)
  })

  test('a service that ignores SIGTERM is killed after the job', async () => {
    const stubborn = spawn(process.execPath, ['--eval', STUBBORN], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(stubborn.stdout, 'data')
    // The pauses of the script take no time.
    const preload = `--import=data:text/javascript,${encodeURIComponent(NO_PAUSES)}`
    try {
      const post = await run(action.runs.post, { STATE_pid: String(stubborn.pid), NODE_OPTIONS: preload })
      expect(post.code).toBe(0)
      expect(await eventually('the end of the service', () => stubborn.signalCode)).toBe('SIGKILL')
    } finally {
      stubborn.kill('SIGKILL')
    }
  })

  test.each(['MAYFLY_DOMAINS', '=mayfly.test'])('the line "%s" of `config` fails the step', async (line) => {
    const { code, stdout } = await run(action.runs.main, { INPUT_CONFIG: line })
    expect([code, stdout]).toEqual([1, expect.stringContaining(`"${line}", which is not NAME=value`)])
    const { folder: stored = '' } = await written('STATE')
    const post = await run(action.runs.post, {})
    expect(post).toEqual({ code: 0, stdout: expect.stringContaining('\nThe service was not started.\n') })
    expect([stored, existsSync(stored)]).toEqual([expect.stringContaining(folder), false])
  })

  test('the step after the job succeeds when the action did not run at all', async () => {
    const { code, stdout } = await run(action.runs.post, {})
    expect([code, stdout]).toEqual([
      0,
      '::group::Log of Mayfly\nThe service was not started.\n::endgroup::\n',
    ])
  })

  test('has the ports and the domain of a service without configuration, and runs on Node 24', () => {
    const defaults = Object.entries(action.inputs).map(([name, input]) => [name, input.default])
    expect(Object.fromEntries(defaults)).toEqual({
      domains: 'mayfly.test',
      http_port: '8025',
      smtp_port: '1025',
      config: '',
    })
    expect(action.runs.using).toBe('node24')
  })

  test('it adds less than 60 MB to a job', async () => {
    let size = 0
    for (const name of await readdir(join(ROOT, 'action/packages'))) {
      size += (await stat(join(ROOT, 'action/packages', name))).size
    }
    // Unpacked, the packages take about four times the space.
    expect(size * 5).toBeLessThan(60e6)
  })
})

/** The id of the process group, the fifth field of the status (proc_pid_stat(5)). */
async function processGroup(pid = ''): Promise<string | undefined> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8')
  return status.slice(status.lastIndexOf(')')).split(' ')[3]
}

async function closedPorts(): Promise<string[]> {
  const servers = await Promise.all([1, 2].map(() => listening(createServer())))
  await Promise.all(servers.map(({ close }) => close()))
  return servers.map(({ url }) => new URL(url).port)
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
