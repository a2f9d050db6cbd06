import { type DynamoDBClient, TransactionCanceledException } from '@aws-sdk/client-dynamodb'
import type { Item } from '../../../adapters/dynamodb/attributes.ts'

/** Durations in ms of a transaction, of its rejection because of a conflict, and of a read. */
const TRANSACTION_MS = 10
const CONFLICT_MS = 5
const READ_MS = 4

interface Write {
  Put?: { Item: Item; ConditionExpression?: string }
  Update?: { Key: Item; ExpressionAttributeValues: Item; ConditionExpression?: string }
}

/**
 * Simulates the part of DynamoDB that storing emails uses, on the timers of the test: a transaction
 * takes 10 ms, and a transaction that conflicts with another one on an item is rejected.
 */
export class VirtualDynamoDb {
  conflicts = 0
  /** The stored emails in the order in which they became visible. */
  readonly emails: { address: string; id: string; messageId: string }[] = []
  /** Returns the error of a request that fails before it has an effect. */
  fault: () => Error | undefined = () => undefined
  /** Returns the error of a transaction that succeeds, but whose response is lost. */
  lostResponse: () => Error | undefined = () => undefined
  readonly #items = new Map<string, Item>()
  readonly #locked = new Set<string>()

  get client(): DynamoDBClient {
    const send = (command: {
      constructor: { name: string }
      input: { TransactItems: Write[]; Key: Item }
    }) =>
      command.constructor.name === 'TransactWriteItemsCommand'
        ? this.#transact(command.input.TransactItems)
        : this.#read(command.input.Key)
    return { send } as unknown as DynamoDBClient
  }

  async #read(key: Item): Promise<object> {
    await pause(READ_MS)
    throwIf(this.fault())
    const Item = this.#items.get(textOf(key))
    return { Item }
  }

  async #transact(writes: Write[]): Promise<object> {
    throwIf(this.fault())
    const keys = writes.map(keyOf)
    if (keys.some((key) => this.#locked.has(key))) {
      this.conflicts++
      await pause(CONFLICT_MS)
      throw canceled(writes.map(() => ({ Code: 'TransactionConflict' })))
    }
    for (const key of keys) this.#locked.add(key)
    await pause(TRANSACTION_MS)
    const reasons = writes.map((write, i) => this.#reason(write, keys[i]!))
    const isRefused = reasons.some(({ Code }) => Code !== 'None')
    if (!isRefused) writes.forEach((write, i) => void this.#put(keys[i]!, itemOf(write)))
    for (const key of keys) this.#locked.delete(key)
    if (isRefused) throw canceled(reasons)
    throwIf(this.lostResponse())
    return {}
  }

  #put(key: string, item: Item): void {
    this.#items.set(key, item)
    const [, address] = /^address#(.+)$/.exec(item.pk?.S ?? '') ?? []
    if (address !== undefined)
      this.emails.push({ address, id: item.sk?.S ?? '', messageId: item.delivery?.S ?? '' })
  }

  /** Evaluates the conditions on a head and on a new delivery. */
  #reason({ Put, Update }: Write, key: string): { Code: string; Item?: Item } {
    const item = this.#items.get(key)
    const first = Update?.ExpressionAttributeValues[':first']?.S
    const isHeld =
      first === undefined ? Put?.ConditionExpression !== undefined : (item?.last_id?.S ?? '') >= first
    return item !== undefined && isHeld ? { Code: 'ConditionalCheckFailed', Item: item } : { Code: 'None' }
  }
}

function throwIf(error: Error | undefined): void {
  if (error !== undefined) throw error
}

function keyOf({ Put, Update }: Write): string {
  return textOf(Put?.Item ?? Update!.Key)
}

function textOf({ pk, sk }: Item): string {
  return `${pk!.S} ${sk?.S ?? ''}`
}

function itemOf({ Put, Update }: Write): Item {
  return Put?.Item ?? { ...Update!.Key, last_id: Update!.ExpressionAttributeValues[':id']! }
}

function canceled(CancellationReasons: { Code: string; Item?: Item }[]): Error {
  return new TransactionCanceledException({ message: 'canceled', $metadata: {}, CancellationReasons })
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
