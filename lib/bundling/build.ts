/** Makes the bundles that the stack deploys: `node lib/bundling/build.ts [folder]`, dist/ by default. */
import { bundleAll } from './bundles.ts'

await bundleAll(process.argv[2] ?? new URL('../../dist', import.meta.url).pathname)
