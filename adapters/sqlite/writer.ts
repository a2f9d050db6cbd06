import { MessageChannel } from 'node:worker_threads'
import type { Domain } from '../../core/access/ports.ts'
import { Problem } from '../../core/errors.ts'
import type { Change } from '../../core/events/ports.ts'
import { SECOND_MS } from '../../core/limits.ts'
import { serve } from './calls.ts'
import { clockWith } from './clock.ts'
import { type Commands, writingTo } from './commands.ts'
import type { Connection } from './connect.ts'
import { openForWriting } from './database.ts'
import { unavailable } from './errors.ts'
import { portsOn, type StorePorts } from './ports.ts'
import { type OriginKind, Shares } from './shares.ts'
import { SIZE_FACTOR, Space } from './space.ts'
import { type Swept, sweep } from './sweep.ts'
import type { Committed } from './transaction.ts'

/** Often enough that a full store accepts mail within a minute after some has expired. */
const SWEEP_EVERY_MS = 20 * SECOND_MS
const KNOWN_DOMAINS_MAX = 10_000

export interface WriterOptions {
  dir: string
  /** How often expired data is removed. */
  sweepEveryMs?: number | undefined
  /** Changes the clock of all threads (clock.ts). */
  clockOffset?: SharedArrayBuffer | undefined
  /** Limit for the database; above it mail is refused. 80 % of the free disk space by default. */
  maxBytes?: number | undefined
  /** Receives the changes of each commit that has any. */
  publish: (changes: Change[]) => void
}

/**
 * The store in the writing thread. It has the only connection that writes, so nothing waits for a
 * lock. Its ports read uncommitted changes, so a result must not be sent anywhere before a later
 * command is committed.
 */
export interface Writer extends StorePorts {
  commands: Committed<Commands>
  /** Whether there is room for a message of this size. */
  hasRoom(bytes: number): boolean
  /**
   * Whether one client, sender or domain may add a message of this size to what it has in the
   * store.
   */
  hasShare(kind: OriginKind, name: string, bytes: number): boolean
  /**
   * Lets a commit wait for expected commands: `count` of them, including those that wait for the
   * commit.
   */
  expect(count: () => number): void
  /** Runs a call of another thread. */
  dispatch(name: string, args: unknown[]): Promise<unknown>
  /**
   * Returns the argument of `connectStore` for another thread; its port goes into the transfer
   * list.
   */
  connection(): Connection
  /** Removes expired data now. */
  sweep(): Promise<Swept>
  /** Finishes the calls so far; later ones are refused. */
  close(): Promise<void>
}

/** @throws StoreError if the directory cannot be used, or was written by a newer version */
export function openWriter(options: WriterOptions): Writer {
  const { dir, clockOffset, sweepEveryMs = SWEEP_EVERY_MS } = options
  const clock = clockWith(clockOffset)
  const db = openForWriting(dir)
  const space = new Space(db, dir, options.maxBytes)
  const shares = new Shares(db, space)
  const registered = new Map<string, Domain>()
  const { group, commands } = writingTo(db, clock, {
    isFull: () => !space.hasRoom(0),
    publish(changes) {
      for (const change of changes) if (change.type === 'domain') registered.delete(change.name)
      options.publish(changes)
    },
  })
  const ports = portsOn(db, commands, clock)
  let closed = false
  let sweeping: Promise<Swept> | undefined

  async function dispatch(name: string, args: unknown[]): Promise<unknown> {
    if (closed) throw unavailable(new Error('the store is closed'))
    return (commands as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>)[name]!(...args)
  }

  function sweepOnce(): Promise<Swept> {
    sweeping ??= sweepInReserve().finally(() => {
      sweeping = undefined
    })
    return sweeping
  }

  async function sweepInReserve(): Promise<Swept> {
    try {
      return await sweep(commands)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      space.release()
      return await sweep(commands)
    } finally {
      space.hold()
    }
  }

  /**
   * Returns a registered domain from a cache, because every change of a domain happens in this
   * thread.
   */
  async function findDomain(name: string): Promise<Domain | undefined> {
    let domain = registered.get(name)
    if (domain === undefined) {
      domain = await ports.domains.find(name)
      if (registered.size >= KNOWN_DOMAINS_MAX) registered.clear()
      if (domain !== undefined) registered.set(name, domain)
    }
    return domain && { ...domain }
  }

  const timer = setInterval(() => {
    sweepOnce().catch((error) => {
      // Every caller gets the error of a store that cannot write; the sweep is simply repeated.
      if (!(error instanceof Problem)) throw error
    })
  }, sweepEveryMs)

  return {
    ...ports,
    domains: {
      find: findDomain,
      list: () => ports.domains.list(),
      withKey: (keyHash) => ports.domains.withKey(keyHash),
      change: (name, before, after) => ports.domains.change(name, before, after),
    },
    commands,
    hasRoom: (bytes) => space.hasRoom(bytes),
    hasShare: (kind, name, bytes) => shares.allows(kind, name, bytes * SIZE_FACTOR),
    expect(count) {
      group.expected = count
    },
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
      group.flush()
      try {
        // The next start finds one file, and nothing to recover.
        db.run('PRAGMA wal_checkpoint(TRUNCATE)')
      } catch (error) {
        // On a full disk the log remains with all committed data, and the next start reads it.
        if (!(error instanceof Problem)) throw error
      }
      db.close()
    },
  }
}
