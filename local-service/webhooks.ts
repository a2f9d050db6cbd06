import { randomBytes } from 'node:crypto'
import { summary } from '../adapters/http/wire/email.ts'
import type { Store } from '../adapters/sqlite/store.ts'
import { HttpWebhookSender } from '../adapters/webhooks/sender.ts'
import type { Domains, Keys } from '../core/access/ports.ts'
import { WebhookDelivery } from '../core/events/webhooks/delivery.ts'
import { WebhookService } from '../core/events/webhooks/service.ts'
import { WebhookWorker } from '../core/events/webhooks/worker.ts'
import manifest from '../package.json' with { type: 'json' }

export interface Webhooks {
  service: WebhookService
  /** Begins no more requests. */
  stop(): Promise<void>
}

/**
 * Assembles the webhooks of one machine, and sends the jobs that the outbox has from before.
 * @param keys finds the key of a webhook, self-issued or an operator's
 * @param loopback whether only the user of this machine can create webhooks, who may call its own
 *   services
 */
export function startWebhooks(
  store: Store,
  domains: Pick<Domains, 'find'>,
  keys: Pick<Keys, 'find'>,
  loopback: boolean,
): Webhooks {
  const { clock, webhooks, emails } = store
  const sender = new HttpWebhookSender({ loopback }, manifest.version)
  const delivery = new WebhookDelivery({
    webhooks,
    emails,
    domains,
    keys,
    sender,
    wire: summary,
    clock,
    random: Math.random,
  })
  const worker = new WebhookWorker(webhooks, delivery, clock)
  let unsubscribe = () => {}
  webhooks.onceAny(() => {
    // A commit publishes its emails when their jobs are in the outbox.
    unsubscribe = store.changeFeed.subscribe(({ type }) => {
      if (type === 'email') worker.wake()
    })
    worker.wake()
  })
  return {
    service: new WebhookService({
      webhooks,
      delivery,
      sender,
      // The store has put the ping into the outbox.
      begin: async () => worker.wake(),
      clock,
      random: randomBytes,
    }),
    async stop() {
      unsubscribe()
      await worker.stop()
    },
  }
}
