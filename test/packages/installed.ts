import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export interface Installed {
  /** A project that contains only the installed packages. */
  folder: string
  /** Duration of `npm install` in ms. */
  installMs: number
  remove(): Promise<void>
}

let tarballs: Promise<string[]> | undefined

/** The paths of the tarballs, in the order of `names`. */
export async function pack(names: string[], folder: string): Promise<string[]> {
  const workspaces = names.flatMap((name) => ['--workspace', `packages/${name}`])
  const args = ['pack', ...workspaces, '--pack-destination', folder, '--json', '--loglevel=error']
  const { stdout } = await run('npm', args, { cwd: ROOT, maxBuffer: 2 ** 24 })
  const packed = JSON.parse(stdout) as { filename: string }[]
  return packed.map(({ filename }) => join(folder, filename))
}

/** The tarballs of the client and the service, packed once for the process. */
function packed(): Promise<string[]> {
  tarballs ??= (async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mayfly-tarballs-'))
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    return pack(['client', 'mayfly'], folder)
  })()
  return tarballs
}

/** Installs the packed packages into an empty project, without the network unless `more` names other packages. */
export async function install(more: string[] = []): Promise<Installed> {
  const folder = await mkdtemp(join(tmpdir(), 'mayfly-installed-'))
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', type: 'module' }))
  const offline = more.length === 0 ? ['--offline'] : []
  const args = ['install', '--no-audit', '--no-fund', ...offline, ...(await packed()), ...more]
  const startedAt = performance.now()
  await run('npm', args, { cwd: folder })
  const installMs = performance.now() - startedAt
  return { folder, installMs, remove: () => rm(folder, { recursive: true, force: true }) }
}
