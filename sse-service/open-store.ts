import { ENV } from '../adapters/aws/env.ts'
import { numberOf, readSettings } from '../adapters/aws/settings.ts'
import { POLL_MS } from '../adapters/dynamodb/stream-reader.ts'
import { log } from '../service/aws-log.ts'
import { type AwsLiveStore, openLiveStore } from './live-store.ts'
import type { SseSettings } from './settings.ts'
import { ShortStreams } from './short-streams.ts'
import { openValkeyStore } from './valkey-store.ts'

/**
 * Poll interval while there are no streams: reads of the table's stream are the main cost of an
 * idle service.
 */
export const IDLE_POLL_MS = 1300
const STREAM_MAX_MS = 15 * 60_000

/**
 * Streams that may be opened in a second. A stream reads DynamoDB before it opens, so that 0.25
 * vCPU open 112 a second (docs/performance.md). CloudFront answers 504 after a minute
 * (lib/live/origin.ts), and an EventSource does not retry after that.
 */
const RECONNECTS_PER_SECOND = 100

/** Opens the store of a stream service, starts its change feed, and returns live delivery on it. */
export async function openStoreAndLive(
  settings: SseSettings,
  pause: (client: string) => Promise<void>,
): Promise<{ store: AwsLiveStore; live: ShortStreams }> {
  const maxMs =
    settings.streamMaxMs === undefined
      ? Number.POSITIVE_INFINITY
      : numberOf('streamMaxMs', settings.streamMaxMs, 1, STREAM_MAX_MS)
  let live: ShortStreams | undefined
  const store = openStoreFor(settings, () => live)
  await store.changeFeed.start()
  live = new ShortStreams(store.changeFeed, store.emails, Date.now, {
    reconnectsPerSecond: RECONNECTS_PER_SECOND,
    pause,
  }).limitTo(maxMs)
  return { store, live }
}

function openStoreFor(settings: SseSettings, live: () => ShortStreams | undefined): AwsLiveStore {
  const follows = (domain: string) => live()?.follows(domain) ?? false
  const { valkeyUrl, mailStreamArn } = settings
  if (valkeyUrl !== undefined) {
    return openValkeyStore({
      ...settings,
      valkeyUrl,
      follows,
      followed: () => live()?.followed() ?? new Set(),
      onGap: () => live()?.endAll(),
      report: ({ type, ...fields }) => log('warn', `Valkey: ${type}`, fields),
    })
  }
  const pollMs = numberOf('streamPollMs', settings.streamPollMs ?? String(POLL_MS), 10, 10_000)
  return openLiveStore({
    ...settings,
    mailStreamArn: readSettings({ [ENV.mailStreamArn]: mailStreamArn }, ['mailStreamArn']).mailStreamArn,
    follows,
    report: ({ type, ...fields }) =>
      log(type === 'fault' ? 'warn' : 'error', `stream reader: ${type}`, fields),
    pollMs: () => (live()?.count ? pollMs : Math.max(pollMs, IDLE_POLL_MS)),
  })
}
