import {
  type ChildProcess,
  type ChildProcessByStdio,
  type ChildProcessWithoutNullStreams,
  spawn,
} from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'

export interface RunningService {
  http: string
  smtp: { host: string; port: number }
  dataDir: string
  process: ChildProcess
  /** Everything on standard output and standard error so far. */
  output(): string
  /** Sends SIGTERM; resolves to the exit code. */
  stop(): Promise<number | null>
  /** Sends SIGKILL, which ends the process as abruptly as a power cut. */
  kill(): Promise<void>
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: { start: string }
}
/** The options that `npm start` passes to Node. */
const OPTIONS = scripts.start.split(' ').filter((argument) => argument.startsWith('-'))
/** The program of `npm run dev`, so that tests run the sources. */
const FROM_SOURCES = join(ROOT, 'bin/local.js')
/** The program of `npm start`, which runs the bundle while it is current. */
export const AS_NPM_START = join(ROOT, 'bin/start.js')

/**
 * Starts the real one-machine service as a separate process, on free ports.
 * @param options.program the file that Node runs
 * @param options.through a command that runs the command after it in its place, such as `nsenter`
 */
export async function startService(
  env: Record<string, string> = {},
  {
    dataDir,
    program = FROM_SOURCES,
    through = [],
  }: { dataDir?: string; program?: string; through?: string[] } = {},
): Promise<RunningService> {
  const dir = dataDir ?? (await mkdtemp(join(tmpdir(), 'mayfly-')))
  const command = [...through, process.execPath, ...nodeArguments(program)]
  const child = spawn(command[0]!, command.slice(1), {
    env: {
      PATH: process.env.PATH,
      // The key file of the user who runs the tests stays as it is.
      XDG_CACHE_HOME: dir,
      MAYFLY_HTTP_PORT: '0',
      MAYFLY_SMTP_PORT: '0',
      // Most tests need a service that knows which domains exist.
      MAYFLY_CATCH_ALL: 'off',
      MAYFLY_DATA_DIR: dir,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk
  })
  const ready = Promise.withResolvers<RegExpExecArray>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    output += `${line}\n`
    const match = /^mayfly ready http=(\S+) smtp=(\S+):(\d+)$/.exec(line)
    if (match) ready.resolve(match)
  })
  const exited = once(child, 'close').then(async ([code]) => {
    ready.reject(new Error(`the service ended with code ${code}:\n${output}`))
    // Jest shows it if the suite fails: a test sees only that its connection was closed.
    if (code) console.error(`A service ended with code ${code}:\n${output.slice(-2000)}`)
    if (dataDir === undefined) await rm(dir, { recursive: true, force: true })
    return code as number | null
  })
  const [, http, host, port] = await ready.promise
  return {
    http: http!,
    smtp: { host: host!, port: Number(port) },
    dataDir: dir,
    process: child,
    output: () => output,
    stop: () => {
      child.kill('SIGTERM')
      return exited
    },
    kill: async () => {
      child.kill('SIGKILL')
      await exited
    },
  }
}

function nodeArguments(program: string): string[] {
  return ['--disable-warning=ExperimentalWarning', ...OPTIONS, program]
}

/** Runs the service in a case where it is expected to end by itself. */
export async function runToEnd(
  env: Record<string, string>,
  program = FROM_SOURCES,
): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, nodeArguments(program), {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return ended(child)
}

/**
 * The exit code of a process and all of its output. `close` comes after `exit`, when all output was
 * read.
 */
export async function ended(
  child: ChildProcessWithoutNullStreams | ChildProcessByStdio<null, Readable, Readable>,
): Promise<{ code: number | null; output: string }> {
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk
    })
  }
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output }
}
