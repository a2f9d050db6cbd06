import { promisify } from 'node:util'
import { beforeEach, expect, jest, test } from '@jest/globals'

/* proc(5): the files of a machine on which a process listens on port 8080, with socket 4711. */

const TCP = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 4711 1 0 100
   1: 0100007F:1F91 0100007F:8000 01 00000000:00000000 00:00000000 00000000  1000        0 4712 1 0 100`

let folders: Record<string, string[]>
let links: Record<string, string>

async function entryOf<T>(entries: Record<string, T>, path: string): Promise<T> {
  if (!Object.hasOwn(entries, path)) throw Object.assign(new Error(`EACCES, ${path}`), { code: 'EACCES' })
  return entries[path] as T
}

jest.unstable_mockModule('node:fs/promises', () => ({
  readFile: (path: string) => entryOf({ '/proc/net/tcp': TCP }, path),
  readdir: (path: string) => entryOf(folders, path),
  readlink: (path: string) => entryOf(links, path),
}))
/** What lsof(8) prints; undefined if it fails. */
let listed: string | undefined
const asked: unknown[][] = []
const execFile = () => {}
Object.assign(execFile, {
  [promisify.custom]: async (...command: unknown[]) => {
    asked.push(command)
    if (listed === undefined) throw new Error('spawn lsof ENOENT')
    return { stdout: listed, stderr: '' }
  },
})
jest.unstable_mockModule('node:child_process', () => ({ execFile }))
const { portHolder } = await import('../../local-service/port-holder.ts')

beforeEach(() => {
  Object.defineProperty(process, 'platform', { value: 'linux', configurable: true })
  folders = { '/proc': ['net', '7', '12'], '/proc/7/fd': ['0'], '/proc/12/fd': ['0', '9'] }
  links = {
    '/proc/7/fd/0': 'socket:[4712]',
    '/proc/12/fd/9': 'socket:[4711]',
    '/proc/12/exe': '/usr/sbin/nginx',
  }
})

test('the process that listens on a port is found by its socket', async () => {
  expect(await portHolder(8080)).toEqual({ pid: 12, name: 'nginx' })
})

test('a process of another user, whose files cannot be read, is not named', async () => {
  delete folders['/proc/12/fd']
  expect(await portHolder(8080)).toBeUndefined()
})

test.each([8081, 8082])('no process listens on port %i', async (port) => {
  expect(await portHolder(port)).toBeUndefined()
})

test.each([
  ['p12\ncnginx: worker\nf6\n', { pid: 12, name: 'nginx: worker' }],
  ['p12\ncnode\nf20\np13\ncother\n', { pid: 12, name: 'node' }],
  ['', undefined],
  [undefined, undefined],
])('elsewhere lsof names the process: %j', async (output, holder) => {
  Object.defineProperty(process, 'platform', { value: 'darwin', configurable: true })
  listed = output
  expect(await portHolder(8080)).toEqual(holder)
  expect(asked.at(-1)).toEqual(['lsof', ['-nP', '-iTCP:8080', '-sTCP:LISTEN', '-Fpc'], { timeout: 5000 }])
})
