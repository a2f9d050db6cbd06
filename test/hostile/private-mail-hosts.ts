import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams'
import { S3Client } from '@aws-sdk/client-s3'
import type { Store } from '../../adapters/sqlite/store.ts'
import { startObjectStore } from '../../bench/support/object-store.ts'
import { newDomain } from '../../core/access/registration.ts'
import { DAY_MS } from '../../core/limits.ts'
import { openLiveStore } from '../../sse-service/live-store.ts'
import { openTemporary } from '../adapters/sqlite/store-temporary.ts'
import { createTables, LOCAL } from '../aws/dynamodb-local.ts'
import { sharedDynamoDb } from '../aws/on-dynamodb.ts'
import type { Opened } from '../contract/opened.ts'
import { unique } from '../contract/sample.ts'

type Ports = Pick<Store, 'domains' | 'emails' | 'blobs' | 'changeFeed'>

/** A store under test. */
export interface Host extends Opened<Ports> {
  /** Gives up the event loop for about as long as a command of the store takes. */
  turn(): Promise<void>
  /** Resolves when every change so far is published. */
  published(): Promise<void>
}

/** Without sweeps: more than an hour can pass while one mail arrives, and a sweep would remove its parts. */
export async function onSqlite(): Promise<Host> {
  return {
    ...(await openTemporary({ sweepEveryMs: DAY_MS })),
    turn: () => setImmediate(),
    published: async () => {},
  }
}

/**
 * Writes of domains take 0, 3.5 or 12 s on the clock of all, and some of their answers are lost, so
 * that the SDK sends them again.
 */
export async function onDynamoDb(): Promise<Host> {
  const { endpoint, client: shared, stop } = await sharedDynamoDb()
  const objects = await startObjectStore()
  const tables = await createTables(shared)
  let offset = 0
  const advance = (ms: number) => {
    offset += ms
  }
  const clock = () => Date.now() + offset
  const dynamo = new DynamoDBClient({ ...LOCAL, endpoint, maxAttempts: 3 })
  slowDomains(dynamo, advance)
  const s3 = new S3Client({ ...LOCAL, endpoint: objects.endpoint, forcePathStyle: true })
  const streams = new DynamoDBStreamsClient({ ...LOCAL, endpoint, maxAttempts: 1 })
  const options = { ...tables, bucket: 'b', clock, dynamo, s3, streams }
  const store = openLiveStore({ ...options, report: () => {}, pollMs: () => 5 })
  await store.changeFeed.start()
  return {
    ...store,
    advance,
    turn: () => sleep(20),
    async published() {
      const name = `${unique()}.example`
      const { promise, resolve } = Promise.withResolvers<void>()
      const end = store.changeFeed.subscribe((change) => {
        if (change.type === 'domain' && change.name === name) resolve()
      })
      await store.domains.change(name, undefined, newDomain(name, 'verified', 1))
      await promise
      end()
    },
    async close() {
      await store.changeFeed.stop()
      for (const client of [dynamo, s3, streams]) client.destroy()
      await objects.stop()
      await stop()
    },
  }
}

function slowDomains(client: DynamoDBClient, advance: (ms: number) => void): void {
  let writes = 0
  client.middlewareStack.add(
    (next, context) => {
      const attempts = new WeakSet<object>()
      return async (args) => {
        if (context.commandName !== PutItemCommand.name) return next(args)
        writes++
        if (writes % 3 !== 0) {
          advance(writes % 3 === 1 ? 3500 : 12_000)
          // Mail arrives meanwhile.
          await sleep(50)
        }
        const isFirst = !attempts.has(args.input)
        attempts.add(args.input)
        const answer = await next(args)
        if (writes % 5 === 0 && isFirst)
          throw Object.assign(new Error('the answer was lost'), { code: 'ECONNRESET' })
        return answer
      }
    },
    { step: 'finalizeRequest', priority: 'low' },
  )
}
