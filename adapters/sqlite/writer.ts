import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { Problem } from '../../core/errors.ts'
import { cachedDomains } from '../../core/events/cached-domains.ts'
import type { Change, ChangeFeed } from '../../core/events/ports.ts'
import { SECOND_MS } from '../../core/limits.ts'
import { serve } from './calls.ts'
import { clockWith } from './clock.ts'
import { type Commands, isCommand, type RunCommand } from './commands.ts'
import type { Connection } from './connect.ts'
import { type Database, openForWriting } from './database.ts'
import { unavailable } from './errors.ts'
import type { Search } from './findings.ts'
import { LateSearch, type LoadFind, searchableOf } from './late-search.ts'
import type { LatestId } from './messages.ts'
import { portsOn, type StorePorts } from './ports.ts'
import { type OriginKind, Shares } from './shares.ts'
import { SIZE_FACTOR, Space } from './space.ts'
import type { Swept } from './sweep.ts'
import { Sweeper } from './sweeper.ts'
import type { Committed } from './transaction.ts'
import { writingTo } from './writing.ts'

/** Often enough that a full store accepts mail within a minute after some has expired. */
const SWEEP_EVERY_MS = 20 * SECOND_MS

export interface WriterOptions {
  dir: string
  /** How often expired data is removed. */
  sweepEveryMs?: number | undefined
  /** Changes the clock of all threads (clock.ts). */
  clockOffset?: SharedArrayBuffer | undefined
  /** Limit for the database; above it mail is refused. 80 % of the free disk space by default. */
  maxBytes?: number | undefined
  /** The time of the newest id, which other threads read. */
  latestId?: LatestId
  /** Receives the changes of each commit that has any. */
  publish: (changes: Change[]) => void
  /** Whether anybody follows mail at the moment. */
  hasListeners?: () => boolean
}

/**
 * The store in the writing thread. It has the only connection that writes, so nothing waits for a
 * lock. Its ports read uncommitted changes, so a result must not be sent anywhere before a later
 * command is committed.
 */
export interface Writer extends StorePorts {
  commands: Committed<Commands>
  /** Returns the id of a new message. It is greater than that of every message in the store. */
  newMessageId(): string
  /** The bytes that the database uses. */
  usedBytes(): number
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
  /** Whether somebody follows mail, so that a new message is searched for codes and links at once. */
  isFollowed(): boolean
  /** Sets what loads the function that searches messages which were stored without. */
  searchWith(load: LoadFind): void
  /** Has a message that was stored without a search searched when no mail comes. */
  searchLater(messageId: string): void
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
  const { dir, clockOffset, sweepEveryMs = SWEEP_EVERY_MS, hasListeners = () => true } = options
  const clock = clockWith(clockOffset)
  const db = openForWriting(dir)
  const space = new Space(db, dir, options.maxBytes)
  const shares = new Shares(db, space)
  let domainChanged: (change: Change) => void = () => {}
  const { group, commands, run, hasWebhooks } = writingTo(db, clock, {
    isFull: () => !space.hasRoom(0),
    latestId: options.latestId,
    publish(changes) {
      for (const change of changes) if (change.type === 'domain') domainChanged(change)
      options.publish(changes)
    },
  })
  const lateSearch = new LateSearch({
    searchableOf: (messageId) => searchableOf(db, messageId),
    store: commands.putFindings,
  })
  const ports = portsOn(db, commands, clock, lateSearch.search)
  const changeFeed: ChangeFeed = {
    subscribe(listener) {
      domainChanged = listener
      return () => {}
    },
  }
  const sweeper = new Sweeper(commands, space, sweepEveryMs)
  const dispatcher = new Dispatcher(run, lateSearch.search)
  let newest = db.get<{ id: number | null }>('SELECT max(id) AS id FROM messages')!.id ?? 0

  return {
    ...ports,
    domains: cachedDomains(ports.domains, changeFeed, clock),
    commands,
    newMessageId: () => String(++newest),
    usedBytes: () => space.used(),
    hasRoom: (bytes) => space.hasRoom(bytes),
    hasShare: (kind, name, bytes) => shares.allows(kind, name, bytes * SIZE_FACTOR),
    expect(count) {
      group.expected = count
    },
    isFollowed: () => hasListeners() || hasWebhooks(),
    searchWith: (load) => lateSearch.use(load),
    searchLater: (messageId) => lateSearch.later(messageId),
    dispatch: (name, args) => dispatcher.dispatch(name, args),
    connection: () => ({ dir, port: dispatcher.connect(), clockOffset }),
    sweep: () => sweeper.sweep(),
    async close() {
      dispatcher.close()
      lateSearch.stop()
      await sweeper.stop()
      group.flush()
      checkpoint(db)
      db.close()
    },
  }
}

/** Runs the commands and searches that other threads call. */
class Dispatcher {
  readonly #run: RunCommand
  readonly #search: Search
  #isClosed = false

  constructor(run: RunCommand, search: Search) {
    this.#run = run
    this.#search = search
  }

  async dispatch(name: string, args: unknown[]): Promise<unknown> {
    if (this.#isClosed) throw unavailable(new Error('the store is closed'))
    if (name === 'search') return this.#search(args[0] as string[])
    if (!isCommand(name)) throw new Error(`the store has no command ${name}`)
    return this.#run(name, args as Parameters<Committed<Commands>[typeof name]>)
  }

  /** Returns a port to which another thread can send calls. */
  connect(): MessagePort {
    const { port1, port2 } = new MessageChannel()
    serve(port1, (name, args) => this.dispatch(name, args))
    return port2
  }

  /** Refuses later calls. */
  close(): void {
    this.#isClosed = true
  }
}

/** Moves the log into the database, so that the next start finds one file and nothing to recover. */
function checkpoint(db: Database): void {
  try {
    db.run('PRAGMA wal_checkpoint(TRUNCATE)')
  } catch (error) {
    // On a full disk the log remains with all committed data, and the next start reads it.
    if (!(error instanceof Problem)) throw error
  }
}
