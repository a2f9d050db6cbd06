import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams'
import { Recent } from '../adapters/dynamodb/recent.ts'
import { type ReaderEvent, StreamReader } from '../adapters/dynamodb/stream-reader.ts'
import type { Streams } from '../adapters/dynamodb/stream-shards.ts'
import type { Domains } from '../core/access/ports.ts'
import type { ChangeFeed } from '../core/events/ports.ts'
import { type AwsStore, openStore, type StoreOptions } from '../service/aws-store.ts'

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
  /** The same domains, of each of which changes are heard once it was looked up here. */
  hearing: (domains: Domains) => Domains
  /** To be started before it announces anything, and stopped at the end. */
  changeFeed: ChangeFeed & {
    start(): Promise<void>
    stop(): Promise<void>
    lag(): { recordMs: number; readMs: number }
  }
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
  // Changes of every domain are heard.
  return { ...store, changeFeed, hearing: (domains) => domains }
}

/** The reader itself tries again, and says so. */
function streamsClient(): DynamoDBStreamsClient {
  return new DynamoDBStreamsClient({
    maxAttempts: 1,
    requestHandler: { connectionTimeout: 1000, requestTimeout: 5000, throwOnRequestTimeout: true },
  })
}
