import { execFile } from 'node:child_process'
import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Makes an empty folder somebody else's project of CDK, with the construct from its tarball and the CDK that they have. */
export async function installConstruct(folder: string): Promise<void> {
  const pack = ['pack', '--workspace', 'packages/cdk', '--pack-destination', folder, '--silent']
  await run('npm', pack, { cwd: ROOT })
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', type: 'module' }))
  // The CDK comes by links: it is theirs, and half a gigabyte.
  const args = ['install', '--offline', '--legacy-peer-deps', '--no-audit', '--no-fund']
  await run('npm', [...args, join(folder, 'mayfly-cdk-0.2.0.tgz')], { cwd: folder })
  for (const name of ['aws-cdk-lib', 'constructs', 'cdk-nag', '@types'])
    await symlink(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name))
}
