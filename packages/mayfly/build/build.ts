/** Builds dist and web; `npm pack` runs it. Everything but @mayfly/client is bundled. */
import { execFileSync } from 'node:child_process'
import { copyFile, cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { BUNDLING, THREADS } from '../../../local-service/bundling.ts'

const folder = fileURLToPath(new URL('..', import.meta.url))
const root = join(folder, '../..')
const dist = join(folder, 'dist')
const require = createRequire(import.meta.url)

/** The client is a package of its own, so that its classes are the same ones in both packages. */
const client: Plugin = {
  name: 'client',
  setup({ onResolve }) {
    onResolve({ filter: /\/client\/src\/node\.ts$/ }, () => ({ path: '@mayfly/client', external: true }))
  },
}

await copyFile(join(root, 'LICENSE'), join(folder, 'LICENSE'))
await rm(dist, { recursive: true, force: true })
await rm(join(folder, 'web'), { recursive: true, force: true })
await build({
  ...BUNDLING,
  entryPoints: ['packages/mayfly/src/index.ts', 'packages/mayfly/src/cli.ts', ...THREADS],
  outdir: dist,
  // With escapes, the words of the languages would take 0.2 MB more.
  charset: 'utf8',
  sourcemap: true,
  sourcesContent: false,
  plugins: [...BUNDLING.plugins, client],
})
await removeMapsOfLibraries()
await writeFile(join(dist, 'index.cjs'), commonJs())
execFileSync(process.execPath, [join(root, 'web/build.ts')], { stdio: 'inherit' })
await cp(join(root, 'web/dist'), join(folder, 'web/dist'), { recursive: true })
await types()

/**
 * Source maps serve stack traces of this project. Those of bundled libraries would be a third of
 * the package.
 */
async function removeMapsOfLibraries(): Promise<void> {
  for (const name of (await readdir(dist)).filter((file) => file.endsWith('.map'))) {
    const { sources } = JSON.parse(await readFile(join(dist, name), 'utf8')) as { sources: string[] }
    const libraries = sources.filter((source) => source.includes('node_modules/'))
    if (libraries.length * 2 <= sources.length) continue
    await rm(join(dist, name))
    const code = join(dist, name.slice(0, -'.map'.length))
    await writeFile(code, (await readFile(code, 'utf8')).replace(/\/\/# sourceMappingURL=.*\n?$/, ''))
  }
}

/** For CommonJS: the service is an ES module, which CommonJS loads when the service starts. */
function commonJs(): string {
  return `'use strict'
exports.startMayfly = async (config) => (await import('./index.js')).startMayfly(config)
Object.assign(exports, require('@mayfly/client'))
`
}

/** The declarations of the public modules, as `.d.ts` for modules and as `.d.cts` for CommonJS. */
async function types(): Promise<void> {
  const all = await mkdtemp(join(folder, 'types-'))
  const compiler = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc')
  execFileSync(process.execPath, [compiler, '--project', folder, '--outDir', all], { stdio: 'inherit' })
  for (const name of ['index', 'start', 'variables']) {
    const text = (await readFile(join(all, `packages/mayfly/src/${name}.d.ts`), 'utf8'))
      .replaceAll("'../../client/src/node.ts'", "'@mayfly/client'")
      .replace(/^import type \{ SERVICE_VARIABLES \}.*\n/m, '')
    const lib = text.includes('Symbol.asyncDispose') ? '/// <reference lib="esnext.disposable" />\n' : ''
    const withExtension = (extension: string) =>
      lib + text.replace(/(from '\.[^']*)\.ts'/g, `$1.${extension}'`)
    await writeFile(join(dist, `${name}.d.ts`), withExtension('js'))
    await writeFile(join(dist, `${name}.d.cts`), withExtension('cjs'))
  }
  await rm(all, { recursive: true })
}
