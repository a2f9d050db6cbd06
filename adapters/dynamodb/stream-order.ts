import type { Clock } from '../../core/clock.ts'
import type { Change } from '../../core/events/ports.ts'
import { ulidTime } from '../../core/ulid.ts'

type EmailAnnouncement = Extract<Change, { type: 'email' }>

/**
 * Brings emails into the order of their ids, which several shards and several writers mix up by some ms: a
 * client that was told of a greater id first and then loses its connection would never ask for the lesser one.
 * Each is held until its id is `holdMs` old. Most are older when they come, so this seldom costs any time.
 */
export class InOrder {
  readonly #holdMs: number
  readonly #clock: Clock
  readonly #emit: (announcement: EmailAnnouncement) => void
  /** By id. */
  readonly #held: { announcement: EmailAnnouncement; due: number }[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(holdMs: number, clock: Clock, emit: (announcement: EmailAnnouncement) => void) {
    this.#holdMs = holdMs
    this.#clock = clock
    this.#emit = emit
  }

  add(announcement: EmailAnnouncement): void {
    const { id } = announcement.email
    // A writer's clock that is ahead must not hold anything back for longer.
    const due = Math.min(ulidTime(id), this.#clock()) + this.#holdMs
    const index = this.#held.findLastIndex((other) => other.announcement.email.id < id) + 1
    this.#held.splice(index, 0, { announcement, due })
  }

  /** Emits what is due, and the rest when it is. To be called when all that came together is added. */
  release(): void {
    const now = this.#clock()
    while (this.#held[0] !== undefined && this.#held[0].due <= now) {
      this.#emit(this.#held.shift()!.announcement)
    }
    clearTimeout(this.#timer)
    const next = this.#held[0]
    this.#timer = next && setTimeout(() => this.release(), Math.min(next.due - now, this.#holdMs))
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#held.length = 0
  }
}
