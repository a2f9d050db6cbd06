import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, test } from '@jest/globals'
import { freePort } from '../support/ports.ts'

const PROGRAM = new URL('../../.venv/bin/ministack', import.meta.url).pathname
const START_MS = 30_000

/** The account of the emulator accepts any credentials. */
export const EMULATED = {
  region: 'us-east-1',
  credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
}

export interface Emulator {
  /**
   * By IP address: the SDK then puts the bucket into the path, and no host name has to be resolved.
   */
  endpoint: string
  stop(): Promise<void>
}

/**
 * `describe` for tests that need the AWS emulator. Without the emulator, the run reports them as
 * to-do and continues.
 */
export function describeOnEmulator(name: string, define: () => void): void {
  if (existsSync(PROGRAM)) {
    describe(name, define)
    return
  }
  process.stderr.write(`LEFT OUT: ${name}. It runs on the AWS emulator, which .ci/emulator installs.\n`)
  describe(name, () => test.todo('needs the AWS emulator'))
}

/** Starts the emulator (MiniStack) on a free port; its Lambda functions run as processes of this Node. */
export async function startEmulator(env: Record<string, string> = {}): Promise<Emulator> {
  const port = await freePort()
  const endpoint = `http://127.0.0.1:${port}`
  // The emulator passes its whole environment on to the Lambda functions, so it gets only what it
  // needs.
  const server = spawn(PROGRAM, [], {
    env: {
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      HOME: process.env.HOME,
      GATEWAY_PORT: String(port),
      BIND_HOST: '127.0.0.1',
      LAMBDA_EXECUTOR: 'local',
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let errors = ''
  server.stderr.on('data', (chunk: Buffer) => {
    errors = (errors + chunk).slice(-4000)
  })
  const end = Date.now() + START_MS
  while (!(await isHealthy(endpoint))) {
    if (server.exitCode !== null)
      throw new Error(`the emulator ended with code ${server.exitCode}:\n${errors}`)
    if (Date.now() > end) throw new Error(`the emulator does not answer:\n${errors}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return {
    endpoint,
    async stop() {
      server.kill('SIGTERM')
      if (server.exitCode === null && server.signalCode === null) await once(server, 'exit')
    },
  }
}

async function isHealthy(endpoint: string): Promise<boolean> {
  return fetch(`${endpoint}/_ministack/health`).then(
    (response) => response.ok,
    () => false,
  )
}
