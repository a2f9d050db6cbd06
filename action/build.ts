/**
 * Packs the packages that the action carries: `npm run build:action`, before a release. An argument
 * is another folder for the tarballs.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = process.argv[2] ?? join(root, 'action/packages')

mkdirSync(folder, { recursive: true })
// One after the other, because the service needs the built client for its types.
for (const [name, tarball] of [
  ['client', 'mayfly-client'],
  ['mayfly', 'mayfly'],
] as const) {
  const args = [
    'pack',
    '--workspace',
    `packages/${name}`,
    '--pack-destination',
    folder,
    '--json',
    '--loglevel=error',
  ]
  const [packed] = JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8' })) as {
    filename: string
  }[]
  if (packed === undefined) throw new Error(`npm packed nothing for ${name}.`)
  renameSync(join(folder, packed.filename), join(folder, `${tarball}.tgz`))
}
