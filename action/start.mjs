/**
 * Starts the service for the steps of a job that follow, and tells them where it is. Runs as the runner has it:
 * inputs, state and outputs are environment variables and files
 * (docs.github.com/actions, "Workflow commands for GitHub Actions").
 */
import { execFileSync, spawn } from 'node:child_process'
import { appendFileSync, closeSync, existsSync, mkdtempSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const READY = /^mayfly ready http=(\S+) smtp=(\S+):(\d+)$/m
const PATIENCE_MS = 60_000

const root = fileURLToPath(new URL('..', import.meta.url))
const input = (name) => process.env[`INPUT_${name.toUpperCase()}`] ?? ''
const tell = (file, values) => {
  for (const [name, value] of Object.entries(values)) appendFileSync(process.env[file], `${name}=${value}\n`)
}

try {
  // A checkout of the action has its sources alone.
  if (!existsSync(join(root, 'node_modules'))) {
    execFileSync('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund'], { cwd: root, stdio: 'inherit' })
  }
  const folder = mkdtempSync(join(process.env.RUNNER_TEMP, 'mayfly-'))
  const log = join(folder, 'mayfly.log')
  tell('GITHUB_STATE', { log })
  const { pid, ready } = await start(log, join(folder, 'data'))
  const [, url, host, port] = ready
  const key = await newKey(url)
  console.log(`::add-mask::${key}`)
  tell('GITHUB_ENV', { MAYFLY_URL: url, MAYFLY_API_KEY: key, SMTP_HOST: host, SMTP_PORT: port })
  tell('GITHUB_OUTPUT', { url, smtp_host: host, smtp_port: port, pid })
  console.log(`Mayfly is at ${url}, and takes mail at ${host}:${port}.`)
} catch (error) {
  console.log(`::error title=Mayfly did not start::${error.message.replaceAll('\n', '%0A')}`)
  process.exitCode = 1
}

/** Resolves when the service says where it listens. It stays when this process ends. */
async function start(log, data) {
  const config = input('config')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)])
  const output = openSync(log, 'a')
  // What `npm start` runs, without npm between this process and that one.
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const program = scripts.start.split(' ').slice(1)
  const child = spawn(process.execPath, program, {
    cwd: root,
    detached: true,
    stdio: ['ignore', output, output],
    env: {
      ...process.env,
      MAYFLY_DATA_DIR: data,
      MAYFLY_DOMAINS: input('domains'),
      MAYFLY_HTTP_PORT: input('http_port'),
      MAYFLY_SMTP_PORT: input('smtp_port'),
      ...Object.fromEntries(config),
    },
  })
  closeSync(output)
  child.unref()
  for (let waited = 0; waited < PATIENCE_MS; waited += 50) {
    const text = readFileSync(log, 'utf8')
    const ready = READY.exec(text)
    if (ready !== null) return { pid: child.pid, ready }
    if (child.exitCode !== null) throw new Error(`It ended with code ${child.exitCode}.\n${text}`)
    await sleep(50)
  }
  throw new Error(`It was not ready after ${PATIENCE_MS / 1000} s.\n${readFileSync(log, 'utf8')}`)
}

/** One for the whole job: each client that takes its own uses up the day's. */
async function newKey(url) {
  const answer = await fetch(`${url}/api/keys`, { method: 'POST' })
  return (await answer.json()).key
}
