import { Worker } from 'node:worker_threads'
import type { SendRecord } from '../adapters/send-apis/send-apis.ts'
import { Caller, serve } from '../adapters/sqlite/calls.ts'
import type { SendAnswer, SendThreadData, SendThreadMessage, SentRequest } from './send-thread.ts'

/**
 * Memory of the thread besides the bytes of bodies and messages: texts and objects. A request that
 * needs more ends the thread, and the next request starts another one.
 */
const HEAP_MB = 256

/** The thread that answers requests to the send APIs. */
export interface SendThread {
  /** Rejects if the thread has ended. */
  handle(request: SentRequest, body: Uint8Array): Promise<SendAnswer>
  end(): Promise<unknown>
}

export interface SendThreadOptions extends SendThreadData {
  /** Answers the calls of the thread, by their names. */
  calls: Record<string, (...args: never[]) => Promise<unknown>>
  answered: (record: SendRecord) => void
  /** Called when the thread has ended, with the reason if it failed. */
  ended: (error: Error | undefined) => void
}

export function startSendThread(options: SendThreadOptions): SendThread {
  const { calls, answered, ended, faults, maxMessageBytes } = options
  const workerData: SendThreadData = { faults, maxMessageBytes }
  const worker = new Worker(new URL('./send-thread.ts', import.meta.url), {
    workerData,
    // Those of the program may have `--input-type`, with which Node loads no file.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: 16 },
  })
  const caller = new Caller(worker)
  let failure: Error | undefined
  serve(worker, async (name, args) => calls[name]?.(...(args as never[])))
  worker.on('message', ({ record }: SendThreadMessage) => {
    if (record !== undefined) answered(record)
  })
  worker.once('error', (error: Error) => {
    failure = error
  })
  worker.once('exit', () => {
    caller.end(failure ?? new Error('the thread of the send APIs ended'))
    ended(failure)
  })
  // The listeners of the service keep the process running.
  worker.unref()
  return {
    handle: (request, body) => caller.call('handle', [request, body]) as Promise<SendAnswer>,
    end: () => worker.terminate(),
  }
}
