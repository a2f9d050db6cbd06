import { execFile, spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { install } from '../../test/packages/installed.ts'
import type { Group } from '../support/figures.ts'
import { median } from '../support/quantiles.ts'
import { startService } from '../support/service.ts'

/** A test that runs the service inside its own process. */
const IN_PROCESS = `
const began = performance.now()
const { startMayfly } = await import('mayfly')
const imported = performance.now()
const first = await startMayfly()
const ready = performance.now()
const second = await startMayfly()
console.log(JSON.stringify([imported - began, ready - imported, performance.now() - ready]))
await Promise.all([first.stop(), second.stop()])`

/**
 * How long until the service accepts mail and answers, from the start of its process: in a clone
 * (`npm start`, without npm's own time), as the command of the package `mayfly` installed from its
 * tarball, and by `startMayfly()` in a running process. Each with a new store; medians, without the
 * first run.
 */
export const ready: Group = {
  name: 'ready',
  async measure({ quick, progress }) {
    const turns = quick ? 3 : 21
    progress('installing the packages')
    const { folder, remove } = await install()
    try {
      await writeFile(join(folder, 'in-process.mjs'), IN_PROCESS)
      const clone: number[] = []
      const command: number[] = []
      const inProcess: number[][] = []
      progress(`${turns} turns`)
      for (let turn = 0; turn <= turns; turn++) {
        const cloneMs = await timed(async () => (await startService()).stop)
        const commandMs = await timed(() => startCommand(folder))
        const { stdout } = await promisify(execFile)(process.execPath, ['in-process.mjs'], { cwd: folder })
        if (turn === 0) continue
        clone.push(cloneMs)
        command.push(commandMs)
        inProcess.push(JSON.parse(stdout))
      }
      const step = (i: number) => median(inProcess.map((times) => times[i]!))
      return {
        figures: [
          { name: 'a clone, as npm start runs it', value: median(clone), unit: 'ms' },
          { name: 'the command mayfly', value: median(command), unit: 'ms', target: { most: 1000 } },
          { name: "import('mayfly')", value: step(0), unit: 'ms' },
          {
            name: 'startMayfly(), the first of a process',
            value: step(1),
            unit: 'ms',
            target: { most: 500 },
          },
          { name: 'startMayfly(), another beside it', value: step(2), unit: 'ms' },
        ],
      }
    } finally {
      await remove()
    }
  },
}

/** Milliseconds until it is ready; it is then stopped. */
async function timed(start: () => Promise<() => Promise<unknown>>): Promise<number> {
  const began = performance.now()
  const stop = await start()
  const ms = performance.now() - began
  await stop()
  return ms
}

async function startCommand(folder: string): Promise<() => Promise<unknown>> {
  const env = {
    PATH: `${join(process.execPath, '..')}:${process.env.PATH}`,
    MAYFLY_HTTP_PORT: '0',
    MAYFLY_SMTP_PORT: '0',
    MAYFLY_DATA_DIR: join(folder, 'data'),
  }
  const child = spawn(join(folder, 'node_modules/.bin/mayfly'), [], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith('mayfly ready')) continue
    return () => {
      child.kill('SIGTERM')
      return ended
    }
  }
  throw new Error('the command ended before it was ready')
}
