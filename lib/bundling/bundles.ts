import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build, type Metafile } from 'esbuild'
import { HANDLERS, type Handler, SERVICES, type Service, VERIFIERS } from './names.ts'
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
  // CommonJS modules in the bundle load Node's modules with `require`.
  banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
  outExtension: { '.js': '.mjs' },
  entryNames: 'index',
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
}

/**
 * Bundles one handler; dynamic imports stay separate files, which load when they are first needed.
 */
export function bundleHandler(name: Handler, folder: string): Promise<Metafile> {
  return bundle(folder, {
    entryPoints: { index: `lambdas/${name}.ts` },
    splitting: true,
    plugins: [environmentCredentials, noBrowser, ...(VERIFIERS.includes(name) ? [] : [noProvider])],
  })
}

/** Bundles the program of a container, beside its Dockerfile. */
export async function bundleService(name: Service, folder: string): Promise<Metafile> {
  const metafile = await bundle(folder, {
    entryPoints: { index: `${name}/index.ts` },
    plugins: [noBrowser],
  })
  await copyFile(join(root, name, 'Dockerfile'), join(folder, 'Dockerfile'))
  return metafile
}

/**
 * Puts the bundle of sse-service/ into the form of a Lambda Web Function, which starts `index.js`.
 */
export async function bundleWebFunction(service: string, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await copyFile(join(service, 'index.mjs'), join(folder, 'index.js'))
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
}

/**
 * Bundles all programs into `<folder>/lambdas/<handler>`, `<folder>/<service>` and
 * `<folder>/web-function`. Returns what esbuild knows of each, by its folder.
 */
export async function bundleAll(folder: string): Promise<Map<string, Metafile>> {
  const handlers = HANDLERS.map(async (name): Promise<[string, Metafile]> => {
    const place = join('lambdas', name)
    return [place, await bundleHandler(name, join(folder, place))]
  })
  const services = SERVICES.map(
    async (name): Promise<[string, Metafile]> => [name, await bundleService(name, join(folder, name))],
  )
  const metafiles = new Map(await Promise.all([...handlers, ...services]))
  await bundleWebFunction(join(folder, 'sse-service'), join(folder, 'web-function'))
  return metafiles
}

async function bundle(folder: string, options: BuildOptions): Promise<Metafile> {
  await rm(folder, { recursive: true, force: true })
  const { metafile } = await build({ ...COMMON, ...options, outdir: folder })
  if (metafile === undefined) throw new Error('esbuild returned no metafile')
  return metafile
}
