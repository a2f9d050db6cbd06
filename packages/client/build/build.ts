/**
 * Builds dist; `npm pack` runs it. Every entry exists as an ES module and as CommonJS, with types
 * for both.
 */
import { execFileSync } from 'node:child_process'
import { copyFile, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build, type Plugin } from 'esbuild'

const folder = fileURLToPath(new URL('..', import.meta.url))
const dist = join(folder, 'dist')
const FIXTURES = ['playwright', 'vitest', 'jest', 'jest-teardown', 'cypress', 'cypress-plugin']

await copyFile(join(folder, '../../LICENSE'), join(folder, 'LICENSE'))
await rm(dist, { recursive: true, force: true })

const common: BuildOptions = {
  absWorkingDir: folder,
  outdir: 'dist',
  entryNames: '[name]',
  bundle: true,
  target: 'es2022',
  sourcemap: true,
  logLevel: 'warning',
}
const fixtures = FIXTURES.map((name) => `src/fixtures/${name}.ts`)
const external = ['node:*', '@playwright/test']

await build({ ...common, entryPoints: ['src/index.ts'], format: 'esm', platform: 'neutral' })
await build({
  ...common,
  entryPoints: ['src/index.ts', 'src/node.ts'],
  format: 'cjs',
  platform: 'node',
  outExtension: { '.js': '.cjs' },
})
// On Node there is one implementation, the CommonJS one: an error that one module throws is an
// instance of the class that another module imports, however each of them was loaded.
await writeFile(
  join(dist, 'node.js'),
  `import client from './node.cjs'\nexport const { ${(await classes()).join(', ')} } = client\n`,
)
for (const [format, extension] of [
  ['esm', '.js'],
  ['cjs', '.cjs'],
] as const) {
  await build({
    ...common,
    entryPoints: fixtures,
    format,
    platform: 'node',
    external,
    plugins: [nodeEntry(`./node${extension}`)],
    outExtension: { '.js': extension },
  })
}
await types()

/** The fixtures import the Node entry instead of bundling a copy of it. */
function nodeEntry(path: string): Plugin {
  return {
    name: 'node-entry',
    setup({ onResolve }) {
      onResolve({ filter: /\/node\.ts$/ }, () => ({ path, external: true }))
    },
  }
}

/** The names that the package exports as values. */
async function classes(): Promise<string[]> {
  const module = createRequire(import.meta.url)(join(dist, 'node.cjs')) as object
  return Object.keys(module).filter((name) => name !== '__esModule')
}

/** Declarations, as `.d.ts` for modules and as `.d.cts` for CommonJS. */
async function types(): Promise<void> {
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
  execFileSync(process.execPath, [compiler, '--project', folder], { stdio: 'inherit' })
  for (const name of (await readdir(dist, { recursive: true })).filter((file) => file.endsWith('.d.ts'))) {
    const path = join(dist, name)
    const text = await readFile(path, 'utf8')
    // TypeScript resolves `Symbol.asyncDispose` in projects whose `lib` does not have it.
    const lib = text.includes('Symbol.asyncDispose') ? '/// <reference lib="esnext.disposable" />\n' : ''
    const withExtension = (extension: string) =>
      lib + text.replace(/(from '\.[^']*)\.ts'/g, `$1.${extension}'`)
    await writeFile(path, withExtension('js'))
    await writeFile(path.replace(/\.d\.ts$/, '.d.cts'), withExtension('cjs'))
  }
}
