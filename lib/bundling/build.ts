/** Bundles the programs that the stack deploys, into dist/. */
import { bundleAll } from './bundles.ts'

await bundleAll(new URL('../../dist', import.meta.url).pathname)
