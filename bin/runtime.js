/**
 * Prepares Node for the service, before its code is loaded: the version, the compiled code of earlier starts, and how
 * memory is used. The programs of this folder that run the service import it first. They are JavaScript, so that an
 * older Node can say what it lacks, and because every thread would otherwise load the code that removes types, which
 * is a fifth of the memory of the idle service.
 */
import module from 'node:module'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'

// An older Node cannot import the service, which is TypeScript.
if (!process.features.typescript) {
  const needed = `The service needs Node 22.18 or newer, which runs TypeScript; this is ${process.version}.`
  console.error(`${needed} \`npm start\` uses the Node that \`npm ci\` installed.`)
  process.exit(1)
}

// Keeps Node's compiled code from one start to the next. Threads use the variable.
const cache = fileURLToPath(new URL('../node_modules/.cache/mayfly', import.meta.url))
module.enableCompileCache(cache)
process.env.NODE_COMPILE_CACHE ??= cache

// `npm start` gives this thread a small young generation, because its streams live long. Later
// threads read mail, which creates much short-lived data, so theirs is larger. With the default of
// Node, 16 MB, a thread takes 20 MB more memory and no less CPU time.
setFlagsFromString('--max-semi-space-size=8')

// Collects garbage when the old generation has grown by this much since the last time. V8 lets it grow fourfold on a
// machine with much memory: the thread that receives mail has 15 MB in use and took 80 MB.
setFlagsFromString('--heap-growing-percent=60')
