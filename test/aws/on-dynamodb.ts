import { spawnSync } from 'node:child_process'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { describe, test } from '@jest/globals'
import { LOCAL, type LocalDynamoDb } from './dynamodb-local.ts'
import { STARTER } from './shared-dynamodb.ts'

/**
 * `describe` for what needs Amazon's DynamoDB Local. It is a Java program: without Java the run says plainly
 * what it leaves out, and goes on.
 */
export function describeOnDynamoDb(name: string, define: () => void): void {
  if (spawnSync('java', ['-version']).status === 0) {
    describe(name, define)
    return
  }
  process.stderr.write(`LEFT OUT: ${name}. It runs on DynamoDB Local, which needs Java 17 or later.\n`)
  describe(name, () => test.todo('needs Java 17 or later'))
}

/** The DynamoDB Local that all suites of a run share: the first one that asks has it started. */
export async function sharedDynamoDb(): Promise<LocalDynamoDb> {
  const response = await fetch(process.env[STARTER]!)
  const answer = await response.text()
  if (!response.ok) throw new Error(answer)
  const client = new DynamoDBClient({ ...LOCAL, endpoint: answer })
  return { endpoint: answer, client, stop: async () => client.destroy() }
}
