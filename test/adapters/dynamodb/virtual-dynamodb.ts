import { type DynamoDBClient, TransactionCanceledException } from '@aws-sdk/client-dynamodb'
import type { Item } from '../../../adapters/dynamodb/attributes.ts'

/** Durations in ms of a transaction, of its rejection because of a conflict, and of a read. */
const TRANSACTION_MS = 10
const CONFLICT_MS = 5
const READ_MS = 4
/**
 * Write units that a partition key takes in a second, and those of a write of up to 1 KB in a
 * transaction (developer guide, "Best practices for designing partition keys").
 */
const PARTITION_UNITS = 1000
const TRANSACTION_UNITS = 2

interface Write {
  Delete?: { Key: Item }
  Put?: { Item: Item; ConditionExpression?: string }
  Update?: { Key: Item; ExpressionAttributeValues: Item; ConditionExpression?: string }
}

interface Command {
  constructor: { name: string }
  input: { TransactItems: Write[]; Key: Item; Item: Item; ExpressionAttributeValues: Item; Limit: number }
}

/**
 * Simulates the part of DynamoDB that storing emails uses, on the timers of the test: a transaction
 * takes 10 ms, and a transaction that conflicts with another one on an item is rejected.
 */
export class VirtualDynamoDb {
  conflicts = 0
  throttles = 0
  /** The stored emails in the order in which they became visible. */
  readonly emails: { address: string; id: string; messageId: string }[] = []
  /** Returns the error of a request that fails before it has an effect. */
  fault: () => Error | undefined = () => undefined
  /** Returns the error of a transaction that succeeds, but whose response is lost. */
  lostResponse: () => Error | undefined = () => undefined
  readonly #items = new Map<string, Item>()
  /** The keys of the items of a partition. */
  readonly #keys = new Map<string, Set<string>>()
  readonly #units = new Map<string, { second: number; units: number }>()
  readonly #locked = new Set<string>()

  get client(): DynamoDBClient {
    const send = ({ constructor: { name }, input }: Command): Promise<object> => {
      if (name === 'TransactWriteItemsCommand') return this.#transact(input.TransactItems)
      if (name === 'QueryCommand') return this.#query(input.ExpressionAttributeValues[':pk']!.S!, input.Limit)
      if (name === 'PutItemCommand') return this.#write({ Put: { Item: input.Item } })
      if (name === 'DeleteItemCommand') return this.#write({ Delete: { Key: input.Key } })
      return this.#read(input.Key)
    }
    return { send } as unknown as DynamoDBClient
  }

  async #query(partition: string, limit: number): Promise<object> {
    await pause(READ_MS)
    throwIf(this.fault())
    const keys = [...(this.#keys.get(partition) ?? [])].sort()
    return { Items: keys.slice(0, limit).map((key) => this.#items.get(key)!) }
  }

  async #write(write: Write): Promise<object> {
    await pause(READ_MS)
    throwIf(this.fault())
    this.#apply(write)
    return {}
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
    if (writes.some((write) => this.#isThrottled(partitionKeyOf(write)))) {
      this.throttles++
      await pause(CONFLICT_MS)
      throw canceled(writes.map(() => ({ Code: 'ThrottlingError' })))
    }
    for (const key of keys) this.#locked.add(key)
    await pause(TRANSACTION_MS)
    const reasons = writes.map((write, i) => this.#reason(write, keys[i]!))
    const isRefused = reasons.some(({ Code }) => Code !== 'None')
    if (!isRefused) for (const write of writes) this.#apply(write)
    for (const key of keys) this.#locked.delete(key)
    if (isRefused) throw canceled(reasons)
    throwIf(this.lostResponse())
    return {}
  }

  /** Counts a transaction's write to a partition key. */
  #isThrottled(partition: string): boolean {
    const second = Math.floor(Date.now() / 1000)
    const used = this.#units.get(partition)
    const units = (used?.second === second ? used.units : 0) + TRANSACTION_UNITS
    if (units > PARTITION_UNITS) return true
    this.#units.set(partition, { second, units })
    return false
  }

  #apply(write: Write): void {
    const key = keyOf(write)
    if (write.Delete !== undefined) {
      this.#items.delete(key)
      this.#keys.get(partitionKeyOf(write))?.delete(key)
      return
    }
    this.put(itemOf(write))
  }

  /** Puts an item at once. */
  put(item: Item): void {
    const key = textOf(item)
    this.#items.set(key, item)
    const partition = item.pk!.S!
    this.#keys.set(partition, (this.#keys.get(partition) ?? new Set()).add(key))
    const [, address] = /^address#(.+)$/.exec(item.pk?.S ?? '') ?? []
    if (address !== undefined)
      this.emails.push({ address, id: item.sk?.S ?? '', messageId: item.message_id?.S ?? '' })
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

function keyOf({ Put, Update, Delete }: Write): string {
  return textOf(Put?.Item ?? Update?.Key ?? Delete!.Key)
}

function partitionKeyOf({ Put, Update, Delete }: Write): string {
  return (Put?.Item ?? Update?.Key ?? Delete!.Key).pk!.S!
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
