import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { Mayfly } from '../../packages/client/src/node.ts'
import { sendMail } from '../support/mail.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const { load } = createRequire(import.meta.url)('js-yaml') as { load(text: string): unknown }

interface Action {
  inputs: Record<string, { default?: string }>
  outputs: Record<string, unknown>
  runs: { main: string; post: string }
}

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

  test('starts the service for later steps, stops it after the job, and prints its log', async () => {
    const ports = { INPUT_HTTP_PORT: '0', INPUT_SMTP_PORT: '0' }
    const config = { INPUT_DOMAINS: 'shop.test', INPUT_CONFIG: 'MAYFLY_LOG_LEVEL=debug\n\n' }
    const main = await run(action.runs.main, { ...ports, ...config })
    expect([main.code, main.stdout]).toEqual([0, expect.stringContaining('Mayfly answers at http://')])
    const {
      MAYFLY_URL: url = '',
      MAYFLY_API_KEY: apiKey = '',
      SMTP_HOST: host = '',
      SMTP_PORT,
    } = await written('ENV')
    const output = await written('OUTPUT')
    expect(Object.keys(output).sort()).toEqual(Object.keys(action.outputs).sort())
    expect(main.stdout).toContain(`::add-mask::${apiKey}\n`)

    // A later step.
    const inbox = await new Mayfly({ url, apiKey }).inbox()
    expect(inbox.address).toMatch(/@shop\.test$/)
    await sendMail({ host, port: Number(SMTP_PORT) }, { to: inbox.address, text: 'Your code is 739105.' })
    expect(await inbox.waitForCode()).toBe('739105')
    const unlimited = await fetch(`${url}/api/emails/${inbox.address}`, { headers: { 'X-API-Key': apiKey } })
    expect([unlimited.status, unlimited.headers.get('RateLimit-Limit')]).toEqual([200, null])

    const { folder: stored = '' } = await written('STATE')
    const post = await run(action.runs.post, {})
    // SIGTERM and not SIGKILL: the service stores the mail that it has accepted.
    expect(post.stdout).toMatch(/::group::.*mayfly ready http=.*stopping.*::endgroup::/s)
    expect([isRunning(Number(output.pid)), existsSync(stored)]).toEqual([false, false])
  })

  test('a value of the input `config` may contain `=`', async () => {
    const ports = { INPUT_HTTP_PORT: '0', INPUT_SMTP_PORT: '0' }
    await run(action.runs.main, { ...ports, INPUT_CONFIG: 'MAYFLY_DOMAINS=private.test=a=b' })
    const { MAYFLY_URL: url = '' } = await written('ENV')
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
    const post = await run(action.runs.post, {})
    expect(post.stdout).toContain('MAYFLY_HTTP_PORT must be')
  })

  test('a line of `config` that is no assignment fails the step', async () => {
    const { code, stdout } = await run(action.runs.main, { INPUT_CONFIG: 'MAYFLY_DOMAINS' })
    expect([code, stdout]).toEqual([1, expect.stringContaining('is not NAME=value')])
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

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
