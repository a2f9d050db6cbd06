import {
  type DynamoDBClient,
  TransactionCanceledException,
  TransactionConflictException,
  type TransactWriteItemsCommandInput,
} from '@aws-sdk/client-dynamodb'

/** An error as the SDK throws it. */
export function failing(name: string): Error {
  return Object.assign(new Error(`${name} was injected`), { name, $metadata: { attempts: 1 } })
}

/** Which request fails, and when. */
export interface Fault {
  /** The index of the operation that fails, from 0. */
  operation: number
  /**
   * Before the server receives the request, or after it has processed it, so that only the response
   * is lost.
   */
  when: 'before' | 'after'
  /** Only the first attempt, which the SDK retries by itself, or all attempts. */
  attempts: 'first' | 'all'
}

/** Makes operations of a client fail as a broken connection would. */
export class Faults {
  /** The names of the commands sent so far. */
  operations: string[] = []
  #fault: Fault | undefined
  #conflicts = 0
  #conflicting = WRITES
  #slowMs: () => number = () => 0
  #hold: { operation: number; reached: () => void; released: Promise<void> } | undefined

  readonly #client: DynamoDBClient

  constructor(client: DynamoDBClient) {
    this.#client = client
    let current = 0
    client.middlewareStack.add(
      (next, context) => (args) => {
        current = this.operations.push((context.commandName ?? '').replace('Command', '')) - 1
        if (this.#conflicts > 0 && this.#conflicting.test(context.commandName ?? '')) {
          this.#conflicts--
          throw conflicting(context.commandName!)
        }
        return next({ ...args, input: Object.assign(args.input, { [OPERATION]: current }) })
      },
      { step: 'initialize', name: 'countOperations' },
    )
    // This step is inside the retries of the SDK.
    client.middlewareStack.add(
      (next) => {
        const attempted = new Set<number>()
        return async (args) => {
          const operation = (args.input as { [OPERATION]: number })[OPERATION]
          const first = !attempted.has(operation)
          attempted.add(operation)
          await this.#holding(operation)
          await pause(this.#slowMs())
          const fault = this.#fault
          const fails =
            fault !== undefined && fault.operation === operation && (first || fault.attempts === 'all')
          if (fails && fault.when === 'before') throw broken()
          if (!fails) return next(args)
          await next(args).catch(() => {})
          throw broken()
        }
      },
      { step: 'finalizeRequest', priority: 'low', name: 'injectFaults' },
    )
  }

  /** Restarts the count of operations; one operation fails from now on. */
  inject(fault: Fault | undefined): void {
    this.operations = []
    this.#fault = fault
  }

  /** Makes the next `count` writes, or only transactions, conflict with another transaction. */
  conflict(count: number, which: 'writes' | 'transactions' = 'writes'): void {
    this.inject(undefined)
    this.#conflicting = which === 'writes' ? WRITES : /^Transact/
    this.#conflicts = count
  }

  /**
   * Makes transactions conflict as those of DynamoDB do, for 10 ms from their beginning.
   * @param inFlight the items that a transaction of any of these clients writes now
   */
  exclude(inFlight: Set<string>): void {
    this.#client.middlewareStack.add(
      (next, context) => async (args) => {
        const { TransactItems } = args.input as TransactWriteItemsCommandInput
        if (TransactItems === undefined) return next(args)
        const keys = TransactItems.flatMap(({ Update }) =>
          Update === undefined ? [] : [JSON.stringify(Update.Key)],
        )
        if (keys.some((key) => inFlight.has(key))) throw conflicting(context.commandName!)
        for (const key of keys) inFlight.add(key)
        await pause(10)
        return next(args).finally(() => {
          for (const key of keys) inFlight.delete(key)
        })
      },
      { step: 'initialize' },
    )
  }

  /** Delays every request by a time in ms that is computed for each request. */
  slow(ms: () => number): void {
    this.#slowMs = ms
  }

  /** Holds one operation back; `reached` resolves when the operation is about to be sent. */
  hold(operation: number): { reached: Promise<void>; release: () => void } {
    this.inject(undefined)
    const reached = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    this.#hold = { operation, reached: reached.resolve, released: released.promise }
    return { reached: reached.promise, release: released.resolve }
  }

  async #holding(operation: number): Promise<void> {
    const hold = this.#hold
    if (hold?.operation !== operation) return
    this.#hold = undefined
    hold.reached()
    await hold.released
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

const OPERATION = Symbol('operation')

const WRITES = /^(Transact|Put|Update|Delete)/

/** The error of DynamoDB for a transaction conflict, which DynamoDB Local never returns. */
function conflicting(command: string): Error {
  const refusal = { message: 'a conflict was injected', $metadata: {} }
  return command.startsWith('Transact')
    ? new TransactionCanceledException({
        ...refusal,
        CancellationReasons: [{ Code: 'None' }, { Code: 'TransactionConflict' }],
      })
    : new TransactionConflictException(refusal)
}

function broken(): Error {
  return Object.assign(new Error('the connection was broken'), { code: 'ECONNRESET' })
}

/** Every kind of fault at each of `operations` operations. */
export function everyFault(operations: number): Fault[] {
  return Array.from({ length: operations }, (_, operation) => operation).flatMap((operation) =>
    (['first', 'all'] as const).flatMap((attempts) =>
      (['before', 'after'] as const).map((when) => ({ operation, when, attempts })),
    ),
  )
}
