import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { serve } from './calls.ts'
import { type PackedChange, packed } from './changes.ts'
import { StoreError, unavailable } from './errors.ts'
import { LatestId } from './messages.ts'
import { openWriter, type Writer, type WriterOptions } from './writer.ts'

/** How a store starts its thread. */
export interface ThreadData {
  writer: Omit<WriterOptions, 'publish' | 'hasListeners' | 'latestId'>
  /**
   * The number of listeners to changes of mail, in shared memory. A new listener reads earlier
   * commits from the store.
   */
  mailListeners: Int32Array<SharedArrayBuffer>
  /** The time of the newest id (LatestId). */
  latestId: SharedArrayBuffer
  /** Data for the code beside the writer. */
  data: unknown
}

/** Messages of the thread besides answers. */
export type ThreadMessage = { ready: true } | { refused: string } | { changes: PackedChange[] }

/** Code that runs beside the writer in its thread. */
export interface Beside {
  /** Functions that the main thread can call beside the commands (Store.call). */
  calls: Record<string, (...args: never[]) => Promise<unknown>>
  /** Finishes its work. The writer closes afterwards. */
  close(): Promise<void>
}

type Start = (writer: Writer, data: unknown) => Promise<Beside>

/**
 * Runs the writing thread. The module that `openStore` receives must call it.
 * @param start starts the code beside the writer
 */
export async function runWriter(start: Start): Promise<void> {
  await serveWriter(parentPort!, workerData as ThreadData, start)
}

/** Opens the writer and answers the calls from a port. */
export async function serveWriter(
  main: MessagePort,
  { writer: options, mailListeners, latestId, data }: ThreadData,
  start: Start,
): Promise<void> {
  const post = (message: ThreadMessage) => main.postMessage(message)
  try {
    const hasListeners = () => Atomics.load(mailListeners, 0) > 0
    const writer = openWriter({
      ...options,
      latestId: new LatestId(latestId),
      hasListeners,
      publish(changes) {
        // Waking the main thread without need would take an eighth of the time of a mail.
        const wanted = hasListeners() ? changes : changes.filter(({ type }) => type === 'domain')
        if (wanted.length > 0) post({ changes: wanted.map(packed) })
      },
    })
    const beside = await start(writer, data)
    let closed: Promise<void> | undefined
    const own: Beside['calls'] = {
      ...beside.calls,
      sweep: () => writer.sweep(),
      close() {
        closed = beside.close().then(() => writer.close())
        return closed
      },
    }
    serve(main, (name, args) => {
      if (closed !== undefined) return Promise.reject(unavailable(new Error('the store is closing')))
      const call = Object.hasOwn(own, name) ? own[name] : undefined
      return call === undefined ? writer.dispatch(name, args) : call(...(args as never[]))
    })
    post({ ready: true })
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    post({ refused: error.message })
  }
}
