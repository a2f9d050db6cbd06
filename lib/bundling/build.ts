/**
 * Bundles the programs that the stack deploys: `node lib/bundling/build.ts [folder]`, by default
 * into dist/.
 */
import { bundleAll } from './bundles.ts'

await bundleAll(process.argv[2] ?? new URL('../../dist', import.meta.url).pathname)
