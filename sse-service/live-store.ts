import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams'
import { ChangeCache } from '../adapters/dynamodb/change-cache.ts'
import { type ReaderEvent, StreamReader } from '../adapters/dynamodb/stream-reader.ts'
import type { Streams } from '../adapters/dynamodb/stream-shards.ts'
import type { ChangeFeed } from '../core/events/ports.ts'
import { type AwsStore, openStore, type StoreOptions } from '../service/aws-store.ts'

export interface LiveStoreOptions extends Omit<StoreOptions, 'changeCache'> {
  mailStreamArn: string
  /** Receives events of the reader that an operator should know. */
  report: (event: ReaderEvent) => void
  pollMs?: () => number
  /** Whether a stream over domains follows this domain. */
  follows?: (domain: string) => boolean
  /** For tests; by default created from the environment. */
  streams?: Streams
}

/** Every port on AWS. */
export interface AwsLiveStore extends AwsStore {
  /** Publishes changes between `start` and `stop`. */
  changeFeed: ChangeFeed & {
    start(): Promise<void>
    stop(): Promise<void>
    lag(): { recordMs: number; readMs: number }
  }
}

/**
 * Opens the store of the stream service: the handlers' store and the change feed. It sends no
 * request.
 */
export function openLiveStore(options: LiveStoreOptions): AwsLiveStore {
  const { clock = Date.now, mailStreamArn: arn, report, pollMs, follows } = options
  const changeCache = new ChangeCache(clock)
  const store = openStore({ ...options, changeCache })
  const streams = options.streams ?? streamsClient()
  const changeFeed = new StreamReader({
    streams,
    arn,
    clock,
    changeCache,
    order: store.emails.order,
    report,
    ...(pollMs === undefined ? {} : { pollMs }),
    ...(follows === undefined ? {} : { follows }),
  })
  return { ...store, changeFeed }
}

/** The reader itself retries and reports. */
function streamsClient(): DynamoDBStreamsClient {
  return new DynamoDBStreamsClient({
    maxAttempts: 1,
    requestHandler: { connectionTimeout: 1000, requestTimeout: 5000, throwOnRequestTimeout: true },
  })
}
