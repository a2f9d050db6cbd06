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
  /** An empty folder but for what the tarballs brought into its node_modules. */
  folder: string
  remove(): Promise<void>
}

let tarballs: Promise<string[]> | undefined

/** The tarballs of the packages, packed once. */
function packed(): Promise<string[]> {
  tarballs ??= (async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mayfly-tarballs-'))
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    const args = ['pack', '--workspace', 'packages/client', '--workspace', 'packages/mayfly']
    await run('npm', [...args, '--pack-destination', folder, '--silent'], { cwd: ROOT })
    return ['mayfly-client-0.2.0.tgz', 'mayfly-0.2.0.tgz'].map((name) => join(folder, name))
  })()
  return tarballs
}

/** Installs the packed packages into an empty folder, as somebody else's project would, without the network. */
export async function install(more: string[] = []): Promise<Installed> {
  const folder = await mkdtemp(join(tmpdir(), 'mayfly-installed-'))
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', type: 'module' }))
  const offline = more.length === 0 ? ['--offline'] : []
  await run('npm', ['install', '--no-audit', '--no-fund', ...offline, ...(await packed()), ...more], {
    cwd: folder,
  })
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}
