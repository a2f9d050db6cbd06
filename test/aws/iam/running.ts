import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { CustomResource } from './policies.ts'
import type { World } from './world.ts'

/** A program that has a role, as it is run here. */
export interface Running {
  world: World
  env: Record<string, string>
  /** By which the recorder knows the program. */
  accessKey: string
  /** The custom resources of the template that this function provides. */
  customResources: CustomResource[]
}

export interface InvokeOptions {
  /** Sets the clock of the process ahead, in milliseconds. */
  aheadMs?: number
  /** The time that the function has left. @default 5 minutes */
  remainingMs?: number
}

/** A Lambda function of the stack in a process of its own. */
export interface RunningFunction {
  // biome-ignore lint/suspicious/noExplicitAny: events and results have any shape
  invoke(event: unknown, options?: InvokeOptions): Promise<any>
  stop(): Promise<void>
  /** Ends the process at once, whatever it does. */
  kill(): void
}

/** @param env the whole environment of the process */
export async function startFunction(handler: string, env: Record<string, string>): Promise<RunningFunction> {
  const child = fork(fileURLToPath(new URL('function.ts', import.meta.url)), [handler], {
    env,
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let output = ''
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk) => (output += chunk))
  const ended = once(child, 'exit')
  const ready = Promise.withResolvers<void>()
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let events = 0
  child.on('message', (message: { ready?: true; id: number; result?: unknown; error?: string }) => {
    if (message.ready) return ready.resolve()
    const { resolve, reject } = waiting.get(message.id)!
    if (message.error === undefined) resolve(message.result)
    else reject(new Error(`${handler}: ${message.error}\n${output}`))
  })
  void ended.then(([code]) => {
    const error = new Error(`${handler} ended with ${code}:\n${output}`)
    ready.reject(error)
    for (const { reject } of waiting.values()) reject(error)
  })
  await ready.promise
  return {
    invoke(event, options = {}) {
      const id = events++
      const answer = Promise.withResolvers<unknown>()
      waiting.set(id, answer)
      child.send({ id, event, ...options })
      return answer.promise
    },
    async stop() {
      child.disconnect()
      child.kill()
      await ended
    },
    kill: () => void child.kill('SIGKILL'),
  }
}
