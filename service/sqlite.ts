import type { LiveService } from '../adapters/http/service.ts'
import type { Store } from '../adapters/sqlite/store.ts'
import { OperatorKeys } from '../core/access/api-keys.ts'
import {
  CATCH_ALL,
  catchAllDomains,
  configurableDomains,
  registeredDomains,
} from '../core/access/catch-all.ts'
import { DomainService } from '../core/access/domain-service.ts'
import type { Domains } from '../core/access/ports.ts'
import { cachedDomains } from '../core/events/cached-domains.ts'
import { Live } from '../core/events/live.ts'
import type { WebhookDelivery } from '../core/events/webhooks/delivery.ts'
import { PublishedEmails } from '../core/events/webhooks/published-emails.ts'
import { WebhookWorker } from '../core/events/webhooks/worker.ts'
import { assembleDomainService, assembleService, type ServiceSettings } from './assemble.ts'
import { NO_PROVIDER } from './defaults.ts'

export interface SqliteSettings
  extends Pick<
    ServiceSettings,
    'info' | 'mxHost' | 'dnsServers' | 'isLoopback' | 'isForThisMachine' | 'linkCheckHosts'
  > {
  /** Whether mail for every domain is accepted and public. */
  catchAll: boolean
  operatorKeys: string[]
  /** Resolves when the client may continue with long work. */
  pause: (client: string) => Promise<void>
}

export interface SqliteService {
  service: LiveService
  /** The same for streams: it reads domains from a cache. */
  streamService: LiveService
  /** Stops starting webhook requests. */
  stopWebhooks(): Promise<void>
}

/** The domains of the store that callers read and that receive mail. */
export function domainsOf(store: Store, catchAll: boolean): Domains {
  return catchAll ? catchAllDomains(store.domains) : store.domains
}

/** Registers the configured domains, and unregisters those that were configured before. */
export async function configureDomains(
  store: Store,
  { domains, catchAll }: { domains: { name: string; key: string | null }[]; catchAll: boolean },
): Promise<void> {
  const { limits, clock } = store
  const service = assembleDomainService({ domains: configurableDomains(store.domains, clock), limits, clock })
  await service.configure([...(catchAll ? [{ name: CATCH_ALL, key: null }] : []), ...domains], 'verified')
}

/** Assembles the service of one machine, and sends the webhooks that remained in the outbox. */
export function assembleSqliteService(store: Store, settings: SqliteSettings): SqliteService {
  const { clock, changeFeed, emails } = store
  const domains = domainsOf(store, settings.catchAll)
  const publishedEmails = new PublishedEmails(emails, clock)
  const { service, wrongKeys, webhookDelivery } = assembleService(
    { ...store, domains, registrations: registeredDomains(store.domains, clock) },
    {
      ...settings,
      provider: NO_PROVIDER,
      publicNamesOnly: !settings.isLoopback,
      operatorKeys: new OperatorKeys(settings.operatorKeys, clock()),
      webhookEmails: publishedEmails,
      // The store has put the ping into the outbox.
      beginPing: async () => webhooks.wake(),
    },
  )
  const webhooks = startWebhooks(store, webhookDelivery, publishedEmails)
  const live = new Live(changeFeed, emails, clock, { pause: settings.pause, allMail: store.allMail })
  const cached = cachedDomains(domains, changeFeed, clock)
  const domainService = new DomainService({ domains: cached, stored: domains, wrongKeys, clock })
  return {
    service: { ...service, live },
    streamService: { ...service, live, domainService },
    stopWebhooks: () => webhooks.stop(),
  }
}

/** Sends the jobs of the outbox, as soon as webhooks exist. */
function startWebhooks(
  { webhooks, changeFeed, clock }: Store,
  delivery: WebhookDelivery,
  publishedEmails: PublishedEmails,
) {
  const worker = new WebhookWorker(webhooks, delivery, clock)
  let unsubscribe = () => {}
  webhooks.onceAny(() => {
    // A commit publishes its emails when their jobs are in the outbox.
    unsubscribe = changeFeed.subscribe((change) => {
      publishedEmails.changed(change)
      if (change.type === 'email') worker.wake()
    })
    worker.wake()
  })
  return {
    wake: () => worker.wake(),
    async stop() {
      unsubscribe()
      await worker.stop()
    },
  }
}
