import { execFile } from 'node:child_process'
import { readdir, readFile, readlink } from 'node:fs/promises'
import { basename } from 'node:path'
import { promisify } from 'node:util'
import { SECOND_MS } from '../core/limits.ts'

/** A process that listens on a port. */
export interface PortHolder {
  pid: number
  name: string
}

/** The state LISTEN in /proc/net/tcp. */
const LISTEN = '0A'

/**
 * Returns the process that listens on a TCP port of this machine; undefined if the system does not
 * tell, as for a process of another user.
 */
export async function portHolder(port: number): Promise<PortHolder | undefined> {
  return process.platform === 'linux' ? holderInProc(port) : holderByLsof(port)
}

/** Linux: proc(5), /proc/net/tcp names the inode of each socket, /proc/[pid]/fd who has it open. */
async function holderInProc(port: number): Promise<PortHolder | undefined> {
  const inodes = new Set<string>()
  for (const file of ['/proc/net/tcp', '/proc/net/tcp6']) {
    const lines = (await textOf(file)).split('\n').map((line) => line.trim().split(/\s+/))
    for (const [, local = '', , state, , , , , , inode = ''] of lines) {
      if (state === LISTEN && Number.parseInt(local.split(':')[1] ?? '', 16) === port) inodes.add(inode)
    }
  }
  if (inodes.size === 0) return undefined
  for (const pid of await namesIn('/proc')) {
    if (/^\d+$/.test(pid) && (await hasSocket(pid, inodes))) {
      return { pid: Number(pid), name: basename(await readlink(`/proc/${pid}/exe`)) }
    }
  }
  return undefined
}

async function hasSocket(pid: string, inodes: ReadonlySet<string>): Promise<boolean> {
  for (const fd of await namesIn(`/proc/${pid}/fd`)) {
    const target = await readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')
    if (inodes.has(/^socket:\[(\d+)\]$/.exec(target)?.[1] ?? '')) return true
  }
  return false
}

/** macOS and BSD: lsof(8) with one field in a line, `p` for the process and `c` for its name. */
async function holderByLsof(port: number): Promise<PortHolder | undefined> {
  try {
    const { stdout } = await promisify(execFile)('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc'], {
      timeout: 5 * SECOND_MS,
    })
    const [, pid, name] = /^p(\d+)\nc(.+)$/m.exec(stdout) ?? []
    return pid === undefined ? undefined : { pid: Number(pid), name: name! }
  } catch {
    return undefined
  }
}

/** Empty for a file that cannot be read. */
const textOf = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '')

/** Empty for a folder that cannot be read. */
const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => [])
