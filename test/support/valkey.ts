import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { describe, test } from '@jest/globals'
import { freePort, listens } from './ports.ts'

const START_MS = 10_000

export interface ValkeyServer {
  url: string
  /** Kills the server without a shutdown. */
  kill(): Promise<void>
  /** Starts the server again at the same port. */
  start(): Promise<void>
  /** Makes the server keep its connections, but send nothing. */
  hang(): void
  goOn(): void
}

/**
 * `describe` for tests that need a server with the protocol of Valkey: redis-server 7.0 of Debian,
 * the predecessor of Valkey. Without it, the run reports the tests as to-do and continues.
 */
export function describeOnValkey(name: string, define: () => void): void {
  if (spawnSync('redis-server', ['--version']).status === 0) {
    describe(name, define)
    return
  }
  process.stderr.write(`LEFT OUT: ${name}. It runs on redis-server, which apt-get installs.\n`)
  describe(name, () => test.todo('needs redis-server'))
}

export async function startValkey(): Promise<ValkeyServer> {
  const port = await freePort()
  let child: ChildProcess
  const valkey: ValkeyServer = {
    url: `redis://127.0.0.1:${port}`,
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
    async start() {
      const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
      child = spawn('redis-server', args, { stdio: 'ignore' })
      for (const end = Date.now() + START_MS; !(await listens(port)); ) {
        if (Date.now() > end) throw new Error('redis-server does not answer')
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
    hang: () => void child.kill('SIGSTOP'),
    goOn: () => void child.kill('SIGCONT'),
  }
  await valkey.start()
  return valkey
}
