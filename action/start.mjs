/**
 * Starts the service for the later steps of a job and exports where it is. Inputs, state and
 * outputs are environment variables and files of the runner (docs.github.com/actions, "Workflow
 * commands for GitHub Actions").
 *
 * The action carries the packed packages, so a job installs nothing.
 */
import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFileSync, mkdirSync, mkdtempSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const READY = /^mayfly ready http=(\S+) smtp=(\S+):(\d+)$/m
const READY_MAX_MS = 60_000
const POLL_MS = 50

const packages = fileURLToPath(new URL('packages/', import.meta.url))
const input = (name) => process.env[`INPUT_${name.toUpperCase()}`] ?? ''
const write = (file, values) => {
  for (const [name, value] of Object.entries(values)) appendFileSync(process.env[file], `${name}=${value}\n`)
}

try {
  const folder = mkdtempSync(join(process.env.RUNNER_TEMP, 'mayfly-'))
  // One operator's key for the whole job: its tests meet no rate limit.
  const key = `mfo_${randomBytes(32).toString('base64url')}`
  console.log(`::add-mask::${key}`)
  write('GITHUB_STATE', { folder })
  const { pid, ready } = await start(folder, key)
  const [, url, host, port] = ready
  write('GITHUB_ENV', { MAYFLY_URL: url, MAYFLY_API_KEY: key, SMTP_HOST: host, SMTP_PORT: port })
  write('GITHUB_OUTPUT', { url, smtp_host: host, smtp_port: port, pid })
  console.log(`Mayfly answers at ${url} and accepts mail at ${host}:${port}.`)
} catch (error) {
  console.log(`::error title=Mayfly did not start::${error.message.replaceAll('\n', '%0A')}`)
  process.exitCode = 1
}

/** Resolves when the service is ready. The service continues when this process ends. */
async function start(folder, key) {
  const log = join(folder, 'mayfly.log')
  const output = openSync(log, 'a')
  const more = config()
  const child = spawn(process.execPath, ['--v8-pool-size=1', '--max-semi-space-size=4', unpack(folder)], {
    detached: true,
    stdio: ['ignore', output, output],
    env: {
      ...process.env,
      MAYFLY_DATA_DIR: join(folder, 'data'),
      MAYFLY_DOMAINS: input('domains'),
      MAYFLY_HTTP_PORT: input('http_port'),
      MAYFLY_SMTP_PORT: input('smtp_port'),
      ...more,
      // Keys of the job or of the input are accepted beside the one that later steps get.
      MAYFLY_API_KEYS: [key, more.MAYFLY_API_KEYS ?? process.env.MAYFLY_API_KEYS].filter(Boolean).join(','),
    },
  })
  child.unref()
  write('GITHUB_STATE', { pid: child.pid })
  for (let waitedMs = 0; waitedMs < READY_MAX_MS; waitedMs += POLL_MS) {
    const text = readFileSync(log, 'utf8')
    const ready = READY.exec(text)
    if (ready !== null) return { pid: child.pid, ready }
    if (child.exitCode !== null) throw new Error(`The service ended with code ${child.exitCode}.\n${text}`)
    if (child.signalCode !== null) throw new Error(`The service was ended by ${child.signalCode}.\n${text}`)
    await sleep(POLL_MS)
  }
  throw new Error(`The service was not ready after ${READY_MAX_MS / 1000} s.\n${readFileSync(log, 'utf8')}`)
}

/** The input `config`: one NAME=value a line. A value may contain `=`. */
function config() {
  const lines = input('config')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf('=')
      if (at < 1) throw new Error(`The input \`config\` has the line "${line}", which is not NAME=value.`)
      return [line.slice(0, at), line.slice(at + 1)]
    }),
  )
}

/** Unpacks the packages as npm would install them; returns the path of the command. */
function unpack(folder) {
  for (const [tarball, name] of [
    ['mayfly', 'mayfly'],
    ['mayfly-client', '@mayfly/client'],
  ]) {
    const target = join(folder, 'node_modules', name)
    mkdirSync(target, { recursive: true })
    execFileSync('tar', ['-xzf', join(packages, `${tarball}.tgz`), '--strip-components=1', '-C', target])
  }
  return join(folder, 'node_modules/mayfly/dist/cli.js')
}
