/**
 * Builds dist; `npm pack` runs it. The construct is one ES module, which imports the CDK of the
 * user's app. The programs that it deploys are beside it, as lib/bundling builds them.
 */
import { execFileSync } from 'node:child_process'
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { bundleAll } from '../../../lib/bundling/bundles.ts'

const folder = fileURLToPath(new URL('..', import.meta.url))
const root = join(folder, '../..')
const dist = join(folder, 'dist')
const require = createRequire(import.meta.url)

await rm(dist, { recursive: true, force: true })
await build({
  absWorkingDir: root,
  entryPoints: ['packages/cdk/src/index.ts'],
  outdir: dist,
  bundle: true,
  packages: 'external',
  format: 'esm',
  platform: 'node',
  target: 'node20',
  keepNames: true,
  logLevel: 'warning',
})
await bundleAll(join(dist, 'bundles'))
execFileSync(process.execPath, [join(root, 'web/build.ts')], { stdio: 'inherit' })
await cp(join(root, 'web/dist'), join(dist, 'pages'), { recursive: true })

const types = join(dist, 'types')
const compiler = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc')
execFileSync(process.execPath, [compiler, '--project', folder, '--outDir', types], { stdio: 'inherit' })
for (const name of await readdir(types, { recursive: true })) {
  if (!name.endsWith('.d.ts')) continue
  const file = join(types, name)
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replace(/'(\.{1,2}\/[^']*)\.ts'/g, "'$1.js'"))
}
