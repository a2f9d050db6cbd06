import { MessageChannel } from 'node:worker_threads'
import { Problem } from '../../core/errors.ts'
import type { Change } from '../../core/events/ports.ts'
import { MINUTE_MS } from '../../core/limits.ts'
import { serve } from './calls.ts'
import { clockWith } from './clock.ts'
import { type Commands, writingTo } from './commands.ts'
import type { Connection } from './connect.ts'
import { openForWriting } from './database.ts'
import { unavailable } from './errors.ts'
import { portsOn, type StorePorts } from './ports.ts'
import { type Swept, sweep } from './sweep.ts'
import type { Committed } from './transaction.ts'

export interface WriterOptions {
  dir: string
  /** How often what has expired is removed. */
  sweepEveryMs?: number | undefined
  /** Moves the clock of all threads: see clock.ts. */
  clockOffset?: SharedArrayBuffer | undefined
  /** Called after each commit that changed something to be told of. */
  announce: (changes: Change[]) => void
}

/**
 * The store in the thread that writes. It has the only connection that does, so nothing ever waits for a lock. Its
 * ports read what is not committed yet, so nothing that is read here is to be told to anyone before a command that
 * came after it is committed.
 */
export interface Writer extends StorePorts {
  commands: Committed<Commands>
  /** Does what another thread calls. */
  dispatch(name: string, args: unknown[]): Promise<unknown>
  /** What another thread gives to `connectStore`; its port goes into the transfer list. */
  connection(): Connection
  /** Removes what has expired, now. */
  sweep(): Promise<Swept>
  /** Finishes what was called before; all that comes later is refused. */
  close(): Promise<void>
}

/** @throws StoreError when the directory cannot be used, or was written by a newer version */
export function openWriter(options: WriterOptions): Writer {
  const { dir, clockOffset, sweepEveryMs = MINUTE_MS, announce } = options
  const clock = clockWith(clockOffset)
  const db = openForWriting(dir)
  const { commands, flush } = writingTo(db, clock, announce)
  let closed = false
  let sweeping: Promise<Swept> | undefined

  async function dispatch(name: string, args: unknown[]): Promise<unknown> {
    if (closed) throw unavailable(new Error('the store is closed'))
    return (commands as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>)[name]!(...args)
  }

  function sweepOnce(): Promise<Swept> {
    sweeping ??= sweep(commands).finally(() => {
      sweeping = undefined
    })
    return sweeping
  }

  const timer = setInterval(() => {
    sweepOnce().catch((error) => {
      // A store that cannot write says so to everyone who calls it; the sweep just comes again.
      if (!(error instanceof Problem)) throw error
    })
  }, sweepEveryMs)

  return {
    ...portsOn(db, commands, clock),
    commands,
    dispatch,
    connection() {
      const { port1, port2 } = new MessageChannel()
      serve(port1, dispatch)
      return { dir, port: port2, clockOffset }
    },
    sweep: sweepOnce,
    async close() {
      closed = true
      clearInterval(timer)
      await sweeping?.catch(() => {})
      flush()
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
}
