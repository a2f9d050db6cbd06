import { Worker } from 'node:worker_threads'
import type { Change, ChangeFeed } from '../../core/events/ports.ts'
import { Caller } from './calls.ts'
import { type PackedChange, unpacked } from './changes.ts'
import { clockWith } from './clock.ts'
import { commandsOver, searchOver } from './commands.ts'
import { openForReading, takeDirectory } from './database.ts'
import { StoreError } from './errors.ts'
import { LatestId } from './messages.ts'
import { portsOn, type StorePorts } from './ports.ts'
import type { Swept } from './sweep.ts'
import type { ThreadData, ThreadMessage } from './thread.ts'

export interface StoreOptions {
  /** Created if it does not exist. Only one process at a time may use it. */
  dir: string
  /** How often expired data is removed. */
  sweepEveryMs?: number
  /** Changes the clock of all threads (clock.ts). */
  clockOffset?: SharedArrayBuffer
  /** Limit for the database; above it mail is refused. 80 % of the free disk space by default. */
  maxBytes?: number | undefined
  /** The module of the writing thread, which calls `runWriter` (thread.ts), and the data for it. */
  thread?: { module: URL; data: unknown }
  /**
   * Called if the store stops by itself. Without it the error is thrown, which ends the process.
   */
  onFailure?: (error: StoreError) => void
}

export interface Store extends StorePorts {
  changeFeed: ChangeFeed
  /** Calls a function that runs beside the writer. */
  call(name: string, ...args: unknown[]): Promise<unknown>
  /** Removes expired data now. */
  sweep(): Promise<Swept>
  /** Finishes the calls so far, and releases the directory. */
  close(): Promise<void>
}

const ALONE = { module: new URL('./thread-alone.ts', import.meta.url), data: undefined }

/**
 * Opens the SQLite store: this thread reads, and another thread writes.
 *
 * @throws StoreError if the directory cannot be used, is in use, or was written by a newer version
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const release = takeDirectory(options.dir)
  try {
    return await open(options, release)
  } catch (error) {
    release()
    throw error
  }
}

async function open(options: StoreOptions, release: () => void): Promise<Store> {
  const { dir, clockOffset, onFailure = fail } = options
  const mailListeners = new Int32Array(new SharedArrayBuffer(4))
  const latestId = LatestId.memory()
  const worker = await startWriter(options, { mailListeners, latestId })
  const db = openForReading(dir)
  const caller = new Caller(worker)
  const changeFeed = new WriterChanges(worker, mailListeners)
  let closed: Promise<void> | undefined
  let failure: StoreError | undefined
  const failed = (error: unknown) => {
    if (closed !== undefined || failure !== undefined) return
    failure = new StoreError('The store has stopped: its writing thread failed.', { cause: error })
    caller.end(failure)
    onFailure(failure)
  }
  worker.on('error', failed)
  worker.on('exit', () => failed(new Error('it ended')))

  async function close(): Promise<void> {
    try {
      if (failure === undefined) await caller.call('close', [])
    } finally {
      caller.end(new Error('the store was closed'))
      await worker.terminate()
      db.close()
      release()
    }
  }

  return {
    ...portsOn(db, commandsOver(caller), clockWith(clockOffset), searchOver(caller), new LatestId(latestId)),
    changeFeed,
    call: (name, ...args) => caller.call(name, args),
    sweep: () => caller.call('sweep', []) as Promise<Swept>,
    close() {
      closed ??= close()
      return closed
    },
  }
}

/** Starts the writing thread. Resolves when it is ready. */
async function startWriter(
  options: StoreOptions,
  shared: Pick<ThreadData, 'mailListeners' | 'latestId'>,
): Promise<Worker> {
  const { dir, clockOffset, sweepEveryMs, maxBytes, thread = ALONE } = options
  const writer = { dir, clockOffset, sweepEveryMs, maxBytes }
  const workerData: ThreadData = { writer, ...shared, data: thread.data }
  // Node 22 would print a warning about its SQLite.
  const execArgv = ['--disable-warning=ExperimentalWarning']
  const worker = new Worker(thread.module, { workerData, execArgv })
  await ready(worker).catch(async (error) => {
    await worker.terminate()
    throw error
  })
  return worker
}

/** Resolves when the thread is ready to write. */
function ready(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.once('error', reject)
    // Under `node --watch`, a thread also sends messages of Node that name what it imports.
    worker.on('message', function first(message: ThreadMessage) {
      if (!('ready' in message || 'refused' in message)) return
      worker.off('message', first)
      worker.off('error', reject)
      if ('refused' in message) reject(new StoreError(message.refused))
      else resolve()
    })
  })
}

function fail(error: StoreError): never {
  throw error
}

/** The changes that the writing thread sends after each commit. */
class WriterChanges implements ChangeFeed {
  readonly #listeners = new Set<(change: Change) => void>()
  readonly #mailListeners: ThreadData['mailListeners']

  constructor(worker: Worker, mailListeners: ThreadData['mailListeners']) {
    this.#mailListeners = mailListeners
    worker.on('message', (message: Partial<{ changes: PackedChange[] }>) => {
      for (const change of (message.changes ?? []).map(unpacked)) {
        for (const listener of this.#listeners) listener(change)
      }
    })
  }

  subscribe(listener: (change: Change) => void, { mail = true } = {}): () => void {
    // Wrapped, so that a listener can subscribe twice.
    const subscription = (change: Change) => listener(change)
    this.#listeners.add(subscription)
    if (mail) Atomics.add(this.#mailListeners, 0, 1)
    return () => {
      if (this.#listeners.delete(subscription) && mail) Atomics.sub(this.#mailListeners, 0, 1)
    }
  }
}
