/** Bundles the service into built/, which `npm start` runs. `npm ci` and `npm run build:service` run this. */
import { rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'
import { BUNDLING, THREADS } from '../local-service/bundling.ts'
import { STATES, stateOf } from './built.js'

/** npm writes it at every installation. */
const LIBRARIES = 'node_modules/.package-lock.json'

const began = Date.now()
const outdir = dirname(STATES)
rmSync(outdir, { recursive: true, force: true })
// Without source maps, which Node would read at each start. Stack traces have the names of functions.
const { metafile } = await build({
  ...BUNDLING,
  entryPoints: ['local-service/run.ts', ...THREADS],
  // Directly below the root, as the sources are: they name web/dist and package.json by relative paths.
  outdir,
  metafile: true,
})
const sources = Object.keys(metafile.inputs).filter((path) => !path.includes('node_modules/'))
const files = [...sources, LIBRARIES, ...Object.keys(metafile.outputs)]
// Last, because a bundle without it is not used. A source that was written meanwhile may be in the bundle as it was
// before.
if (sources.every((path) => statSync(join(BUNDLING.absWorkingDir, path)).mtimeMs < began)) {
  writeFileSync(STATES, JSON.stringify(Object.fromEntries(files.map((path) => [path, stateOf(path)]))))
}
