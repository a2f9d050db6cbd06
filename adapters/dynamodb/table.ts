import {
  BatchGetItemCommand,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  type QueryCommandInput,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { attemptsOf, translated, unavailable } from '../aws/errors.ts'
import type { Item } from './attributes.ts'

/** Items that one BatchGetItem takes (docs.aws.amazon.com, API_BatchGetItem). */
const BATCH_GET = 100
const BATCH_GET_TRIES = 8
const BATCH_GET_PAUSE_MS = 50

/**
 * Parts of a request. A `#name` in an expression stands for the attribute of that name, unless `names` says
 * otherwise: so no attribute can be one of DynamoDB's 573 reserved words by accident.
 */
export interface Expressions {
  condition?: string
  values?: Item
  names?: Record<string, string>
}

/**
 * How a conditional write ended. Done: `item` is what DynamoDB was asked to return. Otherwise `item` is the one
 * that did not meet the condition, undefined when there is none; `attempts` counts the requests of the SDK: the
 * first of several may have been done, with only its answer lost.
 */
export type Written =
  | { done: true; item: Item | undefined }
  | { done: false; item: Item | undefined; attempts: number }

/** One table, by the commands that are needed. Rejects with Problem `unavailable` when DynamoDB cannot answer. */
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

  /** Strongly consistent; in no order, without those that are not there. */
  async getAll(keys: Item[]): Promise<Item[]> {
    const items: Item[] = []
    for (let at = 0; at < keys.length; at += BATCH_GET) {
      let rest = keys.slice(at, at + BATCH_GET)
      for (let tries = 0; rest.length > 0; tries++) {
        if (tries === BATCH_GET_TRIES) throw unavailable(new Error('keys of a BatchGetItem stay unprocessed'))
        // What does not fit in 16 MB or in the table's throughput comes back unprocessed.
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

  /** One page of a query: strongly consistent, unless it is of an index. */
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

  /** Puts an item, if the one that is there meets the condition. */
  put(item: Item, expressions: Expressions = {}): Promise<Written> {
    return this.#write(() =>
      this.#client.send(
        new PutItemCommand({ TableName: this.name, Item: item, ...conditional(expressions) }),
      ),
    )
  }

  /** Changes an item, if it meets the condition; returns it as it is then. */
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

  /** Deletes an item, if it meets the condition; returns it as it was. */
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

  async #write(send: () => Promise<{ Attributes?: Item }>): Promise<Written> {
    try {
      return { done: true, item: (await send()).Attributes }
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw translated(error)
      return { done: false, item: error.Item, attempts: attemptsOf(error) }
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

/** The item that fails a condition comes back with the refusal, which saves a read. */
function conditional(expressions: Expressions, ...texts: string[]) {
  const { condition } = expressions
  return {
    ConditionExpression: condition,
    ReturnValuesOnConditionCheckFailure: condition === undefined ? undefined : ('ALL_OLD' as const),
    ...named(expressions, condition, ...texts),
  }
}

function named({ names = {}, values }: Expressions, ...texts: (string | undefined)[]) {
  const all: Record<string, string> = {}
  for (const text of texts) {
    for (const [name] of text?.matchAll(/#\w+/g) ?? []) all[name] = names[name] ?? name.slice(1)
  }
  return {
    ExpressionAttributeNames: Object.keys(all).length === 0 ? undefined : all,
    ExpressionAttributeValues: values,
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
