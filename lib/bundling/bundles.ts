import { copyFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build, type Metafile } from 'esbuild'
import {
  environmentCredentials,
  lateCharsets,
  noBrowser,
  noProvider,
  oneHtmlToText,
  oneIconv,
  TABLES_OF_CHARSETS,
} from './plugins.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The handlers of lambdas/; each becomes `<folder>/lambdas/<name>/index.mjs`. */
export const HANDLERS = ['api', 'ingest', 'setup', 'verify'] as const
export type Handler = (typeof HANDLERS)[number]

const COMMON: BuildOptions = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  minify: true,
  // The SDK's ES modules are smaller and load faster than its CommonJS.
  mainFields: ['module', 'main'],
  // CommonJS inside of the bundle asks for Node's modules by `require`.
  banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
  outExtension: { '.js': '.mjs' },
  entryNames: 'index',
  sourcemap: true,
  sourcesContent: false,
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
}

/** Of the one that reads mail, which has the tables of `bundleCharsets` beside it. */
const READS_MAIL = [oneHtmlToText, lateCharsets]

/** What is imported when it is first needed stays a file of its own. */
export async function bundleHandler(name: Handler, folder: string): Promise<Metafile> {
  const reads = name === 'ingest'
  const metafile = await bundle(folder, {
    entryPoints: { index: `lambdas/${name}.ts` },
    splitting: true,
    plugins: [environmentCredentials, noBrowser, ...(reads ? [noProvider, ...READS_MAIL] : [])],
  })
  return reads ? joined(metafile, await bundleCharsets(folder)) : metafile
}

/** What `lateCharsets` has left out. */
async function bundleCharsets(folder: string): Promise<Metafile> {
  const { metafile } = await build({
    ...COMMON,
    entryPoints: Object.fromEntries(TABLES_OF_CHARSETS.map((name) => [name, name])),
    plugins: [oneIconv],
    format: 'cjs',
    banner: {},
    outExtension: { '.js': '.cjs' },
    entryNames: '[name]',
    outdir: folder,
    metafile: true,
  })
  return metafile
}

function joined(a: Metafile, b: Metafile): Metafile {
  return { inputs: { ...a.inputs, ...b.inputs }, outputs: { ...a.outputs, ...b.outputs } }
}

/** The bundle of the container, and its Dockerfile. */
export async function bundleSseService(folder: string): Promise<Metafile> {
  const metafile = await bundle(folder, {
    entryPoints: { index: 'sse-service/index.ts' },
    plugins: [noBrowser],
  })
  await copyFile(join(root, 'sse-service/Dockerfile'), join(folder, 'Dockerfile'))
  return metafile
}

export async function bundleAll(folder: string): Promise<void> {
  await Promise.all([
    ...HANDLERS.map((name) => bundleHandler(name, join(folder, 'lambdas', name))),
    bundleSseService(join(folder, 'sse-service')),
  ])
}

async function bundle(folder: string, options: BuildOptions): Promise<Metafile> {
  await rm(folder, { recursive: true, force: true })
  const { metafile } = await build({ ...COMMON, ...options, outdir: folder })
  return metafile!
}
