import { readFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { Worker } from 'node:worker_threads'
import { Caller } from '../adapters/sqlite/calls.ts'
import type { Writer } from '../adapters/sqlite/writer.ts'
import type { ReaderData, ReaderReady } from './reader-thread.ts'
import { type Reader, ReaderFailure } from './readers.ts'

/** Below everything else on the machine that is not idle. */
const SLOW_NICE = 19

/** Starts a reader thread with its own connection to the store. */
export function startReader(writer: Writer, options: Omit<ReaderData, 'connection'>): Reader {
  const connection = writer.connection()
  const workerData: ReaderData = { connection, ...options }
  const worker = new Worker(new URL('./reader-thread.ts', import.meta.url), {
    workerData,
    transferList: [connection.port],
  })
  const caller = new Caller(worker)
  const ended = Promise.withResolvers<never>()
  ended.promise.catch(() => {})
  const ready = Promise.withResolvers<void>()
  let threadId: number | undefined
  let usedMs = () => performance.now()
  worker.on('message', (message: Partial<ReaderReady>) => {
    if (message.type !== 'ready') return
    const id = message.threadId
    if (id !== undefined && cpuMsOf(id) > 0) usedMs = () => cpuMsOf(id)
    threadId = id
    ready.resolve()
  })
  worker.once('error', (error: Error) => ended.reject(new ReaderFailure(error.message)))
  worker.once('exit', () => ended.reject(new ReaderFailure('the reader thread ended')))
  return {
    ready: ready.promise,
    receive: (job) => Promise.race([caller.call('receive', [job]) as Promise<string[]>, ended.promise]),
    usedMs: () => usedMs(),
    yieldToOthers() {
      if (threadId !== undefined) setPriority(threadId, SLOW_NICE)
    },
    end(reason) {
      ended.reject(new ReaderFailure(reason))
      return worker.terminate()
    },
  }
}

/**
 * CPU time of a thread of this process in ms, which Linux counts in ns; 0 if the thread has ended, and in a sandbox
 * that does not count it.
 */
function cpuMsOf(threadId: number): number {
  try {
    return Number.parseInt(readFileSync(`/proc/self/task/${threadId}/schedstat`, 'latin1'), 10) / 1e6
  } catch {
    return 0
  }
}
