import { execFile } from 'node:child_process'
import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { pack } from './installed.ts'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Makes an empty folder a CDK project of a user, with the construct from its tarball and the user's own CDK. */
export async function installConstruct(folder: string): Promise<void> {
  const tarballs = await pack(['cdk'], folder)
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', type: 'module' }))
  // The CDK is linked, because it has half a gigabyte.
  const args = ['install', '--offline', '--legacy-peer-deps', '--no-audit', '--no-fund']
  await run('npm', [...args, ...tarballs], { cwd: folder })
  for (const name of ['aws-cdk-lib', 'constructs', '@types'])
    await symlink(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name))
}
