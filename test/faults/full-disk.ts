import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A real file system of a few megabytes that only what is started through it sees, and that goes with it. */
export interface SmallDisk {
  dir: string
  /** The command that starts another one there: see startService. */
  through: string[]
  /** Leaves not one block free. */
  fill(): void
  /** Gives back what `fill` took. */
  free(): void
  remove(): Promise<void>
}

const WAYS = [
  { unshare: ['--mount'], enter: ['--mount'] },
  {
    unshare: ['--user', '--map-root-user', '--mount'],
    enter: ['--user', '--preserve-credentials', '--mount'],
  },
]

/** Undefined where this system lets nobody make a file system for itself: it takes Linux, and root or user namespaces. */
export async function smallDisk(megabytes: number): Promise<SmallDisk | undefined> {
  const dir = await mkdtemp(join(tmpdir(), 'mayfly-disk-'))
  const mount = `mount -t tmpfs -o size=${megabytes}m tmpfs '${dir}'`
  const way = WAYS.find(({ unshare }) => spawnSync('unshare', [...unshare, 'sh', '-c', mount]).status === 0)
  if (way === undefined) {
    await rm(dir, { recursive: true })
    return undefined
  }
  const script = `${mount} && echo there && exec sleep 600`
  const holder: ChildProcess = spawn('unshare', [...way.unshare, 'sh', '-c', script])
  await once(holder.stdout!, 'data')
  const ballast = `/proc/${holder.pid}/root${dir}/ballast`
  return {
    dir,
    through: ['nsenter', '--target', String(holder.pid), ...way.enter, '--'],
    fill() {
      const file = openSync(ballast, 'a')
      // Whatever the service frees meanwhile is taken too.
      for (const size of [1_000_000, 65_536, 4096]) {
        try {
          for (;;) writeSync(file, Buffer.alloc(size))
        } catch {
          // Not so much at once.
        }
      }
      closeSync(file)
    },
    free: () => rmSync(ballast),
    async remove() {
      holder.kill('SIGKILL')
      await once(holder, 'exit')
      await rm(dir, { recursive: true, force: true })
    },
  }
}
