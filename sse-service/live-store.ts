import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams'
import { Recent } from '../adapters/dynamodb/recent.ts'
import { type ReaderEvent, StreamReader } from '../adapters/dynamodb/stream-reader.ts'
import type { Streams } from '../adapters/dynamodb/stream-shards.ts'
import { type AwsStore, openStore, type StoreOptions } from '../lambdas/store.ts'

export interface LiveStoreOptions extends Omit<StoreOptions, 'recent'> {
  mailStreamArn: string
  /** Told what an operator should know of the stream. */
  report: (event: ReaderEvent) => void
  pollMs?: () => number
  /** Whether a stream over domains has this one. */
  follows?: (domain: string) => boolean
  /** For tests; made from the environment otherwise. */
  streams?: Streams
}

/** Every port on AWS. */
export interface AwsLiveStore extends AwsStore {
  /** To be started before it announces anything, and stopped at the end. */
  changeFeed: StreamReader
}

/** Opens the store of the stream service: that of the handlers, and the announcements. Without a request. */
export function openLiveStore(options: LiveStoreOptions): AwsLiveStore {
  const { clock = Date.now, mailStreamArn: arn, report, pollMs, follows } = options
  const recent = new Recent(clock)
  const store = openStore({ ...options, recent })
  const streams = options.streams ?? streamsClient()
  const changeFeed = new StreamReader({
    streams,
    arn,
    clock,
    recent,
    order: store.emails.order,
    report,
    ...(pollMs === undefined ? {} : { pollMs }),
    ...(follows === undefined ? {} : { follows }),
  })
  return { ...store, changeFeed }
}

/** The reader itself tries again, and says so. */
function streamsClient(): DynamoDBStreamsClient {
  return new DynamoDBStreamsClient({
    maxAttempts: 1,
    requestHandler: { connectionTimeout: 1000, requestTimeout: 5000, throwOnRequestTimeout: true },
  })
}
