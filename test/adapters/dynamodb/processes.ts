import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoMessages } from '../../../adapters/dynamodb/messages.ts'
import { Table } from '../../../adapters/dynamodb/table.ts'
import { LOCAL, type LocalDynamoDb, type LocalTables } from '../../aws/dynamodb-local.ts'
import { Faults } from './faults.ts'

export interface Process {
  emails: DynamoMessages
  faults: Faults
}

/** Several processes with the same tables, each with its own client and its own ids. */
export class Processes {
  /** Offset in ms of the clock of every process. */
  offset = 0
  /** The message ids whose bytes a store has removed. */
  readonly forgotten: string[] = []
  readonly #dynamo: LocalDynamoDb
  readonly #tables: LocalTables
  readonly #clients: DynamoDBClient[] = []

  constructor(dynamo: LocalDynamoDb, tables: LocalTables) {
    this.#dynamo = dynamo
    this.#tables = tables
  }

  start(): Process {
    const client = new DynamoDBClient({ ...LOCAL, endpoint: this.#dynamo.endpoint, maxAttempts: 2 })
    this.#clients.push(client)
    const emails = new DynamoMessages({
      mail: new Table(client, this.#tables.mailTable),
      keys: new Table(client, this.#tables.keysTable),
      blobs: { put: async () => {}, remove: async (delivery) => void this.forgotten.push(delivery) },
      clock: () => Date.now() + this.offset,
    })
    return { emails, faults: new Faults(client) }
  }

  end(): void {
    for (const client of this.#clients) client.destroy()
  }
}
