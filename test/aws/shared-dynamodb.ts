import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type LocalDynamoDb, startDynamoDb } from './dynamodb-local.ts'

/** The environment variable with a URL that starts DynamoDB Local on its first request and answers with its URL. */
export const STARTER = 'MAYFLY_TEST_DYNAMODB'

let starting: Promise<LocalDynamoDb> | undefined

/** Part of Jest's globalSetup: DynamoDB Local starts when a suite asks for it. */
export default async function setup(): Promise<void> {
  const server = createServer(async (_, response) => {
    try {
      starting ??= startDynamoDb()
      response.end((await starting).endpoint)
    } catch (error) {
      // The next suite tries again because this start may have failed on a busy machine.
      starting = undefined
      response.writeHead(500).end(String(error))
    }
  })
  server.listen(0, '127.0.0.1').unref()
  await once(server, 'listening')
  process.env[STARTER] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  // Jest has no teardown for SIGTERM, and DynamoDB Local ends with the 'exit' of this process.
  process.once('SIGTERM', () => process.exit(143))
  // Jest loads globalTeardown as a separate module, so the two share the global object.
  Object.assign(globalThis, { stopSharedDynamoDb: async () => (await starting)?.stop() })
}
