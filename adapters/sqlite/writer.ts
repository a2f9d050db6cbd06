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

/** Often enough that a full store takes mail again within a minute after some expired. */
const SWEEP_EVERY_MS = 20 * SECOND_MS
const KNOWN_DOMAINS_MAX = 10_000

export interface WriterOptions {
  dir: string
  /** How often what has expired is removed. */
  sweepEveryMs?: number | undefined
  /** Moves the clock of all threads: see clock.ts. */
  clockOffset?: SharedArrayBuffer | undefined
  /** Of the database; above it mail is to be refused. 80 % of the free space when it is not given. */
  maxBytes?: number | undefined
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
  /** Whether there is room for a message of this size. */
  hasRoom(bytes: number): boolean
  /** Whether one client, sender or domain may add a message of this size to what it has in the store. */
  hasShare(kind: OriginKind, name: string, bytes: number): boolean
  /** Lets a commit wait for commands that are about to come: `count` of them, those that wait for it included. */
  expect(count: () => number): void
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
  const { dir, clockOffset, sweepEveryMs = SWEEP_EVERY_MS } = options
  const clock = clockWith(clockOffset)
  const db = openForWriting(dir)
  const space = new Space(db, dir, options.maxBytes)
  const shares = new Shares(db, space)
  const registered = new Map<string, Domain>()
  const { group, commands } = writingTo(db, clock, {
    isFull: () => !space.hasRoom(0),
    announce(changes) {
      for (const change of changes) if (change.type === 'domain') registered.delete(change.name)
      options.announce(changes)
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

  /** A registered domain, without asking the database again: whatever changes one does so in this thread. */
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
      // A store that cannot write says so to everyone who calls it; the sweep just comes again.
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
