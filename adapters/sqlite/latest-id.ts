import { ulidTime } from '../../core/ulid.ts'

const TIME = 0
const IS_OPEN = 1

/**
 * What the writing thread tells the other threads about the newest id of an email, in shared memory: its time in ms,
 * and whether it is still to be committed.
 */
export class LatestId {
  readonly #values: BigInt64Array

  constructor(shared: SharedArrayBuffer = LatestId.memory()) {
    this.#values = new BigInt64Array(shared)
  }

  /** Memory for two threads that share it. */
  static memory(): SharedArrayBuffer {
    return new SharedArrayBuffer(2 * BigInt64Array.BYTES_PER_ELEMENT)
  }

  /** Notes an id that is given to an email, before the email is stored. */
  given(id: string): void {
    Atomics.store(this.#values, IS_OPEN, 1n)
    Atomics.store(this.#values, TIME, BigInt(ulidTime(id)))
  }

  /** Notes that every id that was given is committed. */
  committed(): void {
    Atomics.store(this.#values, IS_OPEN, 0n)
  }

  /**
   * Whether every id so far is older than this moment and visible. Ids never get older, so every later one is of this
   * moment or newer.
   * @param now the time in ms, which must be read before
   */
  isBefore(now: number): boolean {
    const time = Atomics.load(this.#values, TIME)
    return time < now && Atomics.load(this.#values, IS_OPEN) === 0n
  }
}
