/** How esbuild bundles the service: for `npm start` (bin/build.js) and for the package (packages/mayfly/build). */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { BuildOptions, Plugin } from 'esbuild'

/** Threads are started by file name: in the bundle it is the name of another bundle. */
const threads: Plugin = {
  name: 'threads',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]local-service[\\/]\w[\w-]*\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace(
        /new URL\('\.\/([\w-]+)\.ts', import\.meta\.url\)/g,
        "new URL('./$1.js', import.meta.url)",
      ),
      loader: 'ts',
    }))
  },
}

/** The programs of the threads, which are entry points of every bundle of the service. */
export const THREADS = [
  'local-service/ingest-thread.ts',
  'local-service/reader-thread.ts',
  'local-service/send-thread.ts',
]

/** What all bundles of the service have in common. Entry points are paths from the root of the project. */
export const BUNDLING = {
  absWorkingDir: fileURLToPath(new URL('..', import.meta.url)),
  // All files are in one folder, so that the relative paths in the sources stay valid.
  entryNames: '[name]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  // CommonJS in the bundle loads Node's modules by `require`.
  banner: {
    js: "import{createRequire as createRequire_}from'node:module';const require=createRequire_(import.meta.url);",
  },
  // Names stay as they are, for stack traces: `keepNames` would make a call for each function that is created, which is
  // a sixth of the CPU time of a mail.
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'none',
  plugins: [threads],
  logLevel: 'warning',
} satisfies BuildOptions
