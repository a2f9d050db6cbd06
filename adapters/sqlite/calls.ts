import { MessagePort, type Worker } from 'node:worker_threads'
import { Problem, type ProblemCode } from '../../core/errors.ts'
import { unavailable } from './errors.ts'

/**
 * Calls between threads. The calls of one turn of the event loop share one message, and so do the
 * answers of one commit, as they share its sync.
 */

interface Call {
  id: number
  name: string
  args: unknown[]
}

type Answer = { id: number; result: unknown } | { id: number; failure: Failure }

/**
 * An error as it crosses threads: the used fields of a Problem or a system error, and the text of
 * any other error.
 */
interface Failure {
  code?: ProblemCode
  syscall?: string
  message: string
  cause?: string
}

interface Pending {
  resolve(result: unknown): void
  reject(error: unknown): void
}

/**
 * Calls the functions that another thread serves. Buffers and ports among the arguments are
 * transferred.
 */
export class Caller {
  readonly #port: MessagePort | Worker
  readonly #pending = new Map<number, Pending>()
  #calls: Call[] = []
  #transfer: (ArrayBuffer | MessagePort)[] = []
  #lastId = 0
  #ended: Error | undefined

  constructor(port: MessagePort | Worker) {
    this.#port = port
    port.on('message', (message: { answers?: Answer[] }) => {
      for (const answer of message.answers ?? []) this.#complete(answer)
    })
  }

  call(name: string, args: unknown[]): Promise<unknown> {
    if (this.#ended !== undefined) return Promise.reject(unavailable(this.#ended))
    const id = ++this.#lastId
    if (this.#calls.length === 0) process.nextTick(() => this.#send())
    this.#calls.push({ id, name, args })
    for (const arg of args) {
      if (arg instanceof Uint8Array) this.#transfer.push(arg.buffer as ArrayBuffer)
      else if (arg instanceof MessagePort) this.#transfer.push(arg)
    }
    return new Promise((resolve, reject) => this.#pending.set(id, { resolve, reject }))
  }

  /** Rejects the calls without an answer and all later ones. */
  end(reason: Error): void {
    this.#ended ??= reason
    for (const { reject } of this.#pending.values()) reject(unavailable(reason))
  }

  #send(): void {
    this.#port.postMessage({ calls: this.#calls }, this.#transfer)
    this.#calls = []
    this.#transfer = []
  }

  #complete(answer: Answer): void {
    const pending = this.#pending.get(answer.id)!
    this.#pending.delete(answer.id)
    if ('failure' in answer) pending.reject(thrown(answer.failure))
    else pending.resolve(answer.result)
  }
}

/** A port, or a thread. */
interface CallPort {
  postMessage(message: unknown): void
  on(event: 'message', listener: (message: { calls?: Call[] }) => void): unknown
}

/**
 * Answers the calls from a port.
 * @param dispatch runs a call
 */
export function serve(port: CallPort, dispatch: (name: string, args: unknown[]) => Promise<unknown>): void {
  let answers: Answer[] = []
  const answer = (one: Answer) => {
    // After the microtasks, so that all promises of one commit are settled.
    if (answers.length === 0) process.nextTick(send)
    answers.push(one)
  }
  const send = () => {
    port.postMessage({ answers })
    answers = []
  }
  port.on('message', ({ calls = [] }: { calls?: Call[] }) => {
    for (const { id, name, args } of calls) {
      dispatch(name, args).then(
        (result) => answer({ id, result }),
        (error) => answer({ id, failure: failure(error) }),
      )
    }
  })
}

function failure(error: unknown): Failure {
  if (!(error instanceof Error)) return { message: String(error) }
  const cause = error.cause instanceof Error ? error.cause.message : undefined
  if (error instanceof Problem) return { code: error.code, message: error.detail, cause }
  const { syscall } = error as NodeJS.ErrnoException
  if (syscall !== undefined) return { syscall, message: error.message, cause }
  return { message: error.stack ?? error.message, cause }
}

function thrown({ code, syscall, message, cause }: Failure): Error {
  const options = cause === undefined ? {} : { cause: new Error(cause) }
  if (syscall !== undefined) return Object.assign(new Error(message, options), { syscall })
  return code === undefined ? new Error(message, options) : new Problem(code, message, options)
}
