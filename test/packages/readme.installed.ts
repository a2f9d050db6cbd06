import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { freePort } from '../support/ports.ts'
import { ended } from '../support/service.ts'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const MINUTES = 60_000
/** Ends what a block began, before the test ends without it: a program that waits would keep the test runner alive. */
const BLOCKS_END_AFTER = 8 * MINUTES

/**
 * The README from its first block to its first example, as a reader with nothing but a clone follows it: each block as
 * it is copied, with the Node that the reader has. Only the ports are others, because those of the README may be taken.
 */
describe.each(['20', '22', '24'])('the README in an empty folder, with Node %s', (version) => {
  let folder: string
  let env: NodeJS.ProcessEnv
  let blocks: { start: string; tests: string; install: string; example: string }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mayfly-readme-'))
    const http = await freePort()
    await run('git', ['clone', '--quiet', '--depth', '1', `file://${ROOT}`, join(folder, 'mayfly')])
    await mkdir(join(folder, 'node'))
    const reader = { private: true, allowScripts: { node: true } }
    await writeFile(join(folder, 'node/package.json'), JSON.stringify(reader))
    await run('npm', ['install', '--no-audit', `node@${version}`], { cwd: join(folder, 'node') })
    await mkdir(join(folder, 'project'))
    env = {
      ...ofReader(process.env),
      PATH: `${join(folder, 'node/node_modules/node/bin')}:${process.env.PATH}`,
      // The key file of the user who runs the tests stays as it is.
      XDG_CACHE_HOME: join(folder, 'cache'),
      MAYFLY_HTTP_PORT: String(http),
      MAYFLY_SMTP_PORT: '0',
      MAYFLY_URL: `http://127.0.0.1:${http}`,
    }
    blocks = await readmeBlocks()
  }, 2 * MINUTES)
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const running = new Set<ReturnType<typeof spawnShell>>()
  const start = (code: string, where: 'mayfly' | 'project') => {
    const child = spawnShell(code, join(folder, where), env)
    running.add(child)
    return child
  }
  const shell = async (block: string, where: 'mayfly' | 'project') => {
    const { code, output } = await ended(start(block, where))
    if (code !== 0) throw new Error(`${block}\nended with ${code}:\n${output}`)
    return output
  }

  test(
    'each block works as it is copied',
    async () => {
      expect((await run('node', ['--version'], { env })).stdout).toMatch(`v${version}.`)
      const giveUp = setTimeout(() => endAll(running), BLOCKS_END_AFTER)
      try {
        await ready(start(blocks.start, 'mayfly'))
        expect((await fetch(`${env.MAYFLY_URL}/api/health`)).status).toBe(200)
        await shell('npm init --yes', 'project')
        await shell(blocks.install, 'project')
        await writeFile(join(folder, 'project/example.mjs'), blocks.example)
        expect(await shell('node example.mjs', 'project')).toBe('739105\n')
        // The whole suite would begin this test again.
        expect(blocks.tests).toMatch(/^npm test\s/)
        const output = await shell('npm test -- test/core/address', 'mayfly')
        expect(output).toMatch(/^Tests: +\d+ passed, \d+ total$/m)
      } finally {
        clearTimeout(giveUp)
        await endAll(running)
      }
    },
    BLOCKS_END_AFTER + MINUTES,
  )
})

/** The environment without what npm and Jest add to it. */
function ofReader(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isOurs = (name: string) => /^(npm_|MAYFLY_|JEST_|NODE_ENV|INIT_CWD)/.test(name)
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isOurs(name)))
}

/** The first four blocks of the README, which are those that a reader copies. */
async function readmeBlocks() {
  const text = await readFile(join(ROOT, 'README.md'), 'utf8')
  const found = [...text.matchAll(/^```(\w+) (\w+)\n(.*?)^```$/gms)].slice(0, 4)
  expect(found.map(([, language, kind]) => `${language} ${kind}`)).toEqual([
    'sh clone',
    'sh clone',
    'sh project',
    'js run',
  ])
  const [start, tests, install, example] = found.map((block) => block[3]!) as [string, string, string, string]
  return { start, tests, install, example }
}

/** A shell in a group of its own, which ends with all that it started. */
const spawnShell = (code: string, cwd: string, env: NodeJS.ProcessEnv) =>
  spawn('bash', ['-euo', 'pipefail', '-c', code], {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })

/** Ends the shells of the blocks and all that they started. */
async function endAll(shells: Set<ChildProcess>): Promise<void> {
  for (const shell of shells) {
    if (shell.pid === undefined || shell.exitCode !== null || shell.signalCode !== null) continue
    const closed = once(shell, 'close')
    process.kill(-shell.pid, 'SIGKILL')
    await closed
  }
}

async function ready(service: ChildProcess): Promise<void> {
  let output = ''
  service.stderr?.on('data', (chunk) => {
    output += chunk
  })
  for await (const line of createInterface({ input: service.stdout! })) {
    output += `${line}\n`
    if (line.startsWith('mayfly ready')) return
  }
  throw new Error(`The service ended before it was ready:\n${output}`)
}
