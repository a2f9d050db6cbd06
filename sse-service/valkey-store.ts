import { setTimeout as sleep } from 'node:timers/promises'
import { ChangeCache } from '../adapters/dynamodb/change-cache.ts'
import { InOrder } from '../adapters/dynamodb/stream-order.ts'
import { ValkeyFeed, type ValkeyFeedOptions } from '../adapters/valkey/feed.ts'
import type { Change } from '../core/events/ports.ts'
import { SECOND_MS } from '../core/limits.ts'
import { openStore, type StoreOptions } from '../service/aws-store.ts'
import type { AwsLiveStore } from './live-store.ts'

const RETRY_MAX_MS = 5 * SECOND_MS
const FORGET_MS = 60 * SECOND_MS

export interface ValkeyStoreOptions extends Omit<StoreOptions, 'changeCache'> {
  valkeyUrl: string
  /** Whether a stream over domains follows this domain. */
  follows: (domain: string) => boolean
  /** Every address and every whole domain that a stream follows. */
  followed: () => Set<string>
  /** Called when changes may have been missed, so that every stream must end. */
  onGap: ValkeyFeedOptions['onGap']
  report: (event: { type: string; error?: unknown }) => void
}

/**
 * Opens the store of a stream service that receives changes from Valkey (lambdas/publish.ts). Any
 * number of tasks may run; each subscribes to the addresses and domains that its streams follow.
 */
export function openValkeyStore(options: ValkeyStoreOptions): AwsLiveStore {
  const { clock = Date.now, valkeyUrl: url, follows, followed, onGap, report } = options
  const changeCache = new ChangeCache(clock)
  const store = openStore({ ...options, changeCache })
  const listeners = new Set<(change: Change) => void>()
  const order = new InOrder({
    order: store.emails.order,
    clock,
    follows,
    emit: (change) => {
      for (const listener of listeners) listener(change)
    },
    failed: async (error, faults) => {
      report({ type: 'fault', error })
      await sleep(Math.min(200 * 2 ** faults, RETRY_MAX_MS), undefined, { ref: false })
    },
  })
  const publish = (change: Change) => {
    changeCache.add(change)
    order.add(change)
    void order.release()
  }
  const feed = new ValkeyFeed({ url, clock, publish, onGap, report })
  return {
    ...store,
    changeFeed: changeFeedOf(feed, order, listeners, followed),
  }
}

/** @param listeners receive the changes that `order` emits */
function changeFeedOf(
  feed: ValkeyFeed,
  order: InOrder,
  listeners: Set<(change: Change) => void>,
  followed: () => Set<string>,
): AwsLiveStore['changeFeed'] {
  let forgetting: NodeJS.Timeout | undefined
  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    cover: (topic) =>
      feed.subscribe(...('addresses' in topic ? topic.addresses : topic.domains.map(({ name }) => name))),
    async start() {
      await feed.start()
      forgetting = setInterval(() => {
        const names = followed()
        void feed.unsubscribeIdle((name) => names.has(name))
      }, FORGET_MS).unref()
    },
    async stop() {
      clearInterval(forgetting)
      order.stop()
      await feed.stop()
    },
    lag: () => feed.lag(),
  }
}
