import { randomBytes } from 'node:crypto'
import type { Clock } from '../../core/clock.ts'
import type { Change } from '../../core/events/ports.ts'
import { lastUlidOf, ulidSource, ulidTime } from '../../core/ulid.ts'
import { COMMANDS, type Commands, type CommandsByName, committedBy, type RunCommand } from './commands.ts'
import type { Database } from './database.ts'
import { GroupCommit } from './group-commit.ts'
import { LatestId } from './messages.ts'
import { type Committed, Remembered, type Transaction } from './transaction.ts'
import { hasWebhooks } from './webhooks.ts'

/**
 * How far ahead ids are reserved. It is shorter than a restart, so that no id has a time in the
 * future after one.
 */
const RESERVED_MS = 100

export interface Writing {
  group: GroupCommit
  commands: Committed<Commands>
  run: RunCommand
  /** Whether there may be webhooks. */
  hasWebhooks(): boolean
}

export interface WritingOptions {
  publish: (changes: Change[]) => void
  isFull?: () => boolean
  latestId?: LatestId | undefined
}

/**
 * Returns the commands on the writing connection. Only the thread that owns it may call this.
 * @param options.publish receives the changes of each commit that has any
 * @param options.latestId the time of the newest id, which other threads read
 */
export function writingTo(
  db: Database,
  clock: Clock,
  { publish, isFull = () => false, latestId = new LatestId() }: WritingOptions,
): Writing {
  const ids = idsOf(db, clock, latestId)
  const remembered = new Remembered()
  const undone = () => remembered.forget()
  const group = new GroupCommit(db, {
    beforeCommit: ids.keepLast,
    committed: () => latestId.committed(),
    undone,
    publish,
  })
  const transaction: Transaction = {
    db,
    clock,
    newId: ids.next,
    publish: (change) => group.publish(change),
    abandoned: new Set(),
    remembered,
    hasWebhooks: hasWebhooks(db),
    isFull,
  }
  const commands: CommandsByName = COMMANDS
  const run: RunCommand = (name, args) => group.run(() => commands[name](transaction, ...args))
  return { group, commands: committedBy(run), run, hasWebhooks: () => transaction.hasWebhooks }
}

/**
 * Ids that grow across restarts and when the clock steps back: a commit stores the last id that it
 * may have reached. That is a reservation for several commits, because a commit writes every page
 * that it touches.
 */
function idsOf(db: Database, clock: Clock, latest: LatestId): { next(): string; keepLast(): void } {
  let last = db.get<{ value: string }>("SELECT value FROM meta WHERE name = 'last_id'")?.value
  let reserved = last
  const source = ulidSource(() => Math.max(clock(), latest.floor + 1), pooledRandom(), last)
  if (last !== undefined) latest.given(last)
  return {
    next() {
      latest.open()
      last = source()
      latest.given(last)
      return last
    },
    keepLast() {
      if (last === undefined || (reserved !== undefined && last <= reserved)) return
      reserved = lastUlidOf(ulidTime(last) + RESERVED_MS)
      db.run("INSERT OR REPLACE INTO meta (name, value) VALUES ('last_id', ?)", reserved)
    },
  }
}

/** Random bytes, created by the thousand, because each system call costs as much as a statement. */
function pooledRandom(): (size: number) => Uint8Array {
  let pool = randomBytes(0)
  return (size) => {
    if (pool.length < size) pool = randomBytes(4096)
    const bytes = pool.subarray(0, size)
    pool = pool.subarray(size)
    return bytes
  }
}
