import {
  DynamoDBStreamsClient,
  ExpiredIteratorException,
  GetRecordsCommand,
} from '@aws-sdk/client-dynamodb-streams'
import type { S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, expect } from '@jest/globals'
import type { ReaderEvent } from '../../../adapters/dynamodb/stream-reader.ts'
import { type AwsLiveStore, openLiveStore } from '../../../sse-service/live-store.ts'
import { createTables, LOCAL, type LocalDynamoDb } from '../../aws/dynamodb-local.ts'
import { describeOnDynamoDb, sharedDynamoDb } from '../../aws/on-dynamodb.ts'
import { changeFeedContract } from '../../contract/change-feed.ts'
import type { Opened } from '../../contract/opened.ts'
import { failing } from './faults.ts'

describeOnDynamoDb('What the store on DynamoDB announces', () => {
  let dynamo: LocalDynamoDb

  beforeAll(async () => {
    dynamo = await sharedDynamoDb()
  })
  afterAll(() => dynamo.stop())

  async function open(prepare = (_: DynamoDBStreamsClient) => {}): Promise<Opened<AwsLiveStore>> {
    let offset = 0
    const reported: ReaderEvent[] = []
    const clock = () => Date.now() + offset
    const tables = await createTables(dynamo.client)
    // The bytes of messages have their own tests, on the emulator.
    const s3 = { send: async () => ({}) } as unknown as S3Client
    const streams = new DynamoDBStreamsClient({ ...LOCAL, endpoint: dynamo.endpoint, maxAttempts: 1 })
    prepare(streams)
    const store = openLiveStore({
      ...tables,
      bucket: 'none',
      clock,
      dynamo: dynamo.client,
      s3,
      streams,
      report: (event) => {
        // DynamoDB Local may return a record before another one with a smaller sequence number, and
        // then reports that one as trimmed.
        if (event.type !== 'lost' && !isInjected(event)) reported.push(event)
      },
      pollMs: () => 20,
    })
    await store.changeFeed.start()
    return {
      ...store,
      clock,
      advance: (ms) => {
        offset += ms
      },
      close: async () => {
        await store.changeFeed.stop()
        streams.destroy()
        expect(reported).toEqual([])
      },
    }
  }

  changeFeedContract('DynamoDB Streams', () => open())
  changeFeedContract('DynamoDB Streams, with faults', () => open(disturb))
})

const INJECTED = 'was injected'

/** Every third read of a shard has an expired iterator, and every seventh one is throttled. */
function disturb(streams: DynamoDBStreamsClient): void {
  let reads = 0
  streams.middlewareStack.add(
    (next, context) => async (args) => {
      if (context.commandName !== GetRecordsCommand.name) return next(args)
      reads++
      if (reads % 3 === 0) throw new ExpiredIteratorException({ message: INJECTED, $metadata: {} })
      if (reads % 7 === 0) throw failing('LimitExceededException')
      return next(args)
    },
    { step: 'initialize' },
  )
}

function isInjected(event: ReaderEvent): boolean {
  return event.type === 'fault' && String(event.error).includes(INJECTED)
}
