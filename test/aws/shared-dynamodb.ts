import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type LocalDynamoDb, startDynamoDb } from './dynamodb-local.ts'

/** The environment variable with the URL that answers with DynamoDB Local's, and starts it before if need be. */
export const STARTER = 'MAYFLY_TEST_DYNAMODB'

let starting: Promise<LocalDynamoDb> | undefined

/** Jest's globalSetup: nothing is started until a suite asks. */
export default async function setup(): Promise<void> {
  const server = createServer(async (_, response) => {
    try {
      starting ??= startDynamoDb()
      response.end((await starting).endpoint)
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  })
  server.listen(0, '127.0.0.1').unref()
  await once(server, 'listening')
  process.env[STARTER] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  // Jest loads its globalTeardown as a module of its own.
  Object.assign(globalThis, { stopSharedDynamoDb: async () => (await starting)?.stop() })
}
