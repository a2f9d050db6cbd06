/** Builds dist: `npm pack` does it by itself. */
import { execFileSync } from 'node:child_process'
import { copyFile, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { wireTypes } from './wire.ts'

const folder = fileURLToPath(new URL('..', import.meta.url))

await writeFile(join(folder, 'src/wire.ts'), wireTypes())
await copyFile(join(folder, '../../LICENSE'), join(folder, 'LICENSE'))
await rm(join(folder, 'dist'), { recursive: true, force: true })
await build({
  absWorkingDir: folder,
  entryPoints: [
    'src/index.ts',
    'src/node.ts',
    ...['playwright', 'vitest', 'jest', 'jest-teardown', 'cypress', 'cypress-plugin'].map(
      (name) => `src/fixtures/${name}.ts`,
    ),
  ],
  entryNames: '[name]',
  outdir: 'dist',
  bundle: true,
  // What the entries share is one module, so that an error of one is an instance of the other's class.
  splitting: true,
  format: 'esm',
  target: 'es2022',
  platform: 'neutral',
  external: ['node:*', '@playwright/test'],
  minifySyntax: true,
  minifyWhitespace: true,
  logLevel: 'warning',
})
// For tests that Jest loads as CommonJS, as it does unless it is told otherwise.
await build({
  absWorkingDir: folder,
  entryPoints: ['src/node.ts'],
  outfile: 'dist/node.cjs',
  bundle: true,
  format: 'cjs',
  target: 'es2022',
  platform: 'node',
  logLevel: 'warning',
})
const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
execFileSync(process.execPath, [compiler, '--project', folder], { stdio: 'inherit' })

// The compiler mends the paths of imports in JavaScript alone.
const dist = join(folder, 'dist')
for (const name of (await readdir(dist, { recursive: true })).filter((file) => file.endsWith('.d.ts'))) {
  const types = await readFile(join(dist, name), 'utf8')
  await writeFile(join(dist, name), types.replace(/(from '\.[^']*)\.ts'/g, "$1.js'"))
}
