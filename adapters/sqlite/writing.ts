import { randomBytes } from 'node:crypto'
import type { Clock } from '../../core/clock.ts'
import type { Change } from '../../core/events/ports.ts'
import { ulidSource } from '../../core/ulid.ts'
import { partJobs } from './blobs.ts'
import type { Database } from './database.ts'
import { domainJobs } from './domains.ts'
import { GroupCommit } from './group-commit.ts'
import { keyJobs } from './keys.ts'
import { limitJobs } from './limits.ts'
import { emailJobs } from './messages.ts'
import { sweepJobs } from './sweep.ts'

/** Deliveries that are remembered as lost. */
const LOST_MAX = 10_000

/** What a job works with. */
export interface Work {
  db: Database
  clock: Clock
  /** A new id, greater than all before it in this store. */
  mint(): string
  /** Announces when the job is committed. */
  announce(announcement: Change): void
  /** Deliveries whose parts were given up before their emails were stored, which they must not be any more. */
  lost: Set<string>
  lose(delivery: string): void
}

/** Every change that can be made to the store, by name: a plain function inside the transaction. */
export type Jobs = ReturnType<typeof jobsOf>
export type JobName = keyof Jobs

/** The way to the jobs, the same in every thread. */
export interface Writing {
  /**
   * Resolves when the job is committed.
   * @param transfer buffers among the arguments that the caller gives away
   */
  run<Name extends JobName>(
    name: Name,
    args: Parameters<Jobs[Name]>,
    transfer?: ArrayBuffer[],
  ): Promise<ReturnType<Jobs[Name]>>
}

function jobsOf(work: Work) {
  return {
    ...emailJobs(work),
    ...partJobs(work),
    ...domainJobs(work),
    ...keyJobs(work),
    ...limitJobs(work),
    ...sweepJobs(work),
  }
}

/** The jobs, run on the connection that writes, in the thread that has it. */
export class DirectWriting implements Writing {
  readonly #group: GroupCommit
  readonly #jobs: Jobs
  readonly #lost = new Set<string>()

  constructor(db: Database, clock: Clock, announced: (announcements: Change[]) => void) {
    this.#group = new GroupCommit(db, announced)
    this.#jobs = jobsOf({
      db,
      clock,
      mint: idsOf(db, clock),
      announce: (announcement) => this.#group.announce(announcement),
      lost: this.#lost,
      lose: (delivery) => this.#lose(delivery),
    })
  }

  run<Name extends JobName>(name: Name, args: Parameters<Jobs[Name]>): Promise<ReturnType<Jobs[Name]>> {
    const job = this.#jobs[name] as (...args: Parameters<Jobs[Name]>) => ReturnType<Jobs[Name]>
    return this.#group.run(() => job(...args))
  }

  /** Commits what is open now. */
  flush(): void {
    this.#group.flush()
  }

  /** Those who still store a delivery do so within minutes: the oldest ones are forgotten. */
  #lose(delivery: string): void {
    this.#lost.add(delivery)
    if (this.#lost.size > LOST_MAX) this.#lost.delete(this.#lost.values().next().value!)
  }
}

/** Ids that grow over restarts and when the clock steps back: the last one is kept in the store. */
function idsOf(db: Database, clock: Clock): () => string {
  const last = db.get<{ value: string }>("SELECT value FROM meta WHERE name = 'last_id'")?.value
  const next = ulidSource(clock, randomBytes, last)
  return () => {
    const id = next()
    db.run("INSERT OR REPLACE INTO meta (name, value) VALUES ('last_id', ?)", id)
    return id
  }
}
