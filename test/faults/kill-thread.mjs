/**
 * Preloaded into the service by a test: SIGUSR2 ends the thread whose file name contains
 * KILL_THREAD, at once and without an error, which no test could do from outside.
 */
import { syncBuiltinESMExports } from 'node:module'
import { env } from 'node:process'
import threads from 'node:worker_threads'

if (threads.isMainThread) {
  const { Worker } = threads
  threads.Worker = class extends Worker {
    constructor(file, options) {
      super(file, options)
      if (String(file).includes(env.KILL_THREAD)) process.on('SIGUSR2', () => this.terminate())
    }
  }
  syncBuiltinESMExports()
}
