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

const SMALLER = [noBrowser, oneHtmlToText, oneIconv, lateCharsets]

/** What is imported when it is first needed stays a file of its own. */
export function bundleHandler(name: Handler, folder: string): Promise<Metafile> {
  return bundle(folder, {
    entryPoints: { index: `lambdas/${name}.ts` },
    splitting: true,
    plugins: [environmentCredentials, ...SMALLER, ...(name === 'ingest' ? [noProvider] : [])],
  })
}

/** The bundle of the container, and its Dockerfile. */
export async function bundleSseService(folder: string): Promise<Metafile> {
  const metafile = await bundle(folder, { entryPoints: { index: 'sse-service/index.ts' }, plugins: SMALLER })
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
