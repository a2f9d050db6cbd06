import { spawnSync } from 'node:child_process'
import {
  createTables,
  LOCAL,
  type LocalDynamoDb,
  type LocalTables,
  startDynamoDb,
} from '../../test/aws/dynamodb-local.ts'

export const REGION = LOCAL.region
export const CREDENTIALS = LOCAL.credentials

export type BenchDynamoDb = LocalDynamoDb & LocalTables

export function hasJava(): boolean {
  return spawnSync('java', ['-version']).status === 0
}

/** DynamoDB Local in memory, with both tables as the stack creates them. */
export async function startTables(): Promise<BenchDynamoDb> {
  const dynamo = await startDynamoDb()
  return { ...dynamo, ...(await createTables(dynamo.client)) }
}
