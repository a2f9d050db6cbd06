/**
 * The thread that writes. It has the only connection that does, so nothing ever waits for a lock, and nothing
 * else waits for the disk.
 */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { Problem } from '../../core/errors.ts'
import type { Change } from '../../core/events/ports.ts'
import { serve } from './calls.ts'
import { clockWith } from './clock.ts'
import { portsOn, type StorePorts } from './connect.ts'
import { openForWriting } from './database.ts'
import { StoreError, unavailable } from './errors.ts'
import { type Swept, sweep } from './sweep.ts'
import { DirectWriting, type JobName, type Jobs, type Writing } from './writing.ts'

/** How the thread is started. */
export interface WriterData {
  dir: string
  clockOffset: SharedArrayBuffer | undefined
  sweepEveryMs: number
  intake: { module: string; data: unknown } | undefined
}

/**
 * Runs beside the store, so that what it writes is one commit without a step between threads. It must not
 * keep the thread busy for long: nothing is written meanwhile.
 */
export interface Intake {
  /** Answers what `Store.receive` was called with. Both must be fit for a message between threads. */
  receive(message: unknown): Promise<unknown>
}

/**
 * What an intake module exports as `startIntake`. The ports write without a step between threads and read
 * what is not committed yet, so nothing that is read here is to be told to anyone.
 */
export type StartIntake = (ports: StorePorts, writing: Writing, data: unknown) => Intake | Promise<Intake>

/** What the thread says besides answers. */
export type WriterMessage = { ready: true } | { refused: string } | { announcements: Change[] }

const main = parentPort!
const say = (message: WriterMessage) => main.postMessage(message)

try {
  await start(workerData as WriterData)
  say({ ready: true })
} catch (error) {
  if (!(error instanceof StoreError)) throw error
  say({ refused: error.message })
}

async function start({ dir, clockOffset, sweepEveryMs, intake }: WriterData): Promise<void> {
  const clock = clockWith(clockOffset)
  const db = openForWriting(dir)
  const writing = new DirectWriting(db, clock, (announcements) => say({ announcements }))
  const receiver = intake && (await startIntake(intake, portsOn(db, writing, clock), writing))

  const receiving = new Set<Promise<unknown>>()
  let closing = false
  let sweeping: Promise<Swept> | undefined

  /** The calls that are no jobs. */
  const own = {
    async receive(message: unknown): Promise<unknown> {
      if (receiver === undefined) throw new Error('the store was opened without an intake')
      const received = receiver.receive(message)
      receiving.add(received)
      return received.finally(() => receiving.delete(received))
    },

    sweep(): Promise<Swept> {
      sweeping ??= sweep(writing).finally(() => {
        sweeping = undefined
      })
      return sweeping
    },

    async connect(port: MessagePort): Promise<void> {
      serve(port, dispatch)
    },

    async close(): Promise<void> {
      closing = true
      clearInterval(timer)
      await Promise.allSettled([...receiving, sweeping])
      writing.flush()
      try {
        // So that the next start finds one file, and nothing to recover.
        db.run('PRAGMA wal_checkpoint(TRUNCATE)')
      } catch (error) {
        // On a full disk the log stays, and with it all that is committed: the next start takes it from there.
        if (!(error instanceof Problem)) throw error
      }
      db.close()
    },
  }

  async function dispatch(name: string, args: unknown[]): Promise<unknown> {
    if (closing) throw unavailable(new Error('the store is closing'))
    if (!Object.hasOwn(own, name)) return writing.run(name as JobName, args as Parameters<Jobs[JobName]>)
    return (own[name as keyof typeof own] as (...args: unknown[]) => Promise<unknown>)(...args)
  }

  const timer = setInterval(() => {
    own.sweep().catch((error) => {
      // A store that cannot write says so to everyone who calls it; the sweep just comes again.
      if (!(error instanceof Problem)) throw error
    })
  }, sweepEveryMs)
  serve(main, dispatch)
}

async function startIntake(
  { module, data }: { module: string; data: unknown },
  ports: StorePorts,
  writing: Writing,
): Promise<Intake> {
  const { startIntake } = (await import(module)) as { startIntake: StartIntake }
  return startIntake(ports, writing, data)
}
