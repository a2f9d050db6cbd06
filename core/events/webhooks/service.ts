import type { ApiKey, Domain } from '../../access/ports.ts'
import type { Clock } from '../../clock.ts'
import { Problem } from '../../errors.ts'
import type { EmailFilter } from '../../inbox/filter.ts'
import { WEBHOOKS_PER_KEY } from '../../limits.ts'
import type { WebhookDelivery } from './delivery.ts'
import type {
  Webhook,
  WebhookAttempt,
  WebhookJob,
  WebhookSender,
  WebhookStore,
  WebhookTarget,
} from './ports.ts'

const SECRET_BYTES = 32
const ID_BYTES = 12

export interface WebhookServiceParts {
  webhooks: WebhookStore
  delivery: WebhookDelivery
  sender: WebhookSender
  /** Sends the ping of a webhook that was just added, now and by the schedule. */
  begin(ping: WebhookJob): Promise<void>
  clock: Clock
  random: (size: number) => Uint8Array
}

/** The webhooks of API keys. */
export class WebhookService {
  readonly #parts: WebhookServiceParts

  constructor(parts: WebhookServiceParts) {
    this.#parts = parts
  }

  /**
   * Creates a pending webhook and begins to ping it.
   * @param domain that the target is on, opened by its key
   * @param limit of webhooks of this key
   * @throws Problem `invalid_webhook_url`, `webhook_quota_exceeded`
   */
  async create(
    key: ApiKey,
    domain: Domain,
    { url, target, filter }: { url: string; target: WebhookTarget; filter: EmailFilter },
    limit = WEBHOOKS_PER_KEY,
  ): Promise<Webhook> {
    const { webhooks, sender, begin, clock, random } = this.#parts
    await sender.check(url)
    const now = clock()
    const webhook: Webhook = {
      id: `wh_${Buffer.from(random(ID_BYTES)).toString('hex')}`,
      keyHash: key.hash,
      url,
      status: 'pending',
      secret: `whsec_${Buffer.from(random(SECRET_BYTES)).toString('base64')}`,
      target,
      filter,
      domainKeyHash: domain.keyHash,
      createdAt: now,
      expiresAt: key.expiresAt,
    }
    if (!(await webhooks.add(webhook, limit))) {
      throw new Problem(
        'webhook_quota_exceeded',
        `A key has at most ${limit} webhooks. Delete one of them first.`,
      )
    }
    await begin({ webhook: webhook.id, address: '', email: '', attempts: 0, due: now })
    return webhook
  }

  list(key: ApiKey): Promise<Webhook[]> {
    return this.#parts.webhooks.list(key.hash)
  }

  /** @throws Problem `webhook_not_found`, also for another key's */
  async find(key: ApiKey, id: string): Promise<Webhook> {
    const webhook = await this.#parts.webhooks.find(id)
    if (webhook !== undefined && webhook.keyHash === key.hash) return webhook
    throw new Problem('webhook_not_found', 'This key has no such webhook.')
  }

  /** @throws Problem `webhook_not_found` */
  async remove(key: ApiKey, id: string): Promise<void> {
    const webhook = await this.find(key, id)
    await this.#parts.webhooks.remove(webhook.id)
  }

  /** The latest 100, newest first. @throws Problem `webhook_not_found` */
  async attempts(key: ApiKey, id: string): Promise<WebhookAttempt[]> {
    const webhook = await this.find(key, id)
    return this.#parts.webhooks.attempts(webhook.id)
  }

  /** Sends a ping and returns its result. @throws Problem `webhook_not_found` */
  async test(key: ApiKey, id: string): Promise<WebhookAttempt> {
    const { webhooks, delivery, random } = this.#parts
    const webhook = await this.find(key, id)
    const attempt = await delivery.ping(webhook, `msg_${Buffer.from(random(ID_BYTES)).toString('hex')}`)
    await webhooks.record(webhook.id, attempt)
    return attempt
  }
}
