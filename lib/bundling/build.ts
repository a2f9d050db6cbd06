/** Bundles the programs that the stack deploys: `node lib/bundling/build.ts <folder>`. */
import { resolve } from 'node:path'
import { bundleAll } from './bundles.ts'

await bundleAll(resolve(process.argv[2] ?? 'dist'))
