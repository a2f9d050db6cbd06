import {
  BatchGetItemCommand,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  type QueryCommandInput,
  TransactionCanceledException,
  TransactionConflictException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { attemptsOf, translated, unavailable } from '../aws/errors.ts'
import type { Item } from './attributes.ts'
import { conflictPause, pause } from './conflicts.ts'
import { conditional, type Expressions, named } from './expressions.ts'

/** The most items in one BatchGetItem (docs.aws.amazon.com, API_BatchGetItem). */
const BATCH_GET = 100
const BATCH_GET_TRIES = 8
const BATCH_GET_PAUSE_MS = 50

/**
 * Transient reasons for the cancellation of a transaction (API_TransactWriteItems,
 * TransactionCanceledException).
 */
const PASSING_REASONS = new Set([
  'None',
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
])

/**
 * The result of a conditional write. If it is done, `item` is the item that the request asked for.
 * Otherwise `item` is the one that did not meet the condition, or undefined if it does not exist.
 * `attempts` counts the requests of the SDK, because an earlier request may have succeeded and only
 * its response was lost.
 */
export type Written =
  | { done: true; item: Item | undefined }
  | { done: false; item: Item | undefined; attempts: number }

/**
 * The result of a transaction: done; rejected because of these writes, each with the item that did
 * not meet its condition; or a conflict, which is transient.
 */
export type Transacted =
  | { done: true }
  | { done: false; refused: Map<number, Item | undefined>; conflict?: Error }

/**
 * One table with the commands that the stores use. Rejects with Problem `unavailable` if DynamoDB
 * cannot answer.
 */
export class Table {
  readonly name: string
  readonly #client: DynamoDBClient

  constructor(client: DynamoDBClient, name: string) {
    this.#client = client
    this.name = name
  }

  /** Strongly consistent. */
  async get(key: Item): Promise<Item | undefined> {
    const output = await this.#ask(() =>
      this.#client.send(new GetItemCommand({ TableName: this.name, Key: key, ConsistentRead: true })),
    )
    return output.Item
  }

  /**
   * Strongly consistent. Returns the items in no particular order, and omits those that do not
   * exist.
   */
  async getAll(keys: Item[]): Promise<Item[]> {
    const items: Item[] = []
    for (let at = 0; at < keys.length; at += BATCH_GET) {
      let rest = keys.slice(at, at + BATCH_GET)
      for (let tries = 0; rest.length > 0; tries++) {
        if (tries === BATCH_GET_TRIES) throw unavailable(new Error('keys of a BatchGetItem stay unprocessed'))
        // Items beyond 16 MB or beyond the table's throughput come back unprocessed.
        if (tries > 0) await pause(BATCH_GET_PAUSE_MS * 2 ** tries * Math.random())
        const request = { [this.name]: { Keys: rest, ConsistentRead: true } }
        const output = await this.#ask(() =>
          this.#client.send(new BatchGetItemCommand({ RequestItems: request })),
        )
        items.push(...(output.Responses?.[this.name] ?? []))
        rest = output.UnprocessedKeys?.[this.name]?.Keys ?? []
      }
    }
    return items
  }

  /** One page of a query. Strongly consistent, unless it reads an index. */
  async query(
    request: Expressions & {
      key: string
      index?: string
      filter?: string
      projection?: string
      limit?: number
      newestFirst?: boolean
      start?: Item
    },
  ): Promise<{ items: Item[]; last: Item | undefined }> {
    const { key, index, filter, projection } = request
    const input: QueryCommandInput = {
      TableName: this.name,
      IndexName: index,
      ConsistentRead: index === undefined,
      KeyConditionExpression: key,
      FilterExpression: filter,
      ProjectionExpression: projection,
      Limit: request.limit,
      ScanIndexForward: !request.newestFirst,
      ExclusiveStartKey: request.start,
      ...named(request, key, filter, projection),
    }
    const output = await this.#ask(() => this.#client.send(new QueryCommand(input)))
    return { items: output.Items ?? [], last: output.LastEvaluatedKey }
  }

  /** Puts an item if the present one meets the condition. */
  put(item: Item, expressions: Expressions = {}): Promise<Written> {
    return this.#write(() =>
      this.#client.send(
        new PutItemCommand({ TableName: this.name, Item: item, ...conditional(expressions) }),
      ),
    )
  }

  /** Changes an item if it meets the condition. Returns it as it is afterwards. */
  update(key: Item, update: string, expressions: Expressions): Promise<Written> {
    return this.#write(() =>
      this.#client.send(
        new UpdateItemCommand({
          TableName: this.name,
          Key: key,
          UpdateExpression: update,
          ReturnValues: 'ALL_NEW',
          ...conditional(expressions, update),
        }),
      ),
    )
  }

  /** Deletes an item if it meets the condition. Returns it as it was before. */
  delete(key: Item, expressions: Expressions = {}): Promise<Written> {
    return this.#write(() =>
      this.#client.send(
        new DeleteItemCommand({
          TableName: this.name,
          Key: key,
          ReturnValues: 'ALL_OLD',
          ...conditional(expressions),
        }),
      ),
    )
  }

  /** Like `put`, as a part of a transaction. */
  putting(item: Item, expressions: Expressions = {}): TransactWriteItem {
    return { Put: { TableName: this.name, Item: item, ...conditional(expressions) } }
  }

  /** Like `update`, as a part of a transaction. */
  updating(key: Item, update: string, expressions: Expressions): TransactWriteItem {
    return {
      Update: {
        TableName: this.name,
        Key: key,
        UpdateExpression: update,
        ...conditional(expressions, update),
      },
    }
  }

  /** Like `delete`, as a part of a transaction. */
  deleting(key: Item): TransactWriteItem {
    return { Delete: { TableName: this.name, Key: key } }
  }

  /**
   * Does all of these writes, of this table and of others, or none of them. The SDK gives each
   * request a token by which DynamoDB recognises a repetition, so a retry after a lost response
   * never writes twice.
   */
  async transact(writes: TransactWriteItem[]): Promise<Transacted> {
    try {
      await this.#client.send(new TransactWriteItemsCommand({ TransactItems: writes }))
      return { done: true }
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw translated(error)
      const reasons = error.CancellationReasons ?? []
      const refused = reasons.flatMap(({ Code, Item: item }, i): [number, Item | undefined][] =>
        Code === 'ConditionalCheckFailed' ? [[i, item]] : [],
      )
      if (refused.length > 0) return { done: false, refused: new Map(refused) }
      if (!reasons.every(({ Code }) => PASSING_REASONS.has(Code ?? 'None'))) throw error
      return { done: false, refused: new Map(), conflict: error }
    }
  }

  async #write(send: () => Promise<{ Attributes?: Item }>): Promise<Written> {
    for (let tries = 1; ; tries++) {
      try {
        return { done: true, item: (await send()).Attributes }
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) {
          return { done: false, item: error.Item, attempts: attemptsOf(error) }
        }
        if (!(error instanceof TransactionConflictException)) throw translated(error)
        await conflictPause(tries, error)
      }
    }
  }

  async #ask<T>(send: () => Promise<T>): Promise<T> {
    try {
      return await send()
    } catch (error) {
      throw translated(error)
    }
  }
}
