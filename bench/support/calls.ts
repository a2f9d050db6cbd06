import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

/*
 * A load client is a separate process, so that it takes nothing from the event loop it measures and
 * can use another core. Its parent calls functions in it by messages.
 */

interface Call {
  id: number
  name: string
  args: unknown[]
}

type Answer = { id: number; result: unknown } | { id: number; error: string }

/** In the client: answers the calls of the parent. The process ends when the parent disconnects. */
// biome-ignore lint/suspicious/noExplicitAny: the parameters of each function differ
export function serveParent(functions: Record<string, (...args: any[]) => unknown>): void {
  process.on('message', async ({ id, name, args }: Call) => {
    let answer: Answer
    try {
      answer = { id, result: await functions[name]!(...args) }
    } catch (error) {
      answer = { id, error: (error as Error).stack ?? String(error) }
    }
    process.send!(answer)
  })
  process.on('disconnect', () => process.exit(0))
}

/** In the parent: a client process. */
export class Client {
  readonly #child: ChildProcess
  readonly #pending = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>()
  #lastId = 0

  /**
   * @param module its path from bench/clients/
   * @param env in addition to the environment of this process
   */
  constructor(module: string, env: Record<string, string> = {}) {
    this.#child = fork(new URL(`../clients/${module}`, import.meta.url), {
      execArgv: ['--disable-warning=ExperimentalWarning'],
      env: { ...process.env, ...env },
    })
    this.#child.on('message', (answer: Answer) => {
      const pending = this.#pending.get(answer.id)
      this.#pending.delete(answer.id)
      if ('error' in answer) pending?.reject(new Error(`${module}: ${answer.error}`))
      else pending?.resolve(answer.result)
    })
    this.#child.on('exit', (code) => {
      for (const { reject } of this.#pending.values()) reject(new Error(`${module} ended with code ${code}`))
    })
  }

  call<Result>(name: string, ...args: unknown[]): Promise<Result> {
    const id = ++this.#lastId
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve: resolve as (result: unknown) => void, reject })
      this.#child.send({ id, name, args } satisfies Call)
    })
  }

  async end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const ended = once(this.#child, 'exit')
    this.#child.disconnect()
    await ended
  }
}
