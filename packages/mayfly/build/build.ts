/** Builds dist and web: `npm pack` does it by itself. Everything is bundled, so nothing else is installed. */
import { execFileSync } from 'node:child_process'
import { chmod, copyFile, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'

const folder = fileURLToPath(new URL('..', import.meta.url))
const root = join(folder, '../..')
const dist = join(folder, 'dist')
const require = createRequire(import.meta.url)

/** Threads are started by file: here the file is a bundle beside the one that starts it. */
const threads: Plugin = {
  name: 'threads',
  setup({ onLoad }) {
    onLoad({ filter: /\/local-service\/\w[\w-]*\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace(
        /new URL\('\.\/([\w-]+)\.ts', import\.meta\.url\)/g,
        "new URL('./$1.js', import.meta.url)",
      ),
      loader: 'ts',
    }))
  },
}

await copyFile(join(root, 'LICENSE'), join(folder, 'LICENSE'))
await rm(dist, { recursive: true, force: true })
await rm(join(folder, 'web'), { recursive: true, force: true })
await build({
  absWorkingDir: root,
  entryPoints: [
    'packages/mayfly/src/index.ts',
    'packages/mayfly/src/cli.ts',
    'local-service/ingest-thread.ts',
    'local-service/large-mail-thread.ts',
  ],
  // All in one folder: paths from one file to another stay what they are in the sources, relative to it.
  entryNames: '[name]',
  outdir: dist,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  // CommonJS inside of the bundle asks for Node's modules by `require`.
  banner: {
    js: "import{createRequire as createRequire_}from'node:module';const require=createRequire_(import.meta.url);",
  },
  minify: true,
  keepNames: true,
  legalComments: 'none',
  plugins: [threads],
  logLevel: 'warning',
})
await chmod(join(dist, 'cli.js'), 0o755)
execFileSync(process.execPath, [join(root, 'web/build.ts')], { stdio: 'inherit' })
await cp(join(root, 'web/dist'), join(folder, 'web/dist'), { recursive: true })
await types()

/** The declarations of this package, with those of the client that they name beside them. */
async function types(): Promise<void> {
  const all = await mkdtemp(join(folder, 'types-'))
  const compiler = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc')
  execFileSync(process.execPath, [compiler, '--project', folder, '--outDir', all], { stdio: 'inherit' })
  const write = async (from: string, to: string) => {
    const text = await readFile(from, 'utf8')
    const mended = text
      .replace(/'((?:\.\.\/)*\.{1,2}\/[^']*)\.ts'/g, "'$1.js'")
      .replaceAll("'../../client/src/", "'./client/")
    await writeFile(to, mended)
  }
  await mkdir(join(dist, 'client'))
  for (const name of ['index', 'start']) {
    await write(join(all, `packages/mayfly/src/${name}.d.ts`), join(dist, `${name}.d.ts`))
  }
  const client = join(all, 'packages/client/src')
  for (const name of await readdir(client)) await write(join(client, name), join(dist, 'client', name))
  await rm(all, { recursive: true })
}
