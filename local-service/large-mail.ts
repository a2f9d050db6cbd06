import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { Caller } from '../adapters/sqlite/calls.ts'
import type { Writer } from '../adapters/sqlite/writer.ts'
import type { Envelope } from '../core/inbox/receive.ts'
import type { LargeMailData } from './large-mail-thread.ts'

/** The thread that reads large mail ends when it had none for so long: it is memory that small mail does not need. */
const IDLE_MS = 30_000
/** The service has 10 s to stop, and its connections take 5 of these. */
const CLOSE_GRACE_MS = 2000

interface Reader {
  worker: Worker
  caller: Caller
}

/**
 * Large mail, whose raw message is stored already, is read in a thread of its own, one after the other, so that
 * their memory does not add up. Should a message break that thread, its sender is refused for now, and the next
 * one has a new thread.
 */
export class LargeMail {
  readonly #writer: Writer
  readonly #retentionMs: number
  readonly #pending = new Set<Promise<unknown>>()
  #reader: Reader | undefined
  #idle: NodeJS.Timeout | undefined

  constructor(writer: Writer, retentionMs: number) {
    this.#writer = writer
    this.#retentionMs = retentionMs
  }

  /** The ids of its emails. */
  receive(envelope: Envelope): Promise<string[]> {
    clearTimeout(this.#idle)
    this.#reader ??= this.#start()
    const received = this.#reader.caller.call('receive', [envelope]) as Promise<string[]>
    const settled = received.then(
      () => {},
      () => {},
    )
    this.#pending.add(settled)
    void settled.then(() => this.#settled(settled))
    return received
  }

  /** Lets what was handed over finish, as far as that takes no longer than some seconds: the senders of the rest
   * are gone, without a 250, and send it again. */
  async close(): Promise<void> {
    await Promise.race([Promise.all(this.#pending), sleep(CLOSE_GRACE_MS, undefined, { ref: false })])
    clearTimeout(this.#idle)
    await this.#end('the service is stopping')
  }

  #settled(settled: Promise<unknown>): void {
    this.#pending.delete(settled)
    if (this.#pending.size > 0) return
    this.#idle = setTimeout(() => void this.#end('it had nothing to do'), IDLE_MS).unref()
  }

  #start(): Reader {
    const connection = this.#writer.connection()
    const workerData: LargeMailData = { connection, retentionMs: this.#retentionMs }
    const worker = new Worker(new URL('./large-mail-thread.ts', import.meta.url), {
      workerData,
      transferList: [connection.port],
      execArgv: [],
    })
    const reader = { worker, caller: new Caller(worker) }
    const ended = (error: Error) => {
      if (this.#reader === reader) this.#reader = undefined
      reader.caller.end(error)
    }
    worker.once('error', ended)
    worker.once('exit', () => ended(new Error('the thread that reads large mail ended')))
    return reader
  }

  async #end(reason: string): Promise<void> {
    const reader = this.#reader
    this.#reader = undefined
    reader?.caller.end(new Error(reason))
    await reader?.worker.terminate()
  }
}
