import { spawnSync } from 'node:child_process'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { describe, test } from '@jest/globals'
import { LOCAL, type LocalDynamoDb } from './dynamodb-local.ts'
import { STARTER } from './shared-dynamodb.ts'

/**
 * `describe` for tests that need Amazon's DynamoDB Local, which is a Java program. Without Java,
 * the run reports them as to-do and continues.
 */
export function describeOnDynamoDb(name: string, define: () => void): void {
  if (spawnSync('java', ['-version']).status === 0) {
    describe(name, define)
    return
  }
  process.stderr.write(`LEFT OUT: ${name}. It runs on DynamoDB Local, which needs Java 17 or later.\n`)
  describe(name, () => test.todo('needs Java 17 or later'))
}

/** The DynamoDB Local that all suites of a run share: the first suite that needs it starts it. */
export async function sharedDynamoDb(): Promise<LocalDynamoDb> {
  const response = await fetch(process.env[STARTER]!)
  const answer = await response.text()
  if (!response.ok) throw new Error(answer)
  const client = new DynamoDBClient({ ...LOCAL, endpoint: answer })
  return { endpoint: answer, client, stop: async () => client.destroy() }
}
