import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * A real file system of a few megabytes, visible only to the processes started through it, and gone
 * with them.
 */
export interface SmallDisk {
  dir: string
  /** The command that starts another command there: see startService. */
  through: string[]
  /** Uses up every free block. */
  fill(): void
  /** Frees what `fill` used. */
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

/**
 * Undefined where this system allows no private file system: it needs Linux, and root or user
 * namespaces.
 */
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
      // It also takes what the service frees meanwhile.
      for (const size of [1_000_000, 65_536, 4096]) {
        try {
          for (;;) writeSync(file, Buffer.alloc(size))
        } catch {
          // A write of this size does not fit; a smaller one may.
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
