import { MessageChannel, Worker } from 'node:worker_threads'
import type { Change, ChangeFeed } from '../../core/events/ports.ts'
import { MINUTE_MS } from '../../core/limits.ts'
import { RemoteWriting } from './calls.ts'
import { clockWith } from './clock.ts'
import { type Connection, portsOn, type StorePorts } from './connect.ts'
import { openForReading, takeDirectory } from './database.ts'
import { StoreError } from './errors.ts'
import type { Swept } from './sweep.ts'
import type { WriterData, WriterMessage } from './writer.ts'

export interface StoreOptions {
  /** Made if it is absent. One process at a time may have it. */
  dir: string
  /** How often what has expired is removed. */
  sweepEveryMs?: number
  /** Moves the clock of all threads: see clock.ts. */
  clockOffset?: SharedArrayBuffer
  /** A module that exports `startIntake` (writer.ts), to be run in the thread that writes. */
  intake?: { module: URL; data?: unknown }
  /** Called when the store stops by itself. Without it the error is thrown, so that the process ends loudly. */
  onFailure?: (error: StoreError) => void
}

export interface Store extends StorePorts {
  changeFeed: ChangeFeed
  /** Calls the intake in the thread that writes. `transfer`: what the message holds and the caller gives away. */
  receive(message: unknown, transfer?: ArrayBuffer[]): Promise<unknown>
  /** What another thread gives to `connectStore`; its port goes into the transfer list. */
  connection(): Connection
  /** Removes what has expired, now. */
  sweep(): Promise<Swept>
  /** Finishes what is called already, and releases the directory. */
  close(): Promise<void>
}

/**
 * Opens the SQLite store: the main thread reads, a thread of its own writes.
 *
 * @throws StoreError when the directory cannot be used, is in use, or was written by a newer version
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
  const { dir, clockOffset, sweepEveryMs = MINUTE_MS, intake, onFailure = fail } = options
  const data: WriterData = {
    dir,
    clockOffset,
    sweepEveryMs,
    intake: intake && { module: intake.module.href, data: intake.data },
  }
  const worker = new Worker(new URL('./writer.ts', import.meta.url), { workerData: data, execArgv: [] })
  await started(worker).catch(async (error) => {
    await worker.terminate()
    throw error
  })

  const db = openForReading(dir)
  const writing = new RemoteWriting(worker)
  const listeners = new Set<(announcement: Change) => void>()
  worker.on('message', (message: Partial<{ announcements: Change[] }>) => {
    for (const announcement of message.announcements ?? []) {
      for (const listener of listeners) listener(announcement)
    }
  })

  let closed: Promise<void> | undefined
  let failure: StoreError | undefined
  const failed = (error: unknown) => {
    if (closed !== undefined || failure !== undefined) return
    failure = new StoreError('The store has stopped: its writing thread failed.', { cause: error })
    writing.end(failure)
    onFailure(failure)
  }
  worker.on('error', failed)
  worker.on('exit', () => failed(new Error('it ended')))

  async function close(): Promise<void> {
    try {
      if (failure === undefined) await writing.call('close', [])
    } finally {
      writing.end(new Error('the store was closed'))
      await worker.terminate()
      db.close()
      release()
    }
  }

  return {
    ...portsOn(db, writing, clockWith(clockOffset)),
    changeFeed: {
      subscribe(listener) {
        // Wrapped, so that one listener that subscribes twice has two subscriptions.
        const subscription = (announcement: Change) => listener(announcement)
        listeners.add(subscription)
        return () => listeners.delete(subscription)
      },
    },
    receive: (message, transfer) => writing.call('receive', [message], transfer),
    connection() {
      const { port1, port2 } = new MessageChannel()
      writing.call('connect', [port1], [port1]).catch(() => port2.close())
      return { dir, port: port2, clockOffset }
    },
    sweep: () => writing.call('sweep', []) as Promise<Swept>,
    close() {
      closed ??= close()
      return closed
    },
  }
}

/** Resolves when the thread is ready to write. */
function started(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.once('error', reject)
    worker.once('message', (message: WriterMessage) => {
      worker.off('error', reject)
      if ('refused' in message) reject(new StoreError(message.refused))
      else resolve()
    })
  })
}

function fail(error: StoreError): never {
  throw error
}
