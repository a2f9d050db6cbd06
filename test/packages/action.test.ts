import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
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
  runs: { main: string; post: string; 'post-if': string }
}

/** The action, its scripts run as a runner does: from the file that names them, with its inputs and files. */
describe('the GitHub action', () => {
  let folder: string
  let action: Action

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mayfly-action-'))
    for (const name of ['ENV', 'OUTPUT', 'STATE']) await writeFile(join(folder, name), '')
    action = load(await readFile(join(ROOT, 'action.yml'), 'utf8')) as Action
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  async function run(script: string, env: Record<string, string>): Promise<{ code: number; stdout: string }> {
    const inputs = Object.entries(action.inputs).map(([name, input]) => [
      `INPUT_${name.toUpperCase()}`,
      input.default ?? '',
    ])
    const files = ['ENV', 'OUTPUT', 'STATE'].map((name) => [`GITHUB_${name}`, join(folder, name)])
    return new Promise((resolve) => {
      execFile(
        process.execPath,
        [join(ROOT, script)],
        {
          cwd: folder,
          env: {
            PATH: process.env.PATH,
            RUNNER_TEMP: folder,
            ...Object.fromEntries([...inputs, ...files]),
            ...env,
          },
        },
        (error, stdout) => resolve({ code: (error?.code as number | undefined) ?? 0, stdout }),
      )
    })
  }

  /** What a script has told the runner in one of its files. */
  async function told(name: string): Promise<Record<string, string>> {
    const lines = (await readFile(join(folder, name), 'utf8')).trim().split('\n')
    return Object.fromEntries(lines.map((line) => /^(\w+)=(.*)$/.exec(line)!.slice(1)))
  }

  test('starts the service, says where it is, and shows its log when the job fails', async () => {
    const ports = { INPUT_HTTP_PORT: '0', INPUT_SMTP_PORT: '0' }
    const config = { INPUT_DOMAINS: 'shop.test', INPUT_CONFIG: 'MAYFLY_LOG_LEVEL=debug\n' }
    const main = await run(action.runs.main, { ...ports, ...config })
    expect(main.code).toBe(0)
    const env = await told('ENV')
    const output = await told('OUTPUT')
    try {
      expect(Object.keys(output).sort()).toEqual(Object.keys(action.outputs).sort())
      expect(main.stdout).toContain(`::add-mask::${env.MAYFLY_API_KEY}\n`)

      // What a later step does.
      const inbox = await new Mayfly({ url: env.MAYFLY_URL, apiKey: env.MAYFLY_API_KEY }).inbox()
      expect(inbox.address).toMatch(/@shop\.test$/)
      const smtp = { host: env.SMTP_HOST!, port: Number(env.SMTP_PORT) }
      await sendMail(smtp, { to: inbox.address, text: 'Your code is 739105.' })
      expect(await inbox.waitForCode()).toBe('739105')

      expect(action.runs['post-if']).toBe('failure()')
      const post = await run(action.runs.post, { STATE_log: (await told('STATE')).log! })
      expect(post.stdout).toMatch(/::group::.*mayfly ready http=.*::endgroup::/s)
    } finally {
      process.kill(Number(output.pid), 'SIGTERM')
    }
  })

  test('a configuration that is wrong fails the step, with every fault of it', async () => {
    const { code, stdout } = await run(action.runs.main, { INPUT_HTTP_PORT: 'http', INPUT_DOMAINS: 'x' })
    expect(code).toBe(1)
    expect(stdout).toMatch(/^::error title=Mayfly did not start::.*MAYFLY_HTTP_PORT.*MAYFLY_DOMAINS/m)
    const post = await run(action.runs.post, { STATE_log: (await told('STATE')).log! })
    expect(post.stdout).toContain('MAYFLY_HTTP_PORT must be')
  })
})
