import { copyFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build, type Metafile } from 'esbuild'
import { HANDLERS, type Handler, SERVICES, type Service } from './names.ts'
import { environmentCredentials, noBrowser, noProvider } from './plugins.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

const COMMON: BuildOptions = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  minify: true,
  // Tables of charsets and words of languages would be twice as large as escapes.
  charset: 'utf8',
  // The SDK's ES modules are smaller and load faster than its CommonJS.
  mainFields: ['module', 'main'],
  // CommonJS inside of the bundle asks for Node's modules by `require`.
  banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
  outExtension: { '.js': '.mjs' },
  entryNames: 'index',
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
}

/** What is imported when it is first needed stays a file of its own. */
export function bundleHandler(name: Handler, folder: string): Promise<Metafile> {
  return bundle(folder, {
    entryPoints: { index: `lambdas/${name}.ts` },
    splitting: true,
    plugins: [environmentCredentials, noBrowser, ...(name === 'ingest' ? [noProvider] : [])],
  })
}

/** The bundle of a container, and its Dockerfile. */
export async function bundleService(name: Service, folder: string): Promise<Metafile> {
  const metafile = await bundle(folder, {
    entryPoints: { index: `${name}/index.ts` },
    plugins: [noBrowser],
  })
  await copyFile(join(root, name, 'Dockerfile'), join(folder, 'Dockerfile'))
  return metafile
}

export async function bundleAll(folder: string): Promise<void> {
  await Promise.all([
    ...HANDLERS.map((name) => bundleHandler(name, join(folder, 'lambdas', name))),
    ...SERVICES.map((name) => bundleService(name, join(folder, name))),
  ])
}

async function bundle(folder: string, options: BuildOptions): Promise<Metafile> {
  await rm(folder, { recursive: true, force: true })
  const { metafile } = await build({ ...COMMON, ...options, outdir: folder })
  return metafile!
}
