/** The whole service in one process: `npm start`. Configuration: docs/configuration.md. */
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'

// What Node makes of the files here, kept from one start to the next. Without it every thread loads what takes the
// types out of them, which is a fifth of the memory of the idle service; so this file is JavaScript. Threads go by
// the variable.
const cache = fileURLToPath(new URL('../node_modules/.cache/mayfly', import.meta.url))
enableCompileCache(cache)
process.env.NODE_COMPILE_CACHE ??= cache

// `npm start` gives this thread a small young generation, for its streams live long; threads that begin from now on
// read mail, which makes much that is dropped again soon: they have Node's own.
setFlagsFromString('--max-semi-space-size=16')

const { runLocalService } = await import('../local-service/run.ts')
await runLocalService(process.env)
