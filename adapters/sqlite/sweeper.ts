import { Problem } from '../../core/errors.ts'
import type { Space } from './space.ts'
import { type SweepCommands, type Swept, sweep } from './sweep.ts'

/** Sweeps at intervals, and on demand. */
export class Sweeper {
  readonly #commands: SweepCommands
  readonly #space: Space
  readonly #timer: NodeJS.Timeout
  #sweeping: Promise<Swept> | undefined

  constructor(commands: SweepCommands, space: Space, everyMs: number) {
    this.#commands = commands
    this.#space = space
    this.#timer = setInterval(() => {
      this.sweep().catch((error) => {
        // Every caller gets the error of a store that cannot write; the sweep is simply repeated.
        if (!(error instanceof Problem)) throw error
      })
    }, everyMs)
  }

  /** Resolves when everything that has expired is removed. Calls at the same time share one sweep. */
  sweep(): Promise<Swept> {
    this.#sweeping ??= this.#sweepInReserve().finally(() => {
      this.#sweeping = undefined
    })
    return this.#sweeping
  }

  /** Resolves when no sweep runs any more. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#sweeping?.catch(() => {})
  }

  /** On a full disk, a sweep uses the reserved space, because removing and copying the log need space. */
  async #sweepInReserve(): Promise<Swept> {
    try {
      return await this.#sweepAndCopy()
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      this.#space.release()
      this.#space.copyLog()
      return await this.#sweepAndCopy()
    } finally {
      this.#space.hold()
    }
  }

  /** A log that cannot be copied takes nothing more once it is full, so the copy is part of a sweep. */
  async #sweepAndCopy(): Promise<Swept> {
    const swept = await sweep(this.#commands)
    this.#space.copyLog()
    return swept
  }
}
