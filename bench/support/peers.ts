import { execFile, spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../../test/support/ports.ts'
import type { Server } from './intake-server.ts'

const run = promisify(execFile)
/** The newest version that the Go module proxy has under this name. */
const MAILPIT = '1.27.11'
const MAILDEV = '3.0.0'
const START_MS = 30_000

export interface Peer {
  name: string
  start: () => Promise<Server>
}

/**
 * Builds Mailpit from the Go module proxy, without its pages, and installs MailDev from npm, both
 * into a folder. Needs Go 1.24 or newer.
 */
export async function installPeers(folder: string): Promise<{ mailpit: Peer; maildev: Peer }> {
  await Promise.all([buildMailpit(folder), installMailDev(folder)])
  return {
    mailpit: {
      name: `Mailpit ${MAILPIT}`,
      start: () =>
        startPeer(join(folder, 'mailpit'), (smtp, web) => [
          ...['--smtp', `127.0.0.1:${smtp}`, '--listen', `127.0.0.1:${web}`],
          ...['--database', join(folder, 'mailpit.db'), '--max', '0', '--disable-version-check', '--quiet'],
        ]),
    },
    maildev: {
      name: `MailDev ${MAILDEV}`,
      start: () =>
        startPeer(process.execPath, (smtp, web) => [
          join(folder, 'maildev/node_modules/maildev/dist/bin/maildev.js'),
          ...[
            '--smtp',
            `${smtp}`,
            '--web',
            `${web}`,
            '--ip',
            '127.0.0.1',
            '--web-ip',
            '127.0.0.1',
            '--silent',
          ],
        ]),
    },
  }
}

async function buildMailpit(folder: string): Promise<void> {
  const module = join(folder, 'go')
  await mkdir(module)
  await writeFile(join(module, 'go.mod'), 'module peers\n\ngo 1.24\n')
  const options = { cwd: module, env: { ...process.env, GOFLAGS: '-mod=mod' } }
  await run('go', ['get', `github.com/axllent/mailpit@v${MAILPIT}`], options)
  await run('go', ['build', '-o', join(folder, 'mailpit'), 'github.com/axllent/mailpit'], options)
}

async function installMailDev(folder: string): Promise<void> {
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  await run('npm', ['install', '--prefix', join(folder, 'maildev'), ...options, `maildev@${MAILDEV}`])
}

/** Starts a program on free ports. Resolves when it accepts SMTP connections. */
async function startPeer(
  command: string,
  argumentsOf: (smtp: number, web: number) => string[],
): Promise<Server> {
  const port = await freePort()
  const child = spawn(command, argumentsOf(port, await freePort()), {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const end = performance.now() + START_MS
  while (!(await accepts(port))) {
    if (child.exitCode !== null || performance.now() > end) {
      child.kill('SIGKILL')
      throw new Error(`${command} did not start`)
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return { process: child, host: '127.0.0.1', port }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const end = (isOpen: boolean) => {
      socket.destroy()
      resolve(isOpen)
    }
    socket.once('connect', () => end(true)).once('error', () => end(false))
  })
}
